"""The rules over the general pack, built once for all tests."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import qx.builtin
from qx.domain import DomainPack, Knowledge, merge
from qx.packs import load_pack
from qx.rules.understand import RuleUnderstanding
from qx.types import Query, Turn, Understanding

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 6, 15, 10, 0, tzinfo=ZONE)


@pytest.fixture(scope="session")
def general() -> DomainPack:
    return load_pack(Path(qx.builtin.__file__).parent / "general" / "pack.yaml")


@pytest.fixture(scope="session")
def knowledge(general: DomainPack) -> Knowledge:
    return merge([general])


@pytest.fixture(scope="session")
def rules(knowledge: Knowledge) -> RuleUnderstanding:
    return RuleUnderstanding(knowledge)


@pytest.fixture(scope="session")
def understand(rules: RuleUnderstanding):
    def call(text: str, *history: str, language: str | None = None) -> Understanding:
        """``history`` alternates between user and assistant, the user first."""
        turns = tuple(Turn(role=("user", "assistant")[n % 2], content=c) for n, c in enumerate(history))
        return rules.understand(Query(text=text, history=turns, language=language), now=NOW, zone=ZONE)

    return call
