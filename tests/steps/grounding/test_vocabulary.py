"""What engines hold is asked once, believed for a while, and never worth a search."""

from __future__ import annotations

import asyncio

import pytest

from backends import Knowing
from qx.calls.connection import Connection
from qx.clock import SystemClock
from qx.errors import ProviderError, ProviderTimeout, Unavailable
from qx.filters.fieldmap import StoredField
from qx.settings import BackendBlock
from qx.steps.grounding import Vocabularies
from qx.steps.grounding.vocabulary import KEPT, times
from qx.testing.backend import ScriptedBackend
from qx.vocabulary import Held

pytestmark = pytest.mark.virtual_time
FIELDS = {"brand": StoredField(name="metadata.brand")}


def vocabulary(*backends: ScriptedBackend) -> Vocabularies:
    clock = SystemClock()
    block = BackendBlock(type="scripted")
    return Vocabularies([Connection(b.name, b, block, clock=clock, redact=lambda t: t) for b in backends], clock)


async def test_only_what_is_not_known_yet_is_asked():
    backend = Knowing(name="a", held={"x": 2})
    known = vocabulary(backend)
    assert await known.frequencies(["x", "y", "x"], None) == {"a": {"x": 2, "y": 0}}
    assert await known.frequencies(["y", "z"], None) == {"a": {"y": 0, "z": 0}}
    assert backend.counted == [("x", "y"), ("z",)]
    await asyncio.sleep(KEPT + 1)
    await known.frequencies(["x"], None)
    assert backend.counted[-1] == ("x",)


async def test_several_engines_add_up():
    one, two = Knowing(name="a", held={"x": 2}), Knowing(name="b", held={"x": 3})
    counts = await vocabulary(one, two).frequencies(["x", "y"], None)
    assert (times(counts, "x"), times(counts, "y"), times(counts, "never asked")) == (5, 0, 0)


async def test_values_of_several_engines_are_complete_only_where_all_can_say():
    one = Knowing(name="a", fields=FIELDS, stored={"metadata.brand": ("HP",)})
    two = Knowing(name="b", fields=FIELDS, stored={"metadata.brand": ("Dell", "HP")})
    mute = ScriptedBackend(name="c", fields=FIELDS)
    known = vocabulary(one, two)
    assert known.remembered("brand") is None
    assert await known.values("brand", None) == Held(("HP", "Dell"), complete=True)
    assert known.remembered("brand") == Held(("HP", "Dell"), complete=True)
    assert (await vocabulary(one, mute).values("brand", None)).complete is False
    many = Knowing(name="d", fields=FIELDS, stored={"metadata.brand": [f"b{n}" for n in range(1000)]})
    assert (await vocabulary(many).values("brand", None)).complete is False


async def test_an_engine_that_fails_is_left_alone_for_a_while():
    good, bad = Knowing(name="a", held={"x": 2}), Knowing(name="b", broken=Unavailable("down"))
    known = vocabulary(good, bad)
    assert await known.frequencies(["x"], None) == {"a": {"x": 2}}
    assert await known.frequencies(["x", "z"], None) == {"a": {"x": 2, "z": 0}}
    assert bad.counted == [("x",)]
    alone = vocabulary(bad)
    with pytest.raises(Unavailable, match="down"):
        await alone.frequencies(["x"], None)
    assert not alone.tells("frequencies")
    await asyncio.sleep(KEPT + 1)
    assert alone.tells("frequencies")


async def test_a_slow_engine_and_one_with_a_bug_are_provider_errors():
    with pytest.raises(ProviderTimeout, match="backend a"):
        await vocabulary(Knowing(name="a", slow=5.0)).frequencies(["x"], 0.1)
    with pytest.raises(ProviderError, match="backend a"):
        await vocabulary(Knowing(name="a", broken=KeyError("bug"))).frequencies(["x"], 1.0)


async def test_nobody_is_asked_where_nobody_can_say():
    mute = vocabulary(ScriptedBackend(name="a"))
    assert not mute.tells("frequencies")
    assert await mute.frequencies(["x"], None) == {}
