"""The settings of the loop: the keys of the section ``answer:`` beside the judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, model_validator

from qx.durations import Wait
from qx.model import Model
from qx.settings import Named


class BudgetSettings(Model):
    """The block ``budget:``: what one answer may spend."""

    rounds: int = Field(default=3, ge=1, le=20)
    """Rounds of searching and reading."""
    searches: int = Field(default=10, ge=1, le=200)
    """Searches; each is one query with what the core makes of it."""
    tokens: int = Field(default=50_000, ge=500)
    """Tokens of the model, in and out."""
    seconds: Wait = 30.0
    """Seconds from the question to the answer."""
    calls: int | None = Field(default=None, ge=1)
    """Calls of the model; null: no limit."""
    cost: float | None = Field(default=None, gt=0)
    """Money, in the currency of `llm.prices`; null: no limit."""
    reserve_seconds: Wait = 10.0
    """Seconds that are kept for writing, a third of all at most; a quarter of a second without a model."""
    reserve_tokens: int = Field(default=12_000, ge=0)
    """Tokens that are kept for writing, a third of all at most."""


def _lexical() -> Named:
    return Named.model_validate({"type": "rerank", "by": "lexical"})


def _spam() -> Named:
    return Named.model_validate({"type": "spam"})


class ReadSettings(Model):
    """The block ``read:``: how much is read, and of what."""

    pool: int = Field(default=50, ge=5, le=100)
    """Hits of a search that are put in order before anything is read."""
    pages: int = Field(default=8, ge=1, le=50)
    """Hits of a round that are read."""
    other_words: bool = True
    """Whether one's own engines are asked a question in other words, too (hens for chickens): one more search each time."""
    fetch: Literal["auto", "always", "never"] = "auto"
    """Whether the page of a hit is fetched: `auto` where the hit comes from an engine of the web, or has no text."""
    page_seconds: Wait = 8.0
    """Seconds for one page."""
    page_bytes: int = Field(default=2_000_000, ge=1000)
    """Bytes of one page, decompressed."""
    window: int = Field(default=8_000, ge=200)
    """Tokens of passages that a writer is shown; less where the model's own window is smaller."""
    passage: int = Field(default=900, ge=100, le=20_000)
    """Characters of a passage; it ends where a sentence does."""
    overlap: int | None = Field(default=None, ge=0)
    """Characters that two passages beside each other share, less than `passage`; null: a tenth."""
    select: Literal["extractive", "model"] = "extractive"
    """Who chooses the passages: their words, or a model that is asked of each whether it speaks of the question."""
    sentences: int = Field(default=5, ge=1, le=20)
    """Sentences of an answer without a model."""
    rerank: Named = Field(default_factory=_lexical)
    """The processor that puts hits in order before they are read: `{type: rerank, by: cross-encoder, path: …}`."""
    clean: Named = Field(default_factory=_spam)
    """The processor that drops what is no text to read: `{type: spam, domains: […]}`."""

    @model_validator(mode="after")
    def _sharing(self) -> ReadSettings:
        if self.overlap is not None and self.overlap >= self.passage:
            raise ValueError(f"`overlap` ({self.overlap}) must be less than `passage` ({self.passage})")
        return self


class LoopSettings(Model):
    """What the section has beside ``judge:``."""

    budget: BudgetSettings = Field(default_factory=BudgetSettings)
    """What one answer may spend; `--budget` says otherwise for one question."""
    read: ReadSettings = Field(default_factory=ReadSettings)
    """How much is read, and of what."""
    write: Literal["auto", "model", "extractive"] = "auto"
    """`model` needs a model; `extractive` quotes the best passages; `auto`: the model where the profile has one."""
    steps: Mapping[str, str] = Field(default_factory=dict[str, str])
    """Steps of an installed package in place of the own ones: `{select: NAME}`."""
