"""What a model is asked to write, and reading it: schema, shape, and a reader that keeps whatever is sound.

A model that gets one constraint wrong loses that constraint, not the whole analysis; what was left out is named.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, cast, get_args

from qx.domain import Knowledge
from qx.errors import QxError
from qx.repair import SubQueryDraft
from qx.serial import from_plain
from qx.types import Constraint, Entity, Kind, Label, Op, Sense, Sentiment, Stance, SubQuery, Understanding

Stage = Literal["understand", "expand", "single"]
MODEL_STRATEGIES = ("synonym", "refine", "generalize", "decompose", "boolean", "site", "senses")
"""What one model call may label its queries with."""
_LABELS, _STANCES, _KINDS = get_args(Label), get_args(Stance), get_args(Kind)
_MAX = {"entities": 8, "constraints": 8, "implicit_needs": 6, "keywords": 12, "negations": 6, "senses": 4}


def labels(strategies: Sequence[str] | None, without: Sequence[str] = ()) -> tuple[str, ...]:
    """Return what a model may label its queries with, of the profile's ``expand.strategies`` (None: all of them).

    Where nothing is left of them they are all allowed: a model that is asked for queries must be able to name one.
    """
    named = tuple(s for s in strategies or () if s in MODEL_STRATEGIES) or MODEL_STRATEGIES
    return tuple(s for s in named if s not in without) or MODEL_STRATEGIES


class DraftError(QxError):
    """A model's answer was read but makes no sense; the text is quoted back to the model."""


def _strings(limit: int, length: int = 60) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string", "maxLength": length}, "maxItems": limit}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _analysis_schema(knowledge: Knowledge) -> dict[str, Any]:
    intents = [intent.id for intent in knowledge.taxonomy.intents]
    word = {"type": "string", "maxLength": 60}
    scalar = {"anyOf": [word, {"type": "number"}]}
    return {
        "intent": {"type": "array", "items": {"enum": intents}, "minItems": 1, "maxItems": 3},
        "entities": {"type": "array", "items": _object({"text": word, "type": word}), "maxItems": _MAX["entities"]},
        "constraints": {
            "type": "array",
            "maxItems": _MAX["constraints"],
            "items": _object(
                {
                    "field": word,
                    "op": {"enum": list(get_args(Op))},
                    "value": scalar,
                    "unit": {"anyOf": [word, {"type": "null"}]},
                    "text": word,
                    "hard": {"type": "boolean"},
                }
            ),
        },
        "implicit_needs": _strings(_MAX["implicit_needs"]),
        "sentiment": _object({"label": {"enum": list(_LABELS)}, "intensity": {"type": "number"}}),
        "stance": {"enum": list(_STANCES)},
        "keywords": _strings(_MAX["keywords"], 40),
        "negations": _strings(_MAX["negations"], 40),
        "senses": {
            "type": "array",
            "maxItems": _MAX["senses"],
            "items": _object({"word": word, "label": word, "words": _strings(5, 30)}),
        },
        "kind": {"enum": list(_KINDS)},
        "standalone": {"anyOf": [{"type": "string", "maxLength": 200}, {"type": "null"}]},
    }


def _queries_schema(strategies: Sequence[str], count: int) -> dict[str, Any]:
    item = _object(
        {
            "text": {"type": "string", "maxLength": 120},
            "strategy": {"enum": list(strategies)},
            "why": {"type": "string", "maxLength": 60},
        }
    )
    return {"queries": {"type": "array", "items": item, "maxItems": count}}


def schema(stage: Stage, knowledge: Knowledge, strategies: Sequence[str], count: int, *, batch: bool) -> dict[str, Any]:
    """Return the JSON Schema of a stage's answer, with limits on lengths and numbers of items."""
    properties: dict[str, Any] = {}
    if stage != "expand":
        properties |= _analysis_schema(knowledge)
    if stage != "understand":
        properties |= _queries_schema(strategies, count)
    one = _object(properties)
    if not batch:
        return one
    item = _object({"id": {"type": "integer"}, "result": one})
    return _object({"items": {"type": "array", "items": item}})


def coverage_schema(strategies: Sequence[str], count: int) -> dict[str, Any]:
    """Return the JSON Schema of what ``iterate`` asks for: aspects covered, marginal queries, queries to add."""
    return _object({"aspects": _strings(8), "marginal": _strings(8, 120), **_queries_schema(strategies, count)})


def shape(stage: Stage, *, iterate: bool = False) -> str:
    """Return the answer's shape as one line of JSON, for the prompt."""
    analysis = {
        "intent": [""],
        "entities": [{"text": "", "type": ""}],
        "constraints": [{"field": "", "op": "", "value": "", "unit": None, "text": "", "hard": True}],
        "implicit_needs": [""],
        "sentiment": {"label": " | ".join(_LABELS), "intensity": 0.0},
        "stance": " | ".join(_STANCES),
        "keywords": [""],
        "negations": [""],
        "senses": [{"word": "", "label": "", "words": [""]}],
        "kind": " | ".join(_KINDS),
        "standalone": None,
    }
    queries = {"queries": [{"text": "", "strategy": "", "why": ""}]}
    parts: dict[str, Any] = {}
    if iterate:
        parts = {"aspects": [""], "marginal": [""], **queries}
    elif stage == "understand":
        parts = analysis
    elif stage == "expand":
        parts = queries
    else:
        parts = analysis | queries
    return json.dumps(parts, ensure_ascii=False)


