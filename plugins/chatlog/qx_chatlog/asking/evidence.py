"""What was found for a question so far: messages in their order, what was read of them, and whether anything is new."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from qx.text.tokens import estimate
from qx_chatlog.message import Found, Message


@dataclass(slots=True)
class Evidence:
    """Grows while a question is answered.

    Attributes:
        messages: By id, in the order in which they were found.
        scores: The best score of each.
        tokens: What was read so far.
        counted: Messages that there were at the end of the last round.
        fruitless: Rounds in a row that brought nothing new.
    """

    messages: dict[str, Message] = field(default_factory=lambda: dict[str, Message]())
    scores: dict[str, float] = field(default_factory=lambda: dict[str, float]())
    tokens: int = 0
    counted: int = 0
    fruitless: int = 0

    def add(self, found: Iterable[Found], *, weight: float = 1.0) -> tuple[Message, ...]:
        """Take what was found, and return what of it is new."""
        new: list[Message] = []
        for one in found:
            known = one.message.id in self.messages
            score = one.score * weight  # neighbours have one too: by the words around them
            self.scores[one.message.id] = max(score, self.scores.get(one.message.id, 0.0))
            if not known:
                self.messages[one.message.id] = one.message
                self.tokens += estimate(one.message.content)
                new.append(one.message)
        return tuple(new)

    def ended_round(self, new: int) -> None:
        """Count a round that brought ``new`` messages."""
        self.counted = len(self.messages)
        self.fruitless = 0 if new else self.fruitless + 1

    def best(self, limit: int) -> tuple[Message, ...]:
        """Return the messages that fit best, best first; neighbours last."""
        order = list(self.messages)
        ranked = sorted(order, key=lambda one: (-self.scores[one], order.index(one)))
        return tuple(self.messages[one] for one in ranked[:limit])

    @property
    def sessions(self) -> tuple[str, ...]:
        """The conversations that messages come from."""
        return tuple(dict.fromkeys(message.session for message in self.messages.values()))
