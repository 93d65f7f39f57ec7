"""What a profile or a pack says means the same is asked, and ranked, as what the query says, whatever words it is made of."""

from __future__ import annotations

import pytest

from engines import profile
from qx import Engine
from qx.plugins import Plugins

SETS = {
    "空气清新机": "空气净化器",
    "车载摄像头": "行车记录仪",
    "water boiler": "kettle",
    "占座": "座位预约",
    "inflatable hot tub with bubble jets and heater": "lay-z-spa",
}


async def expanded(*texts: str) -> dict[str, list[tuple[str, str]]]:
    sets = tuple({"of": of, "words": [said]} for of, said in SETS.items())
    made = profile(synonyms=sets, understand={"mode": "rules"})
    async with Engine.opened(made, plugins=Plugins.load(allow=())) as engine:
        return {text: [(q.text, q.strategy) for q in (await engine.expand(text)).queries] for text in texts}


@pytest.mark.parametrize("of", SETS)
async def test_a_set_for_the_whole_of_a_query_is_asked_first(of: str):
    found = (await expanded(of))[of]
    assert (SETS[of], "synonym") in found[1:3], found


async def test_words_beside_it_stay():
    found = await expanded("large water boiler", "二手车载摄像头", "图书馆占座")
    assert ("large kettle", "synonym") in found["large water boiler"]
    assert any("行车记录仪" in text and "二手" in text for text, _ in found["二手车载摄像头"])
    assert any("座位预约" in text and "图书馆" in text for text, _ in found["图书馆占座"])


async def test_a_set_excuses_no_other_thing():
    found = await expanded("小米手机 车载摄像头", "water bottle")
    assert not any("华为" in text for text, _ in found["小米手机 车载摄像头"])
    assert not any("kettle" in text for text, _ in found["water bottle"])


async def test_a_set_goes_before_everyday_wordings():
    found = (await expanded("water boiler for a toddler"))["water boiler for a toddler"]
    wordings = [text for text, strategy in found if strategy == "synonym"]
    assert wordings[0] == "kettle for a toddler", found
