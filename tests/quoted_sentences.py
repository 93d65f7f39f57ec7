"""Sentences for the tests of quotations, in both languages, each with a name, a number, a unit and a negation."""

from __future__ import annotations

import random
from dataclasses import dataclass

NAMES = ["Halvorsen", "Okonkwo", "Brightwater", "Lindqvist", "Marchetti", "Castellan", "Westerfield", "Nakagawa"]
PLACES = ["Port Ellery", "Dunmore", "Vesterby", "Kallista", "Ardwick", "Monteverro"]
UNITS = [
    ("kg", "mg"),
    ("minutes", "hours"),
    ("km", "m"),
    ("days", "weeks"),
    ("ml", "cl"),
    ("MB", "GB"),
    ("euros", "dollars"),
]
ENGLISH = [
    "In {place} the {thing} made by {name} weighs {n} {unit} and does not need a permit",
    "{name} reported that the {thing} was not available after {n} {unit} of storage",
    "The {thing} from {place}, which {name} designed, may not exceed {n} {unit} under any condition",
    "Visitors to {place} cannot keep a {thing} for more than {n} {unit} without the consent of {name}",
    "According to {name}, no {thing} in {place} lasted longer than {n} {unit} during the trial",
    "The committee led by {name} never approved the {thing}, although {n} {unit} had been promised to {place}",
]
THINGS = ["portable heater", "filter cartridge", "signal relay", "storage cabinet", "water sensor", "training module"]
NAMES_ZH = ["陈远航", "林若溪", "周启明", "沈嘉木", "高见山", "苏念白"]
PLACES_ZH = ["青岩镇", "临川区", "白鹭湾", "云栖谷", "东篱县"]
UNITS_ZH = [("公斤", "毫克"), ("分钟", "小时"), ("公里", "米"), ("天", "周"), ("毫升", "升"), ("万元", "亿元")]
CHINESE = [
    "{place}的{thing}由{name}设计，重{n}{unit}，不需要另外申请许可",
    "{name}指出，{thing}存放超过{n}{unit}以后就不能再使用",
    "在{place}，没有{name}的同意，{thing}的使用不得超过{n}{unit}",
    "{name}团队测试了{n}{unit}，从未发现{thing}出现故障，{place}因此采用了它",
    "{place}规定：{thing}的上限是{n}{unit}，未经{name}批准不可更改",
]
THINGS_ZH = ["便携加热器", "过滤滤芯", "信号中继", "储物柜", "水位传感器", "培训模块"]


@dataclass(frozen=True)
class Sentence:
    """A sentence with what a mutation may change in it."""

    text: str
    name: str
    number: str
    units: tuple[str, str]
    chinese: bool


def sentences(count: int, seed: int) -> list[Sentence]:
    """Return sentences, every other one in Chinese."""
    rng = random.Random(seed)
    return [_sentence(rng, chinese=bool(i % 2)) for i in range(count)]


def _sentence(rng: random.Random, *, chinese: bool) -> Sentence:
    names, places, things = (NAMES_ZH, PLACES_ZH, THINGS_ZH) if chinese else (NAMES, PLACES, THINGS)
    units = rng.choice(UNITS_ZH if chinese else UNITS)
    number = rng.choice(["0.04", "12", "305", "1,250", "7.5", "48", "2.25", "960", "15"])
    name = rng.choice(names)
    form = rng.choice(CHINESE if chinese else ENGLISH)
    text = form.format(name=name, n=number, unit=units[0], place=rng.choice(places), thing=rng.choice(things))
    return Sentence(text=text, name=name, number=number, units=units, chinese=chinese)


def source_of(sentence: Sentence, others: list[Sentence], rng: random.Random) -> str:
    """Return a text in which a sentence stands among others, written as pages write."""
    around = rng.sample(others, 4)
    stop = "。" if sentence.chinese else ". "
    text = sentence.text
    if rng.random() < 0.3:
        text = text.replace(" ", "\u00a0", 2)
    if rng.random() < 0.3:
        text = text.replace(sentence.name, f"<b>{sentence.name}</b>")
    if rng.random() < 0.3:
        text = text.replace("，", ",").replace(", ", ",\n")
    parts = [around[0].text, around[1].text, text, around[2].text, around[3].text]
    return stop.join(parts) + stop.strip()
