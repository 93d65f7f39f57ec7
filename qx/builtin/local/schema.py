"""How documents lie in tantivy: analysed text, exact metadata tokens, and columns of numbers and moments.

The schema of a tantivy index never changes, metadata does: so there is a fixed number of nameless columns, and the
first paths that hold numbers or moments get one each (``Columns``).  Paths that got none are compared on the stored
documents instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Literal

from qx.serial import value

Kind = Literal["n", "d"]
NUMBERS, MOMENTS = 64, 16
EXACT = "exact"
WORDS = "words"
"""The names of the two analyzers."""
VALUES = "values"
"""The column of the words of keyword fields."""
UNSEARCHED = (
    "is of type text, but the index was made without it and does not look there: index again into an empty folder"
)


@cache
def tantivy() -> Any:
    """Return the library, imported at first use."""
    return import_module("tantivy")


def text_column(path: str, texts: Sequence[str]) -> str:
    """Return the column of a searched text field."""
    return f"t{texts.index(path)}"


@value
class Columns:
    """Which column holds the numbers (``n``) or moments (``d``) of a path; a column is never given to another path."""

    numbers: Mapping[str, int]
    moments: Mapping[str, int]

    def name(self, path: str, kind: Kind) -> str | None:
        """Return the column's name; None where the path has none."""
        at = (self.numbers if kind == "n" else self.moments).get(path)
        return None if at is None else f"{kind}{at}"

    def with_paths(self, wanted: Iterable[tuple[str, Kind]]) -> Columns:
        """Return the columns with those of ``wanted`` that still find a place."""
        numbers, moments = dict(self.numbers), dict(self.moments)
        for path, kind in wanted:
            held, most = (numbers, NUMBERS) if kind == "n" else (moments, MOMENTS)
            if path not in held and len(held) < most:
                held[path] = len(held)
        return Columns(numbers=numbers, moments=moments)


UNWORDED = "has words that are not searched, since documents were indexed without it: index all documents again"
NO_WORDS = "has words that are not searched, since the index is of an earlier qx: index all documents again, into an empty folder"


def build_schema(texts: Sequence[str]) -> Any:
    """Return the schema for ``texts``, the paths of the searched text fields, and the words of values."""
    library = tantivy()
    builder = library.SchemaBuilder()
    builder.add_text_field("id", tokenizer_name="raw", index_option="basic")
    for at in range(len(texts)):
        builder.add_text_field(f"t{at}", tokenizer_name=WORDS)
    builder.add_text_field(VALUES, tokenizer_name=WORDS)
    builder.add_text_field("exact", tokenizer_name=EXACT, index_option="basic")
    builder.add_unsigned_field("key", fast=True, indexed=True)
    builder.add_unsigned_field("vector", fast=True, indexed=True)
    for at in range(NUMBERS):
        builder.add_float_field(f"n{at}", fast=True)
    for at in range(MOMENTS):
        builder.add_integer_field(f"d{at}", fast=True)
    return builder.build()


def analyzer(stemmer: str | None) -> Any:
    """Return the analyzer of words: letters and digits, lower case, stems of the language."""
    library = tantivy()
    built = library.TextAnalyzerBuilder(library.Tokenizer.simple()).filter(library.Filter.lowercase())
    if stemmer is not None:
        built = built.filter(library.Filter.stemmer(stemmer))
    return built.build()


def exact_analyzer() -> Any:
    """Return the analyzer of tokens that are ready made, apart by spaces."""
    library = tantivy()
    return library.TextAnalyzerBuilder(library.Tokenizer.whitespace()).build()
