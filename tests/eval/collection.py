"""A small collection in both languages, in the layout of BEIR: what a bicycle shop's help pages say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SUBJECTS: Mapping[str, tuple[str, str, str, str]] = {
    "puncture": ("How to repair a puncture", "Find the hole in the inner tube, roughen it, glue a patch on it.",
                 "怎么补胎", "找到内胎的破洞，打磨后涂胶水，贴上补丁。"),
    "brakes": ("Squeaky brakes", "Clean the rim and the brake pads, then toe the pads in.",
               "刹车异响", "清洁轮圈和刹车皮，再调整刹车皮的角度。"),
    "chain": ("Oil the chain", "Wipe the chain, put one drop of lubricant on each link, wipe it again.",
              "链条上油", "先擦净链条，每节滴一滴润滑油，再擦去多余的油。"),
    "gears": ("Gears do not shift", "Turn the barrel adjuster of the derailleur until the chain runs silently.",
              "变速器调整", "转动后拨的微调螺丝，直到链条安静运转。"),
    "saddle": ("Height of the saddle", "With the heel on the pedal the knee should be straight.",
               "座垫高度", "脚跟踩在踏板上时膝盖应当伸直。"),
    "lights": ("Lights for the winter", "A battery light of 60 lux and a rear light with a brake function.",
               "冬季车灯", "前灯六十勒克斯，尾灯带刹车提示功能。"),
    "lock": ("Choose a lock", "A folding lock weighs less, a U-lock is harder to break.",
             "选购车锁", "折叠锁更轻，U 形锁更难剪断。"),
    "helmet": ("Size of a helmet", "Measure the head above the eyebrows; the straps must not be loose.",
               "头盔尺码", "在眉毛上方量头围，系带不能松。"),
    "delivery": ("Delivery and shipping times", "Parcels within the country arrive in three days.",
                 "送货时间", "国内包裹三天内送达。"),
    "returns": ("Return goods", "Send goods back within 30 days, the refund takes one week.",
                "退货政策", "三十天内可以退货，退款需要一周。"),
}  # fmt: skip
"""Subject -> title and text in English, and in Chinese."""
EXTRA: Mapping[str, tuple[str, str]] = {
    "tyre": ("Tyre pressure", "Between 3 and 6 bar, as it is written on the tyre."),
    "tube": ("Inner tubes", "Inner tubes of butyl hold the air longer than those of latex."),
    "pads": ("Brake pads", "Brake pads of rubber for rims, of resin for discs."),
    "oil": ("Chain lubricant", "A bottle of 100 ml lubricant for wet weather."),
    "bag": ("Pannier bags", "Waterproof bags of 20 litres for the rack."),
    "child": ("Child seats", "For children from nine months on, up to 22 kg."),
    "pump": ("Floor pump", "With a gauge, for all valves."),
    "neitai": ("内胎", "丁基内胎比乳胶内胎保气更久。"),
    "shache": ("刹车皮", "橡胶刹车皮用于轮圈，树脂刹车皮用于碟刹。"),
    "run": ("润滑油", "一百毫升雨天链条润滑油。"),
    "tuobao": ("驮包", "二十升防水驮包，适合后货架。"),
    "ertong": ("儿童座椅", "适合九个月以上、二十二公斤以下的儿童。"),
    "qitong": ("打气筒", "带气压表，适合各种气嘴。"),
    "gongju": ("工具套装", "十五件套修车工具。"),
    "job": ("Work with us", "We look for mechanics."),
    "kaimen": ("营业时间", "周一到周六九点到十八点。"),
    "hours": ("Opening hours", "Monday to Saturday, nine to six."),
    "privacy": ("Privacy", "What we keep of your data, and how long."),
    "yinsi": ("隐私", "我们保存哪些数据，保存多久。"),
    "zhifu": ("付款方式", "支持信用卡、支付宝和微信支付。"),
}  # fmt: skip
QUERIES: Sequence[tuple[str, str, str, str, Mapping[str, int]]] = (
    ("e1", "repair a puncture", "en", "how-to", {"puncture-en": 2, "tube": 1, "job": 0}),
    ("e2", "brakes squeak", "en", "trouble", {"brakes-en": 2, "pads": 1}),
    ("e3", "lubricate chain", "en", "how-to", {"chain-en": 2, "oil": 2}),
    ("e4", "gears not shifting", "en", "trouble", {"gears-en": 2}),
    ("e5", "saddle height", "en", "how-to", {"saddle-en": 2}),
    ("e6", "bike lights for winter", "en", "buy", {"lights-en": 2}),
    ("e7", "which lock is harder to break", "en", "buy", {"lock-en": 2}),
    ("e8", "helmet size", "en", "how-to", {"helmet-en": 2}),
    ("e9", "shipping time", "en", "service", {"delivery-en": 2, "returns-en": 1}),
    ("e10", "refund", "en", "service", {"returns-en": 2}),
    ("z1", "怎么补胎", "zh", "how-to", {"puncture-zh": 2, "neitai": 1, "zhifu": 0}),
    ("z2", "刹车有异响", "zh", "trouble", {"brakes-zh": 2, "shache": 1}),
    ("z3", "链条润滑油", "zh", "how-to", {"chain-zh": 2, "run": 2}),
    ("z4", "变速不顺", "zh", "trouble", {"gears-zh": 2}),
    ("z5", "座垫多高合适", "zh", "how-to", {"saddle-zh": 2}),
    ("z6", "冬天用的车灯", "zh", "buy", {"lights-zh": 2}),
    ("z7", "车锁怎么选", "zh", "buy", {"lock-zh": 2}),
    ("z8", "头盔尺码", "zh", "how-to", {"helmet-zh": 2}),
    ("z9", "几天送货", "zh", "service", {"delivery-zh": 2, "returns-zh": 1}),
    ("z10", "退款要多久", "zh", "service", {"returns-zh": 2}),
)
"""Id, text, language, kind, grades."""


def documents() -> list[dict[str, Any]]:
    """The rows of ``corpus.jsonl``: forty documents."""
    made: list[dict[str, Any]] = []
    for name, (title, text, titel, inhalt) in SUBJECTS.items():
        made.append({"_id": f"{name}-en", "title": title, "text": text})
        made.append({"_id": f"{name}-zh", "title": titel, "text": inhalt})
    made += [{"_id": name, "title": title, "text": text} for name, (title, text) in EXTRA.items()]
    return made


def write_collection(folder: Path) -> Path:
    """Write the collection into ``folder`` and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"_id": i, "text": t, "metadata": {"language": la, "kind": k}} for i, t, la, k, _ in QUERIES]
    for name, lines in (("corpus", documents()), ("queries", rows)):
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    grades = [f"{query}\t{doc}\t{grade}\n" for query, _, _, _, of in QUERIES for doc, grade in of.items()]
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(grades), "utf-8")
    return folder
