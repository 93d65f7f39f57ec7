"""Spam: precision and recall on a labelled set, each detector's reason, and what is not spam because it was asked for."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from rankings import FakeContext, consistent, hit, keys, listed, made

from qx.builtin.processors.spam import ALL, Spam
from qx.types import Hit

SET = Path(__file__).parents[2] / "data" / "spam.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]


def labelled() -> list[Hit]:
    return [hit(r["id"], title=r["title"], text=r["text"], url=r["url"], metadata=r["metadata"]) for r in ROWS]


async def test_the_labelled_set(services: Any, capsys: pytest.CaptureFixture[str]):
    done = await (await made(Spam, services)).process_hits(listed(*labelled()), FakeContext())
    reasons = dict(done.dropped)
    counts = {language: Counter[str]() for language in ("en", "zh")}
    for row in ROWS:
        spam, said = row["label"] != "ok", row["id"] in reasons
        counts[row["language"]][f"{'spam' if spam else 'ok'}, {'dropped' if said else 'kept'}"] += 1
    with capsys.disabled():
        for language, found in counts.items():
            right = found["spam, dropped"]
            precision = right / max(1, right + found["ok, dropped"])
            recall = right / max(1, right + found["spam, kept"])
            print(f"\nspam, {language}: precision {precision:.2f}, recall {recall:.2f} {dict(found)}", end="")
            assert precision >= 0.95
            assert recall >= 0.85
    assert len(ROWS) == 100


async def test_each_reason_names_the_detector(services: Any):
    done = await (await made(Spam, services)).process_hits(listed(*labelled()), FakeContext())
    labels = {row["id"]: row["label"] for row in ROWS}
    right = [reason.startswith(f"spam, {labels[key]}: ") for key, reason in done.dropped]
    assert sum(right) / len(right) >= 0.95
    assert {reason.split(":")[0].removeprefix("spam, ") for _, reason in done.dropped} == set(ALL)


# Not used while the detectors were written.
SPAM = [
    hit("ad", title="Sponsored · Cloud storage", text="Store everything."),
    hit("ad-zh", title="推广:少儿编程", text="免费试听。"),
    hit("aff", title="Camera", text="A camera.", url="https://www.awin1.com/cread.php?awinmid=1"),
    hit("sell", title="Cheap essays", text="Order now! Lowest price, satisfaction guaranteed, 24/7 support."),
    hit("sell-zh", title="减肥产品", text="厂家直销,限时优惠,买一送一,立即咨询!"),
    hit("stuffed", title="cheap flights", text="cheap flights " * 12),
    hit("gone", title="404", text=""),
    hit("gone-zh", title="出错了", text="该文章已被删除"),
    hit("wall", title="Just a moment...", text=""),
    hit("wall-zh", title="人机验证", text="请完成安全验证"),
]
FINE = [
    hit("1", title="How to get a refund", text="Click here to open the form. Refunds take five days."),
    hit("2", title="Free shipping policy", text="Free shipping on all orders over 50 EUR; limited to Europe."),
    hit("3", title="The story of the 404 error", text="It is said that room 404 at CERN never existed." * 8),
    hit("4", title="ADHD: symptoms in adults", text="Adults with ADHD may be restless."),
    hit("5", title="Advertisement in the 19th century", text="Newspapers lived from advertisements."),
    hit("6", title="广告法全文", text="第一条 为了规范广告活动,保护消费者的合法权益,制定本法。"),
    hit("7", title="微信怎么加好友", text="打开微信,点击右上角的加号,选择添加朋友。"),
    hit("8", title="发票丢了怎么办", text="联系销售方,凭记账联复印件入账。"),
    hit("9", title="USB hub", text="4 ports USB 3.0, USB-C, with power supply, black, for USB devices."),
    hit("10", title="Removed", text="The item was removed from the list in place; pop returns it."),
]


@pytest.mark.parametrize("one", SPAM, ids=lambda h: h.id)
async def test_spam_is_dropped(services: Any, one: Hit):
    done = await (await made(Spam, services)).process_hits(listed(one, FINE[0]), FakeContext())
    assert keys(done) == "1"


@pytest.mark.parametrize("one", FINE, ids=lambda h: h.id)
async def test_what_only_looks_like_it_stays(services: Any, one: Hit):
    given = listed(one)
    assert await (await made(Spam, services)).process_hits(given, FakeContext()) is given


async def test_what_was_asked_for_is_no_spam(services: Any):
    asked = hit("a", title="Coupons", text="Promo code of today: lowest price, free shipping, 50% off.")
    spam = await made(Spam, services)
    assert keys(await spam.process_hits(listed(asked), FakeContext("gift"))) == ""
    assert keys(await spam.process_hits(listed(asked), FakeContext("promo code free shipping 50% off"))) == "a"


async def test_one_text_on_many_hosts_keeps_the_first(services: Any):
    text = "冬天到了,很多人都在问喝什么汤最养人。小编今天就为大家整理了几款家常养生汤,做法简单,营养丰富。"
    hits = [hit(str(i), text=text, url=f"https://h{i}.example/") for i in range(4)]
    done = await (await made(Spam, services)).process_hits(listed(*hits), FakeContext())
    assert keys(done) == "0"
    assert "4 hosts" in done.dropped[0][1]
    two = listed(*hits[:2])
    assert await (await made(Spam, services)).process_hits(two, FakeContext()) is two


async def test_mostly_spam_is_an_outcome(services: Any):
    spam = await made(Spam, services)
    done = await spam.process_hits(listed(*SPAM[:4], *FINE[:3]), FakeContext())
    assert (done.outcome, keys(done)) == ("spam", "1 2 3")
    assert done.notes == ("4 of 7 hits were spam",)
    assert consistent(done, FINE)
    assert (await spam.process_hits(listed(*SPAM[:3], *FINE[:4]), FakeContext())).outcome == "ok"
    assert (await spam.process_hits(listed(SPAM[0]), FakeContext())).outcome == "ok"  # one hit is no pattern


async def test_settings(services: Any):
    own = hit("own", title="x", text="y", url="https://m.scraper.example/1")
    assert (
        keys(await (await made(Spam, services, domains=["Scraper.example"])).process_hits(listed(own), FakeContext()))
        == ""
    )
    only = await made(Spam, services, detectors=["challenge"])
    assert keys(await only.process_hits(listed(*SPAM), FakeContext())) == " ".join(h.id for h in SPAM[:-2])
    with pytest.raises(ValueError, match="extra"):
        Spam.Settings.model_validate({"lists": []})


@pytest.mark.parametrize("text", ["", "\ud800", "<" * 5000, "ad " * 2000, "加" * 3000, "|" * 100])
async def test_any_text(services: Any, text: str):
    odd = hit("a", title=text, text=text, url=text, metadata={"ad": [text], "type": {}})
    ranking = listed(odd, odd)
    done = await (await made(Spam, services)).process_hits(ranking, FakeContext(text))
    assert {*done.keys, *(key for key, _ in done.dropped)} == set(ranking.keys)  # kept, or dropped with a reason
    assert all(reason for _, reason in done.dropped)
