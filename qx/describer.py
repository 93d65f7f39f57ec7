"""The contract of a describer: what a picture shows, or what is said in a recording, as text.

What it writes is derived: whoever keeps it marks it as such, since nobody said it.
"""

from __future__ import annotations

from typing import Literal, Protocol, runtime_checkable

from qx.serial import value
from qx.types import Usage


@value
class DescribeRequest:
    """One picture or recording.

    Attributes:
        kind: What it is.
        content: Its bytes.
        name: Its file's name, which says the format by its ending.
        language: The language of the description or, for a recording, the one that is probably spoken; None: unknown.
        timeout: Seconds.
    """

    kind: Literal["image", "audio", "video"]
    content: bytes
    name: str = ""
    language: str | None = None
    timeout: float = 60.0


@value
class Description:
    """``text`` is a caption or a transcript; empty: there is nothing to say of it."""

    text: str
    usage: Usage


@runtime_checkable
class Describer(Protocol):
    """Registered through ``qx_describers``; made by its class's ``create(settings, services)``.

    Attributes:
        kinds: What it can describe.
    """

    @property
    def kinds(self) -> frozenset[str]: ...

    async def describe(self, request: DescribeRequest, /) -> Description:
        """Describe it.

        Raises:
            ProviderError: one of its kinds (``qx.errors``), never a vendor's exception.
        """
        ...

    async def aclose(self) -> None: ...
