"""The pages of the conformance suites: what each asks, from the suites themselves."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence

from tables import code, prose, table

from qx.options import attribute_docstrings, attributes_section

SUITES = {
    "backends": (
        "BackendConformance",
        "FilterConformance",
        "SortingConformance",
        "IndexingConformance",
        "CountConformance",
        "HealthConformance",
        "VocabularyConformance",
        "SpellingConformance",
        "BatchConformance",
        "VectorConformance",
    ),
    "caches": ("CacheConformance",),
    "commands": ("CommandConformance",),
    "describers": ("DescriberConformance",),
    "embedders": ("EmbedderConformance",),
    "fetchers": ("FetcherConformance",),
    "fusions": ("FusionConformance",),
    "ledgers": ("LedgerConformance", "CountersConformance"),
    "observers": ("ObserverConformance",),
    "operations": ("OperationConformance", "SectionConformance"),
    "packs": ("PackConformance", "TaxonomyConformance"),
    "processors": ("HitProcessorConformance", "QueryProcessorConformance"),
    "providers": ("LLMProviderConformance",),
    "strategies": ("StrategyConformance",),
}
"""Page of docs/suites -> its suites."""


def suites(page: str) -> str:
    """Return what the suites of a page ask: what to override, and every test as the sentence that it is."""
    import qx.testing

    told: set[str] = set()
    return "\n\n".join("\n\n".join(_suite(getattr(qx.testing, name), told)) for name in SUITES[page])


def _suite(suite: type, told: set[str]) -> Iterator[str]:
    yield f"## {code(suite.__name__)}"
    yield prose(suite.__doc__, whole=True)
    if rows := list(_overridable(suite, told)):
        yield table(["override", "what it is"], rows)
    yield "\n".join(f"- {_sentence(name)}" for name in _tests(suite))


def _overridable(suite: type, told: set[str]) -> Iterator[list[str]]:
    """Its fixtures and attributes, with what is said of each; what an earlier suite of the page has told is left out."""
    said: dict[str, str] = {}
    for parent in reversed(suite.__mro__):
        said |= attribute_docstrings(parent) | attributes_section(parent)
    for parent in suite.__mro__[:-1]:
        for name, item in vars(parent).items():
            function = getattr(item, "_fixture_function", None)
            is_attribute = name in said and not callable(item)
            if name in told or name in _MADE or not (function or is_attribute):
                continue
            told.add(name)
            if is_attribute:
                yield [f"{code(name)} (default {code(_shown(item))})", said[name]]
            else:
                yield [f"fixture {code(name)}", prose(function.__doc__) if function.__doc__ else _why(function)]


_MADE = ("filled", "embedded", "loaded", "apart", "listener")
"""Fixtures that a suite makes itself."""


def _why(function: object) -> str:
    """What a fixture is for that says so only where it is missing."""
    found = re.search(r"no fixture `\w+`: (.*?)\"", inspect.getsource(function))  # type: ignore[arg-type]
    return f"{found[1][0].upper()}{found[1][1:]}; without it some tests are skipped." if found else "What is tested."


def _shown(item: object) -> str:
    if isinstance(item, Mapping):
        return repr(dict(item))
    return str(list(item)) if isinstance(item, Sequence) and not isinstance(item, str) else repr(item)


def _tests(suite: type) -> Iterator[str]:
    for parent in suite.__mro__:
        yield from (name for name in vars(parent) if name.startswith("test_"))


def _sentence(name: str) -> str:
    text = name.removeprefix("test_").replace("_", " ").replace("chinese", "Chinese")
    return text[0].upper() + text[1:]
