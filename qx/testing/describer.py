"""A describer without a model: what it says follows from the bytes."""

from __future__ import annotations

import hashlib

from pydantic import Field

from qx.describer import DescribeRequest, Description
from qx.errors import BadResponse
from qx.hookspecs import Services
from qx.model import Model
from qx.types import Usage


class Settings(Model):
    """The keys of ``type: fake`` where a plugin describes pictures and recordings."""

    prefix: str = Field(default="")
    """Stands before each description."""


class FakeDescriber:
    """Implements ``Describer``; the same bytes are described alike, an empty file is refused.

    Args:
        prefix: Stands before each description.

    Attributes:
        requests: What was asked.
        closed: Whether it is closed.
    """

    Settings = Settings

    def __init__(self, prefix: str = "") -> None:
        self.requests: list[DescribeRequest] = []
        self.closed = False
        self._prefix = prefix

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> FakeDescriber:
        return cls(settings.prefix)

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(("image", "audio"))

    async def describe(self, request: DescribeRequest, /) -> Description:
        self.requests.append(request)
        if not request.content:
            raise BadResponse("the file is empty")
        digest = hashlib.sha256(request.content).hexdigest()[:6]
        said = f"图 {digest}" if request.language == "zh" else f"{request.kind} {digest}"
        return Description(text=f"{self._prefix}{said}", usage=Usage(calls=1))

    async def aclose(self) -> None:
        self.closed = True
