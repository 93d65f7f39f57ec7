"""Profiles as text: a new one with its comments, and an effective one with the origin of every value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from qx.profiles import Loaded

TEMPLATE = """\
# A profile of qx: what is not here comes from the one that it extends.
# Check it: qx profile check {name}        See all of it: qx profile show {name}

extends: {extends}
tenant: {name}
timezone: UTC            # where "yesterday" is meant, an IANA name such as Asia/Shanghai
deadline: 10s            # of one request

# domains: [./{name}]    # folders beside this file with a pack.yaml of your own, or installed packs (qx plugins)

# A model helps the rules.  A key is never written here: ${{...}} names a variable of the environment or of .env.
# llm:
#   provider: openai     # any OpenAI-compatible endpoint
#   api_base: https://api.openai.com/v1
#   model: gpt-4.1-mini
#   api_key: ${{{variable}_OPENAI_KEY}}
#   timeout: 8s
#   fallbacks:
#     - {{provider: openai, api_base: "http://localhost:11434/v1", model: "qwen3:4b"}}

understand:
  mode: auto             # rules | llm | llm-single | auto

expand:
  limit: 8               # queries beside the original
  # strategies: [synonym, refine, generalize]    # else chosen for each query

# What to search; `qx index -p {name} FILES` fills it, `qx search -p {name} TEXT` asks it.
# search:
#   backends:
#     main: {{type: local, path: {name}-index}}    # an index in a folder beside this file
#   fusion: rrf          # how several lists are merged: rrf | relative-score | dbsf

# prompts:
#   domain_notes: What a model should know of this field.

# synonyms:
#   - words: [laptop, notebook, 笔记本电脑]
# lexicon: [词一, 词二]  # words that the segmenter must keep whole

# budget: {{calls: 3, tokens: 3000, calls_per_day: 5000}}    # of one request, and of a day of them

cache:
  type: memory           # memory | sqlite | none
  ttl: 1d
  # path: {name}.db      # with type sqlite: a file beside this one

# observers: [log, {{type: jsonl, path: events.jsonl}}]
"""


def profile_lines(loaded: Loaded, conflicts: Sequence[str]) -> Iterator[str]:
    """Yield the effective profile as YAML, each value with a comment that says where it comes from."""
    from qx.profiles import shown

    profile = loaded.profile
    yield f"# profile {profile.name}, from {profile.source or 'the built-in default'}"
    data = {key: item for key, item in shown(profile).items() if key != "name"}
    for depth, text, loc in _lines(data, ()):
        origin = _origin(loaded, loc) if loc else ""
        yield "  " * depth + text + (f"  # {origin}" if origin else "")
    for conflict in conflicts:
        yield f"# clash: {conflict}"


def _lines(data: Mapping[str, Any], loc: tuple[str, ...]) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    for key, item in data.items():
        here = (*loc, key)
        if isinstance(item, Mapping) and item:
            yield len(loc), f"{key}:", ()
            yield from _lines(cast("Mapping[str, Any]", item), here)
        else:
            yield len(loc), f"{key}: {_inline(item)}", here


_PLAIN = re.compile(r"(?!(?:true|false|null)$)[A-Za-z_][\w./+-]*")


def _inline(item: Any) -> str:
    """A value in JSON, which is YAML; a plain word without its quotes."""
    return item if isinstance(item, str) and _PLAIN.fullmatch(item) else json.dumps(item, ensure_ascii=False)


def _origin(loaded: Loaded, loc: Sequence[str]) -> str:
    """Where a value is written; a value that no layer writes is the default of its setting."""
    from qx.yaml import walk

    for layer in reversed(loaded.layers.layers):
        gone, _ = walk(layer.data, loc)
        if gone == tuple(loc):
            place = layer.place(loc)
            return f"{layer.label}, line {place.line}" if place.line is not None else layer.label
    return "its default"
