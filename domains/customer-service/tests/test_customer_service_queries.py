"""From everyday speech to the titles that a knowledge base uses; numbers stay, and are hidden where the profile asks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

import pytest

import qx.testing.plugin
from qx import Engine, Expansion, Profile
from qx.llm import CompletionRequest
from qx.plugins import Plugins
from qx.testing import ScriptedLLM

TITLES = [
    ("我付不了款", ("支付失败", "订单无法支付", "付款页面报错")),
    ("退款都一个礼拜了还没到账", ("退款进度", "未到账")),
    ("包裹在中转站不动了", ("物流停滞",)),
    ("app 一打开就闪退", ("应用崩溃",)),
    ("多扣了我的钱", ("重复扣费",)),
    ("登不上去", ("登录失败",)),
    ("下错单了", ("取消订单",)),
    ("帮我找个真人", ("人工客服",)),
    ("i can't pay", ("payment failed", "payment declined")),
    ("give me my money back", ("refund",)),
    ("my parcel never arrived", ("not received", "lost")),
    ("the app keeps crashing", ("app crash",)),
    ("i was charged twice", ("duplicate charge",)),
    ("i forgot my password", ("reset password",)),
    ("stop my membership", ("cancel membership",)),
    ("let me talk to a real person", ("live agent", "contact customer service")),
]
KEPT = [
    ("订单号 20261103884512 什么时候发货", "20261103884512"),
    ("工单 TK-20931 一直没人处理", "TK-20931"),
    ("登录一直提示 E1042", "E1042"),
    ("app 升级到 8.3.1 以后闪退", "8.3.1"),
    ("order #4417-882931 hasn't shipped yet", "4417-882931"),
    ("ticket 558213 was closed but it still fails", "558213"),
    ("checkout shows error code PAY-4031", "PAY-4031"),
    ("it logs me out since version 5.12.0", "5.12.0"),
]


@pytest.fixture(scope="module")
def expand(expanded: Callable[[Iterable[str]], dict[str, Expansion]]) -> Callable[[str], Expansion]:
    return expanded([text for text, _ in (*TITLES, *KEPT)]).__getitem__


def said(expansion: Expansion) -> list[str]:
    return [query.text for query in expansion.queries[1:]]


@pytest.mark.parametrize(("text", "titles"), TITLES)
def test_everyday_speech_becomes_titles(expand: Callable[[str], Expansion], text: str, titles: tuple[str, ...]):
    found = said(expand(text))
    assert all(any(title in one for one in found) for title in titles), found


@pytest.mark.parametrize(("text", "number"), KEPT)
def test_a_number_stands_in_every_query(expand: Callable[[str], Expansion], text: str, number: str):
    found = said(expand(text))
    assert len(found) >= 3
    assert all(number in one for one in found), found


ANSWER = {
    "intent": ["delivery"],
    "entities": [{"text": "<ORDER_NUMBER_1>", "type": "order-number"}],
    "constraints": [],
    "implicit_needs": ["物流查询"],
    "sentiment": {"label": "angry", "intensity": 0.9},
    "stance": "critical",
    "keywords": ["发货"],
    "negations": [],
    "senses": [],
    "kind": "simple",
    "standalone": None,
}
QUERIES = {"queries": [{"text": "订单号 <ORDER_NUMBER_1> 发货时间", "strategy": "synonym", "why": "x"}]}


def _model(request: CompletionRequest) -> str:
    properties = (request.schema or {}).get("properties", {})
    return json.dumps(ANSWER if "intent" in properties else QUERIES, ensure_ascii=False)  # type: ignore[operator]


@pytest.mark.parametrize("mask", [True, False])
async def test_numbers_are_hidden_from_a_model_where_the_profile_asks(packed: Callable[..., Profile], mask: bool):
    llm = ScriptedLLM(_model)
    llm.named(f"desk-{mask}")
    block = {"provider": "scripted", "model": "m", "options": {"instance": f"desk-{mask}"}, "mask": mask}
    profile = packed(llm=block, understand={"mode": "llm"})
    plugins = Plugins.load(allow=(), modules=[qx.testing.plugin])
    async with Engine.opened(profile, plugins=plugins) as engine:
        found = await engine.expand("订单号 20261103884512 什么时候发货")
    sent = " ".join(m.content for r in llm.requests for m in r.messages if m.role != "system")
    assert ("20261103884512" in sent) is not mask
    if mask:
        assert "<ORDER_NUMBER_1>" in sent
        assert any("订单号 20261103884512 发货时间" in one for one in said(found))
        assert "20261103884512" in {e.text for e in found.understanding.entities}
    # the model's reading of the mood decides, not that of the rules
    assert found.understanding.sentiment.label == "angry"
    assert found.understanding.signals["priority"] == "high"
    assert found.understanding.signals["tone"] == "angry"
