import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx import yaml
from qx.errors import PackError, ProfileError


@pytest.mark.parametrize(
    "written",
    ["no", "yes", "on", "~", "22:30", "0777", "0x1F", "1_000", ".5", "+1", "2024-05-01", "True", "NULL", "1.", "-"],
)
def test_what_json_calls_no_value_is_text(written: str):
    if written == "-":
        assert yaml.parse("a: '-'").data == {"a": "-"}
    else:
        assert yaml.parse(f"a: {written}").data == {"a": written}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("", None),
        ("0", 0),
        ("-12", -12),
        ("1.5", 1.5),
        ("2e3", 2000.0),
    ],
)
def test_json_scalars(written: str, read: object):
    found = yaml.parse(f"a: {written}").data["a"]
    assert found == read
    assert type(found) is type(read)


def test_quoted_scalars_and_blocks_are_text():
    assert yaml.parse("a: 'true'\nb: \"1\"\nc: |\n  1\nd: ''").data == {"a": "true", "b": "1", "c": "1\n", "d": ""}


def test_keys_are_text_as_written():
    assert yaml.parse("no: 1\n1: 2\ntrue: 3\n语言: 4").data == {"no": 1, "1": 2, "true": 3, "语言": 4}


def test_an_empty_text_is_nothing():
    assert yaml.parse("").data is None
    assert yaml.parse("# only a comment\n").data is None


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("a: &x 1", 1, 4, "anchors"),
        ("b: 1\na: *x", 2, 4, "aliases"),
        ("*x : 1", 1, 1, "aliases"),
        ("a: !!str 1", 1, 4, "tags"),
        ("a: !python/object/apply:os.system [ls]", 1, 4, "tags"),
        ("!t a: 1", 1, 1, "tags"),
        ("a: 1\nb: 2\na: 3", 3, 1, "stands twice"),
        ("a:\n  b: {c: 1, c: 2}", 2, 13, "stands twice"),
        ("a: 1\n---\nb: 2", 2, 1, "second document"),
        ("? [a]\n: 1", 1, 3, "key"),
        (": 1", None, None, ""),
        ("a: [1, 2", 2, 1, "not valid YAML"),
        ("\ta: 1", 1, 1, "not valid YAML"),
        ("a: b: c", 1, 5, "not valid YAML"),
        ("a: 1\nb: x\x00y", 2, 5, "not allowed"),
        ("a: \ud800", 1, 4, "Unicode"),
        ("a: 1e999", 1, 4, "out of range"),
        ("a: " + "9" * 5000, 1, 4, "too long"),
    ],
)
def test_everything_else_is_refused_where_it_stands(text: str, line: int | None, column: int | None, says: str):
    with pytest.raises(ProfileError) as caught:
        yaml.parse(text, file="p.yaml")
    assert says in str(caught.value)
    if line is not None:
        assert (caught.value.file, caught.value.line, caught.value.column) == ("p.yaml", line, column)
        assert str(caught.value).startswith(f"p.yaml:{line}:{column}: ")


def test_a_bomb_of_aliases_is_refused_at_its_first_anchor():
    bomb = "a: &a [x, x]\n" + "\n".join(f"{c}: &{c} [*{p}, *{p}]" for p, c in zip("abcdefgh", "bcdefghi", strict=True))
    with pytest.raises(ProfileError, match="anchors"):
        yaml.parse(bomb)


def test_depth_is_limited():
    assert yaml.parse("[" * 32 + "]" * 32).data is not None
    with pytest.raises(ProfileError, match="32 deep"):
        yaml.parse("[" * 33 + "]" * 33)
    with pytest.raises(ProfileError):
        yaml.parse("[" * 100_000)


def test_size_is_limited_in_bytes(tmp_path: Path):
    path = tmp_path / "p.yaml"
    path.write_text("a: " + "词" * 30, encoding="utf-8")
    assert yaml.load(path, limit=93).data == {"a": "词" * 30}
    for read in (lambda: yaml.load(path, limit=92), lambda: yaml.parse(path.read_text("utf-8"), limit=92)):
        with pytest.raises(ProfileError, match="92 bytes"):
            read()


def test_files_that_cannot_be_read(tmp_path: Path):
    with pytest.raises(PackError, match="no such file"):
        yaml.load(tmp_path / "none.yaml", error=PackError)
    with pytest.raises(ProfileError, match="cannot be read"):
        yaml.load(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"a: 1\nb: caf\xe9\n")
    with pytest.raises(ProfileError, match="UTF-8") as caught:
        yaml.load(tmp_path / "latin.yaml")
    assert caught.value.line == 2


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path):
    (tmp_path / "p.yaml").write_bytes(b"\xef\xbb\xbfa: 1\n")
    assert yaml.load(tmp_path / "p.yaml").data == {"a": 1}


def test_every_key_and_item_has_its_place():
    document = yaml.parse("expand:\n  limit: many\n  processors:\n    - fit\n    - {type: x}\n中: 1\n", file="p.yaml")

    def at(*loc: str | int) -> tuple[int | None, int | None]:
        place = document.place(loc)
        return place.line, place.column

    assert at("expand", "limit") == (2, 3)
    assert at("expand", "processors", 1) == (5, 7)
    assert at("expand", "processors", 1, "type") == (5, 8)
    assert at("中") == (6, 1)
    assert at() == (1, 1)


def test_what_is_missing_has_the_place_around_it():
    document = yaml.parse("a:\n  b: {c: 1}\n")
    assert document.place(("a", "b", "nope")).line == 2
    assert document.place(("a", "Union member", "b", "c")).column == 7
    assert str(document.problem("wrong", ("a", "b"), hint="do it")) == "<text>:2:3: wrong (do it)"


_plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc 词:#{}'\"", min_size=1), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(_plain)
def test_json_is_read_as_json(data: object):
    written = json.dumps(data, ensure_ascii=True)
    assert yaml.parse(written).data == data


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60) | st.text("[]{}:-,\n \"'&*!?|>#%@`ab1", max_size=40))
def test_any_text_is_read_or_refused_with_its_line(text: str):
    refused: ProfileError | None = None
    try:
        yaml.parse(text)
    except ProfileError as error:
        refused = error
    assert refused is None or refused.line is not None
