"""What the tools are asked: the fields of their requests, which are flags, JSON and a model's parameters alike."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any, Literal

from pydantic import Field

from qx.model import Model
from qx_chatlog import when
from qx_chatlog.log import Ask, How
from qx_chatlog.store import Filters, Order

SpokenRole = Literal["user", "assistant", "system", "tool"]
MOST = 100
"""Messages that one call returns at most."""


class TimeFields(Model):
    """A stretch of time in the user's own words."""

    when: str = Field(
        default="",
        description="The time in the user's own words, such as 上周三 or 'last Wednesday'; do not work out a date.",
    )
    since: str = Field(default="", description="From the beginning of this on: a date, or words for one.")
    until: str = Field(default="", description="Up to the end of this: a day that is named is included.")


class ScopeFields(TimeFields):
    """Which messages count."""

    session: str = Field(default="", description="The id of one conversation.")
    role: SpokenRole | None = Field(default=None, description="Whose words: the person's, or those of who answers.")
    speaker: str = Field(default="", description="The name of who speaks.")
    type: str = Field(default="", description="The type of the messages, such as text, image or summary.")
    metadata: Mapping[str, Any] = Field(default_factory=dict, description="Values that the metadata must have.")
    participants: tuple[str, ...] = Field(
        default=(), description="In conversations where each of these speaks.", max_length=20
    )
    tag: str = Field(default="", description="Tagged as decision, promise, task, date or correction.")

    def filters(self) -> Filters:
        """Return what messages have to be, but for their time."""
        return Filters(
            sessions=(self.session,) if self.session else (),
            roles=(self.role,) if self.role else (),
            speakers=(self.speaker,) if self.speaker else (),
            types=(self.type,) if self.type else (),
            metadata=self.metadata,
            participants=self.participants,
            tag=self.tag or None,
        )

    def time(self, now: datetime, zone: tzinfo) -> when.When:
        """Return the time that is asked for.

        Raises:
            UsageError: it cannot be read.
        """
        return when.read(self.when, self.since, self.until, now=now, zone=zone)


class SearchFields(ScopeFields):
    """A search."""

    text: str = Field(description="The words to look for; no syntax.", max_length=4000)
    order: Order = Field(
        default="relevance",
        description="relevance; or newest or oldest: of those that fit, by time ('the last time', 'the first time').",
    )
    fuzzy: bool = Field(default=False, description="Also words with a slip, and known synonyms.")
    limit: int = Field(default=10, ge=1, le=MOST, description="Messages at most; their neighbours come on top.")

    def ask(self, how: How, now: datetime, zone: tzinfo, also: tuple[str, ...] = ()) -> Ask:
        """Return the search as the log takes it.

        Raises:
            UsageError: its time cannot be read.
        """
        time = self.time(now, zone)
        newest = time.newest and self.order == "relevance"
        return Ask(
            text=self.text,
            how=how,
            when=time,
            filters=self.filters(),
            limit=self.limit,
            order="newest" if newest else self.order,
            fuzzy=self.fuzzy,
            also=also,
        )


class ToolSearch(SearchFields):
    """A search whose results must fit into a prompt."""

    tokens: int = Field(default=2000, ge=100, le=100_000, description="Tokens of the results; the rest comes as ids.")


class Around(Model):
    """A message, or a time, and what was said around it."""

    message: str = Field(default="", description="The id of the message.")
    time: str = Field(default="", description="Or a time in the user's own words: the message nearest to it.")
    session: str = Field(default="", description="With a time: in this conversation.")
    before: int = Field(default=10, ge=0, le=MOST, description="Messages before it.")
    after: int = Field(default=10, ge=0, le=MOST, description="Messages after it.")
    tokens: int = Field(default=4000, ge=100, le=100_000, description="Tokens of the results; the rest comes as ids.")


class ListSessions(ScopeFields):
    """Conversations."""

    limit: int = Field(default=20, ge=1, le=MOST, description="Conversations at most, the latest first.")
    offset: int = Field(default=0, ge=0, description="Conversations to pass over.")


class ReadSession(Model):
    """One conversation, in its order."""

    session: str = Field(description="The id of the conversation.")
    limit: int = Field(default=50, ge=1, le=MOST, description="Messages at most.")
    offset: int = Field(default=0, ge=0, description="Messages to pass over.")
    tokens: int = Field(default=4000, ge=100, le=100_000, description="Tokens of the results; the rest comes as ids.")
