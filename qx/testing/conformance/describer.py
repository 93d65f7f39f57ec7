# ruff: noqa: S101 - tests, though they lie in the package
"""The contract of a describer of pictures and recordings, as tests."""

from __future__ import annotations

import asyncio
import base64
import mimetypes
import struct
from collections.abc import Mapping
from contextlib import suppress

import pytest

from qx.describer import Describer, DescribeRequest, Description
from qx.errors import ProviderError
from qx.serial import EMPTY
from qx.testing.conformance.processor import check_factory
from qx.types import Usage

KINDS = ("image", "audio", "video")
_PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
"""A PNG of one pixel."""
_SILENCE = bytes(3200)
_RECORDING = (
    struct.pack("<4sI8sIHHIIHH4sI", b"RIFF", 36 + len(_SILENCE), b"WAVEfmt ", 16, 1, 1, 16000, 32000, 2, 16, b"data", len(_SILENCE))
    + _SILENCE
)  # fmt: skip
"""A tenth of a second of silence, as WAV."""
_FILES: Mapping[str, bytes] = {"dot.png": _PICTURE, "silence.wav": _RECORDING}


class DescriberConformance:
    """Subclass it, and override the fixture ``describer``.  Needs ``asyncio_mode = "auto"``.

    Attributes:
        samples: Files besides a picture and a recording that are brought along: name (`talk.mp4`) -> bytes.
    """

    samples: Mapping[str, bytes] = EMPTY

    @pytest.fixture
    def describer(self) -> Describer:
        raise NotImplementedError("override the fixture `describer`")

    def requests(self, describer: Describer) -> list[DescribeRequest]:
        """Return the samples that it can describe, in both languages."""
        return [
            DescribeRequest(kind=kind, content=content, name=name, language=language)  # type: ignore[arg-type]
            for name, content in {**_FILES, **self.samples}.items()
            if (kind := (mimetypes.guess_type(name)[0] or "").partition("/")[0]) in describer.kinds
            for language in ("en", "zh", None)
        ]

    def test_it_has_the_shape_of_the_contract(self, describer: Describer) -> None:
        assert isinstance(describer, Describer)
        assert isinstance(describer.kinds, frozenset)
        assert describer.kinds
        assert describer.kinds <= {*KINDS}, f"kinds are {', '.join(KINDS)}"
        check_factory(type(describer))

    async def test_it_says_what_there_is_and_what_it_cost(self, describer: Describer) -> None:
        requests = self.requests(describer)
        if not requests:
            pytest.skip(f"no attribute `samples` with a file of {', '.join(sorted(describer.kinds))}")
        for request in requests:
            made = await describer.describe(request)
            assert isinstance(made, Description)
            assert isinstance(made.text, str)
            assert isinstance(made.usage, Usage)

    async def test_what_is_broken_is_an_error_of_qx_or_described(self, describer: Describer) -> None:
        for kind in describer.kinds:
            for content in (b"", b"\x00no file at all\xff" * 40):
                broken = DescribeRequest(kind=kind, content=content, name="broken.bin", timeout=5.0)  # type: ignore[arg-type]
                with suppress(ProviderError):  # a vendor's exception would be nobody's to handle
                    assert isinstance(await describer.describe(broken), Description)

    async def test_many_at_once_are_not_mixed_up(self, describer: Describer) -> None:
        requests = self.requests(describer)
        alone = [(await describer.describe(request)).text for request in requests]
        together = await asyncio.gather(*(describer.describe(request) for request in requests))
        assert [made.text for made in together] == alone

    async def test_closing_twice_is_harmless(self, describer: Describer) -> None:
        await describer.aclose()
        await describer.aclose()
