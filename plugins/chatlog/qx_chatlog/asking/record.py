"""What a question's search did: the searches, for whoever reads the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from qx.model import Model

Stopped = Literal["enough", "rounds", "tokens", "seconds", "nothing new", "not needed", "nothing found"]
"""Why no more was searched."""


class Searched(Model):
    """One search.

    Attributes:
        tool: The tool.
        arguments: What it was asked.
        found: Messages that it found; neighbours are not counted.
        note: What was otherwise than asked, or why it failed.
    """

    tool: str
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    found: int = 0
    note: str = ""

    @model_serializer(mode="wrap")
    def _plain(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data = handler(self)
        return {key: item for key, item in data.items() if key != "note" or item}


def given(**arguments: str) -> dict[str, str]:
    """Return those of ``arguments`` that say something."""
    return {name: said for name, said in arguments.items() if said}