def analysis_json(understanding: Understanding) -> dict[str, Any]:
    """Return what the second call is told of the first one's result: plain, without empty parts."""
    u = understanding
    parts: dict[str, Any] = {
        "intent": list(u.intent),
        "entities": [{"text": e.text, "type": e.type} for e in u.entities],
        "constraints": [
            {"field": c.field, "op": c.op, "value": c.value, "unit": c.unit, "text": c.text, "hard": c.hard}
            for c in u.constraints
        ],
        "implicit_needs": list(u.implicit_needs),
        "sentiment": u.sentiment.label if u.sentiment.label != "neutral" else "",
        "stance": u.stance if u.stance != "neutral" else "",
        "keywords": list(u.keywords),
        "negations": list(u.negations),
        "senses": [{"word": s.word, "label": s.label} for s in u.senses],
        "kind": u.kind,
    }
    return {key: part for key, part in parts.items() if part}


def _list(item: object) -> list[Any]:
    if item is None or item == "":
        return []
    return cast("list[Any]", item) if isinstance(item, list) else [item]


def _texts(item: object, limit: int) -> tuple[str, ...]:
    out: dict[str, None] = {}
    for part in _list(item):
        text = part
        if not isinstance(part, str) and isinstance(part, Mapping):
            text = cast("Mapping[str, Any]", part).get("text")
        if isinstance(text, (str, int, float)) and str(text).strip():
            out.setdefault(str(text).strip()[:200])
    return tuple(out)[:limit]


def _each(cls: type[Any], items: Sequence[object], left_out: list[str], limit: int) -> tuple[Any, ...]:
    if not items:
        return ()
    from pydantic import ValidationError

    out: list[Any] = []
    for item in items:
        data: object = {"text": item} if isinstance(item, str) else item
        if isinstance(data, (dict, Mapping)):
            known = cast("Mapping[str, Any]", data)
            data = {key: known[key] for key in cls.__slots__ if key in known}
        try:
            out.append(from_plain(cls, data))
        except ValidationError as error:
            left_out.append(f"{cls.__name__.lower()}: {error.errors(include_input=False)[0]['msg']}")
    return tuple(out[:limit])


def _choice(item: object, allowed: Sequence[str], default: str) -> str:
    return item if isinstance(item, str) and item in allowed else default


def _sentiment(item: object) -> Sentiment:
    label: object = item
    intensity: object = 0.5
    if isinstance(item, (dict, Mapping)):
        mood = cast("Mapping[str, Any]", item)
        label, intensity = mood.get("label"), mood.get("intensity", 0.5)
    chosen = cast("Label", _choice(label, _LABELS, "neutral"))
    number = float(intensity) if isinstance(intensity, (int, float)) else 0.5
    return Sentiment(label=chosen, intensity=0.0 if chosen == "neutral" else min(1.0, max(0.0, number)))


def read_understanding(data: Mapping[str, Any], knowledge: Knowledge) -> tuple[Understanding, tuple[str, ...]]:
    """Read a model's analysis.

    Returns:
        The understanding (``language`` and ``source`` are the caller's to set), and what was left out and why.

    Raises:
        DraftError: none of the listed intents is named.
    """
    intents = [intent.id for intent in knowledge.taxonomy.intents]
    named = _texts(data.get("intent", data.get("intents")), 5)
    chosen = tuple(dict.fromkeys(i.lower() for i in named if i.lower() in intents))[:3]
    if not chosen:
        raise DraftError(f"`intent` must be one or more of: {', '.join(intents)}")
    left_out = [f"intent {name!r} is not in the list" for name in named if name.lower() not in intents]
    standalone = data.get("standalone")
    return Understanding(
        intent=chosen,
        entities=_each(Entity, _list(data.get("entities")), left_out, _MAX["entities"]),
        constraints=_each(Constraint, _list(data.get("constraints")), left_out, _MAX["constraints"]),
        implicit_needs=_texts(data.get("implicit_needs"), _MAX["implicit_needs"]),
        sentiment=_sentiment(data.get("sentiment")),
        stance=cast("Stance", _choice(data.get("stance"), _STANCES, "neutral")),
        keywords=_texts(data.get("keywords"), _MAX["keywords"]),
        negations=_texts(data.get("negations"), _MAX["negations"]),
        senses=_each(Sense, _list(data.get("senses")), left_out, _MAX["senses"]),
        kind=cast("Kind", _choice(data.get("kind"), _KINDS, "simple")),
        standalone=standalone.strip() or None if isinstance(standalone, str) else None,
        confidence=0.8,
    ), tuple(left_out)


def read_queries(drafts: Iterable[SubQueryDraft], allowed: Sequence[str]) -> tuple[SubQuery, ...]:
    """Make candidates of a model's queries.

    One of a kind that the profile leaves out goes, whatever the model was told; a name that is none at all is taken for
    ``refine``, the strictest one, where the profile has that.
    """
    made: list[SubQuery] = []
    for d in drafts:
        strategy = d.strategy if d.strategy in allowed or d.strategy in MODEL_STRATEGIES else "refine"
        if strategy in allowed:
            made.append(SubQuery(text=d.text, strategy=strategy, target=d.target, weight=0.8, why=d.why))
    return tuple(made)
