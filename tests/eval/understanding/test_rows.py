from pathlib import Path

import pytest

from qx.errors import DatasetError
from qx.eval.understanding.rows import read_rows


def written(folder: Path, *lines: str) -> Path:
    path = folder / "set.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_only_the_text_is_needed_and_absent_is_not_empty(tmp_path: Path):
    path = written(tmp_path, '{"text": "泰山多高"}', "", '{"text": "a", "entities": [], "stance": null}')
    first, second = read_rows(path)
    assert (first.line, second.line) == (1, 3)
    assert first.wanted.entities is None
    assert second.wanted.entities == ()
    assert second.wanted.stance is None


def test_a_constraint_may_have_a_list_as_its_value(tmp_path: Path):
    row = '{"text": "x", "constraints": [{"field": "brand", "op": "in", "value": ["Sony", "Bose"]}]}'
    (found,) = read_rows(written(tmp_path, row))
    assert found.wanted.constraints is not None
    assert found.wanted.constraints[0].value == ("Sony", "Bose")


def test_every_wrong_row_is_told_with_its_line_and_reason(tmp_path: Path):
    path = written(
        tmp_path,
        '{"text": "fine"}',
        '{"text": "x", "intent": ["how-to"]}',
        '{"text": "   "}',
        '{"text": "x", "sentiment": "furious"}',
        '{"text": "x", "constraints": [{"field": "price", "op": "under", "value": 5}]}',
        '{"intents": []}',
        '{"text": "x", "now": "2026-11-29T14:30:00"}',
    )
    with pytest.raises(DatasetError) as error:
        read_rows(path)
    said = str(error.value)
    assert error.value.line == 2
    assert "did you mean 'intents'?" in said
    for line in (3, 4, 5, 6, 7):
        assert f"set.jsonl:{line}: " in said
    assert "urgent" in said  # what may stand there
    assert "no time zone" in said


@pytest.mark.parametrize(("line", "reason"), [("{", "not JSON"), ("[1]", "not an object"), ("", "no rows")])
def test_what_is_no_set_is_refused(tmp_path: Path, line: str, reason: str):
    with pytest.raises(DatasetError, match=reason):
        read_rows(written(tmp_path, line))


def test_a_missing_file_is_an_error_with_its_name(tmp_path: Path):
    with pytest.raises(DatasetError, match="nowhere"):
        read_rows(tmp_path / "nowhere.jsonl")
