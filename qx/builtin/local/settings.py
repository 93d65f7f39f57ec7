"""What a profile may say of a backend of ``type: local``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from qx.backend import BackendSettings
from qx.durations import Duration

Stemmer = Literal[
    "arabic", "danish", "dutch", "english", "finnish", "french", "german", "greek", "hungarian", "italian",
    "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "tamil", "turkish",
]  # fmt: skip


class LocalSettings(BackendSettings):
    """The settings of ``type: local``.

    Stored names are ``id``, ``title``, ``text``, ``url`` and ``metadata.KEY`` (or just ``KEY``).  ``title`` and ``text``
    are searched, and every field of ``type: text``.

    Attributes:
        path: The folder, relative to the profile's; without it, one in the tenant's data folder.
        stemmer: The language whose endings do not count; null: none.  Chinese, Japanese, Korean and Thai need none.
        lexicon: Words that the Chinese segmenter keeps whole.
        near_words: Whether what Taiwan and the mainland call by different names is found by either.
        wait: How long to wait for another process that writes.
    """

    path: Path | None = None
    stemmer: Stemmer | None = "english"
    lexicon: tuple[str, ...] = ()
    near_words: bool = True
    wait: Duration = Field(default=10.0)


__all__ = ["LocalSettings", "Stemmer"]
