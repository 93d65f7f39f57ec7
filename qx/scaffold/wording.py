"""What differs between the kinds of plugins in the files that all of them have."""

from __future__ import annotations

from qx.errors import UsageError
from qx.serial import value

KINDS = {
    "backend": "backends",
    "provider": "llm_providers",
    "embedder": "embedders",
    "processor": "processors",
    "strategy": "strategies",
    "domain": "packs",
}
"""Kind of a new plugin -> the registry that it will stand in."""
_OVER = ("http", "file")


@value
class Wording:
    """``template`` is the folder of templates; the others are text for ``pyproject.toml`` and ``README.md``."""

    template: str
    summary: str
    profile: str
    notes: str


def wording(kind: str, name: str, over: str | None) -> Wording:
    """Return what is said of a plugin.

    Raises:
        UsageError: there is no such ``over``.
    """
    if kind == "backend":
        over = over or "http"
        if over not in _OVER:
            raise UsageError(f"a backend is over one of {', '.join(_OVER)}, not {over!r}")
        return _BACKENDS[over](name)
    return _OTHERS[kind](name)


def _http(name: str) -> Wording:
    return Wording(
        template="backend-http",
        summary=f"{name} as a qx search backend",
        profile=_backend(name, "url: http://localhost:8080\n      index: documents"),
        notes=(
            f"The tests pass against a small engine of their own, `tests/engine.py`. To make it {name}: change what\n"
            "`translation.py` says and what `backend.py` asks and reads, and start your engine in the fixtures of the tests.\n"
            "They stay what they are: what they ask is what every backend of qx passes."
        ),
    )


def _file(name: str) -> Wording:
    return Wording(
        template="backend-file",
        summary=f"{name} files as a qx search backend",
        profile=_backend(name, "path: documents.txt"),
        notes="The format is in `read` and `write` of `backend.py`; all else is inherited.",
    )


def _provider(name: str) -> Wording:
    return Wording(
        template="provider",
        summary=f"Models of {name} for qx",
        profile=f"llm: {{provider: {name}, model: some-model, api_base: http://localhost:8080}}",
        notes="The server's API is in `complete`, `_completion` and `_refusal` of `provider.py`.",
    )


def _embedder(name: str) -> Wording:
    return Wording(
        template="embedder",
        summary=f"Embeddings of {name} for qx",
        profile=f"embedder: {{provider: {name}, dimensions: 256}}",
        notes="The model's place is `_vector` of `embedder.py`.",
    )


def _processor(name: str) -> Wording:
    return Wording(
        template="processor",
        summary=f"The processor {name} for qx",
        profile=f"search:\n  processors: [{{type: {name}, shortest: 20}}]",
        notes="What it does with a list is in `process_hits` of `processor.py`.",
    )


def _strategy(name: str) -> Wording:
    return Wording(
        template="strategy",
        summary=f"The expansion strategy {name} for qx",
        profile=f"expand: {{strategies: [{name}, synonym, refine]}}",
        notes="What it makes is in `expand` of `strategy.py`; the guard sees to drift and duplicates.",
    )


def _domain(name: str) -> Wording:
    package = f"qx_{name.replace('-', '_')}"
    return Wording(
        template="domain",
        summary=f"The domain pack {name} for qx",
        profile=f"domains: [{name}]",
        notes=(
            f"All of it is data: `{package}/pack.yaml`, and queries with what they mean in `{package}/eval/`.\n"
            f"`qx eval pack {name}` scores them with the pack and without it."
        ),
    )


def _backend(name: str, settings: str) -> str:
    return (
        f"search:\n  backends:\n    main:\n      type: {name}\n      {settings}\n"
        "      fields: {title: title^2, text: text}"
    )


_BACKENDS = {"http": _http, "file": _file}
_OTHERS = {
    "provider": _provider,
    "embedder": _embedder,
    "processor": _processor,
    "strategy": _strategy,
    "domain": _domain,
}
