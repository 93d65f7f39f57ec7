import pytest

from qx.errors import PluginError
from qx.registry import Entry, Refused, Registry, suggest


def entries(**targets: str) -> dict[str, Entry]:
    return {name: Entry(name=name, target=target, origin="here") for name, target in targets.items()}


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("openia", "openai"),
        ("OPENAI", "openai"),
        ("sqllite", "sqlite"),
        ("expnad", "expand"),
        ("zzz", None),
        ("", None),
    ],
)
def test_did_you_mean(name: str, near: str | None):
    said = suggest(name, ["openai", "sqlite", "expand"])
    assert said == (f"did you mean {near!r}?" if near else None)


def test_an_unknown_name_is_told_with_the_nearest_or_all():
    registry = Registry("caches", entries(memory="json:dumps", sqlite="json:dumps"))
    with pytest.raises(PluginError, match="there is no cache 'memry' \\(did you mean 'memory'\\?\\)"):
        registry.get("memry")
    with pytest.raises(PluginError, match="known: memory, sqlite"):
        registry.check("zzz")
    with pytest.raises(PluginError, match="known: none"):
        Registry("caches", {}).get("x")


def test_a_refused_name_raises_its_cause():
    cause = RuntimeError("boom")
    registry = Registry("caches", {}, refused={"x": Refused(reason="it is broken", cause=cause)})
    with pytest.raises(PluginError, match="it is broken") as caught:
        registry.get("x")
    assert caught.value.__cause__ is cause
    assert registry.is_refused("x")
    assert not registry.is_refused("y")


def test_what_works_goes_before_a_guess():
    registry = Registry("caches", entries(x="json:dumps"), refused={"x": Refused(reason="another hook raises")})
    assert registry.get("x").__name__ == "dumps"
    assert not registry.is_refused("x")


def test_nested_attributes_and_origin():
    registry = Registry("caches", entries(x="json:JSONEncoder.encode"))
    assert registry.get("x").__name__ == "encode"
    assert registry.origin("x") == "here"
    assert registry.names() == ("x",)
    assert "x" in registry
