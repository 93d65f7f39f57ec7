"""What is only wished for is no hard limit."""

import pytest


def hard(found):
    return {c.field for c in found.constraints if c.hard}


def soft(found):
    return {c.field for c in found.constraints if not c.hard and c.op != "prefer"}


@pytest.mark.parametrize(
    ("text", "wished", "limited"),
    [
        ("laptop preferably under 1 kg", {"weight"}, set()),
        ("ideally under $800 laptop", {"price"}, set()),
        ("laptop under $800 if possible", {"price"}, set()),
        ("laptop under $1,200, ideally 16GB RAM", {"memory"}, {"price"}),
        ("red laptop, ideally under 2 kg", {"weight"}, {"colour"}),
        ("if possible, laptop under $800", {"price"}, set()),
        ("preferably not Samsung phone", {"brand"}, set()),
        ("laptop under $800, wireless would be nice", set(), {"price"}),
        ("手机 5000元以下，最好是黑色的", {"colour"}, {"price"}),
        ("最好不超过2公斤的笔记本", {"weight"}, set()),
        ("电池最好5000毫安以上的手机", {"battery_capacity"}, set()),
        ("尽量不超过3000元的手机", {"price"}, set()),
        ("笔记本，2公斤以内的优先", {"weight"}, set()),
        ("笔记本，可以的话16G内存", {"memory"}, set()),
        ("最好的手机5000以下", set(), {"price"}),
        ("最好用的手机，5000元以下", set(), {"price"}),
        ("is it possible to get a laptop under $800", set(), {"price"}),
    ],
)
def test_a_wish_is_no_hard_limit(text, wished, limited, understand):
    found = understand(text)
    assert wished <= soft(found)
    assert not wished & hard(found)
    assert limited <= hard(found)
