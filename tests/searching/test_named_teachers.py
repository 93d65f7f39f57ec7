"""Who teaches is named as who writes is: "taught by", "not taught by", 老师的课, 教的."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from engines import PLUGINS
from qx import Engine, Profile
from qx.backend import Document, SupportsIndexing

LEVELS = {"swim": "beginner", "dive": "advanced", "float": "beginner", "蛙泳": "beginner", "自由泳": "advanced"}
COURSES = {
    "swim": ("Swimming lessons", "For children.", "Greta Holm", "2027-01-10"),
    "dive": ("Diving course", "From the board.", "Omar Haddad", "2027-03-02"),
    "float": ("Lessons for people afraid of water", "Slowly.", "Omar Haddad", "2027-04-11"),
    "蛙泳": ("蛙泳课", "零基础。", "方雨桐", "2027-01-20"),
    "自由泳": ("自由泳课", "提高班。", "钱海", "2027-05-06"),
}
CASES = (
    ("lessons by Omar Haddad", {"dive", "float"}),
    ("lessons taught by Omar Haddad", {"dive", "float"}),
    ("courses led by Greta Holm", {"swim"}),
    ("lessons not taught by Omar Haddad", set(COURSES) - {"dive", "float"}),
    ("courses not led by Greta Holm", set(COURSES) - {"swim"}),
    ("方雨桐老师的课", {"蛙泳"}),
    ("钱海教的课程", {"自由泳"}),
    ("钱海老师教的", {"自由泳"}),
    ("courses not for beginners", {"dive", "自由泳"}),
    ("courses starting after 1 March 2027", {"dive", "float", "自由泳"}),
    ("courses that start before 15 January 2027", {"swim"}),
    ("2027年3月之前开课的课程", {"swim", "蛙泳"}),
)


@pytest.fixture
async def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Engine]:
    monkeypatch.chdir(tmp_path)
    fields = {
        "title": "title^2",
        "text": "text",
        "teacher": {"name": "metadata.teacher", "type": "keyword"},
        "level": {"name": "metadata.level", "type": "keyword"},
        "starts": {"name": "metadata.starts", "type": "date"},
    }
    block = {"type": "local", "path": str(tmp_path / "index"), "fields": fields}
    search = {"backends": {"courses": block}, "rerank": "never"}
    profile = Profile.model_validate({"tenant": "pool", "understand": {"mode": "rules"}, "search": search})
    async with Engine.opened(profile, plugins=PLUGINS) as engine:
        writable = engine.backend()
        assert isinstance(writable, SupportsIndexing)
        await writable.prepare(fingerprint=None, dimensions=0)
        await writable.upsert(
            [
                Document(
                    id=name,
                    title=title,
                    text=text,
                    metadata={"teacher": teacher, "starts": starts, "level": LEVELS[name]},
                )
                for name, (title, text, teacher, starts) in COURSES.items()
            ]
        )
        yield engine


async def test_a_teacher_is_named_as_a_writer_is(pool: Engine):
    wrong: dict[str, set[str]] = {}
    for text, wanted in CASES:
        found = {hit.id for hit in (await pool.search(text, limit=20)).hits}
        if found != wanted:
            wrong[text] = found
    assert wrong == {}
