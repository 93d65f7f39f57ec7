"""Understandings and expansions as a story that a person can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from qx.cli.output import Node
from qx.names import fallen

if TYPE_CHECKING:
    from qx.settings import Profile
    from qx.steps.prompt import RenderedPrompt
    from qx.types import Constraint, Degraded, Expansion, SubQuery, Trace, Understanding, Usage

_SIGNS = {"eq": "=", "ne": "≠", "lt": "<", "le": "≤", "gt": ">", "ge": "≥", "in": "in"}
_READERS = {"llm": "the model", "llm-single": "the model, in one call", "raw": "nothing but the words"}


def understanding_story(text: str, understanding: Understanding, profile: Profile) -> Node:
    """Return all that was read out of ``text``."""
    root = Node("", text or "(an empty query)")
    _fill(root, understanding)
    root.add("made by", rung(understanding, profile), f"confidence {understanding.confidence:.2f}")
    return root


def expansion_story(expansion: Expansion, profile: Profile) -> Node:
    """Return the queries, and in short how they came about."""
    root = Node("", expansion.original or "(an empty query)")
    root.add("read as", " · ".join(_summary(expansion.understanding)))
    root.add_each("queries", [(query.text, _reason(query)) for query in expansion.queries])
    if expansion.abstained:
        root.add("left alone", expansion.abstained)
    if expansion.dropped:
        root.add("dropped", str(len(expansion.dropped)), "`qx explain` shows them")
    root.add_each("notes", [(text, "") for text in expansion.notes])
    root.add_each("degraded", list(degradations(expansion.degraded)))
    root.add("made by", rung(expansion.understanding, profile, expansion.degraded))
    return root


def explanation(expansion: Expansion, profile: Profile) -> Node:
    """Return the whole story: what was read, which queries were made and why, what was dropped, time and tokens."""
    root = Node("", expansion.original or "(an empty query)")
    add_expansion(root, expansion, profile, expansion.trace)
    root.add_each("notes", [(text, "") for text in expansion.notes])
    root.add_each("degraded", list(degradations(expansion.degraded)))
    add_costs(root, expansion.trace, expansion.usage)
    return root


def add_expansion(root: Node, expansion: Expansion, profile: Profile, trace: Trace) -> None:
    """Add what was read, which queries were made and why, and what was dropped.

    Args:
        trace: Of the whole request.
    """
    read = root.add("understanding", rung(expansion.understanding, profile, expansion.degraded))
    _fill(read, expansion.understanding)
    read.add("confidence", f"{expansion.understanding.confidence:.2f}")
    used = dict.fromkeys(query.strategy for query in expansion.queries[1:])
    ran = any(span.name.split(".")[0] == "expand" for span in trace.spans)  # not where they are from the cache
    root.add("kept from", ", ".join(used) or "no strategy", "the trace has all that ran" if ran else "")
    queries = root.add("queries", f"{len(expansion.queries)}")
    for query in expansion.queries:
        queries.add("", query.text, _reason(query, full=True))
    if expansion.abstained:
        root.add("left alone", expansion.abstained)
    root.add_each("dropped", [(item.text, _because(item.strategy, item.reason)) for item in expansion.dropped])


def add_costs(root: Node, trace: Trace, usage: Usage) -> None:
    """Add how long everything took, and what it cost."""
    _add_time(root, trace, usage)
    root.add("spent", spent(usage))


def prompt_story(prompts: Sequence[RenderedPrompt]) -> Node:
    """Return the messages a model would get, with the tokens of each part."""
    total = sum(count for prompt in prompts for count in prompt.tokens.values())
    root = Node("", "what the model would be sent", f"about {total} tokens; no call was made")
    for prompt in prompts:
        parts = ", ".join(f"{part} {count}" for part, count in prompt.tokens.items())
        step = root.add("step", prompt.step, f"tokens: {parts}; together {sum(prompt.tokens.values())}")
        for message in prompt.messages:
            said = step.add(message.role)
            said.children.extend(Node("", line) for line in message.content.splitlines() if line.strip())
    return root


def rung(understanding: Understanding, profile: Profile, degraded: Sequence[Degraded] | None = None) -> str:
    """Return who read the query: the model, or rules and why rules (``degraded``: as far as is known)."""
    if understanding.source != "rules":
        return _READERS[understanding.source]
    if profile.llm is None:
        return "rules (no model configured)"
    if profile.understand.mode == "rules":
        return "rules (mode rules)"
    if degraded is None:
        return "rules (sure enough without the model, or it failed)"
    failed = any(item.step == "understand" for item in degraded)
    return "rules (the model failed)" if failed else "rules (sure enough without the model)"


def constraint_text(constraint: Constraint) -> str:
    """Return such as ``price ≤ 5000 CNY``."""
    values = constraint.value if isinstance(constraint.value, tuple) else (constraint.value,)
    shown = ", ".join(_scalar(item) for item in values)
    if constraint.op == "prefer":
        sign = "≈" if all(isinstance(item, (int, float)) for item in values) else "preferably"
    else:
        sign = _SIGNS[constraint.op]
    return " ".join(part for part in (constraint.field, sign, shown, constraint.unit or "") if part)


def constraint_texts(constraints: Sequence[Constraint]) -> list[tuple[str, str]]:
    """Return each constraint with how binding it is; an approximate amount and its bounds (``price about 2000
    (1600–2400) CNY``) and the two ends of a range (``price 300–500 USD``) are told once.
    """
    told: list[tuple[str, str]] = []
    done: set[int] = set()
    for at, item in enumerate(constraints):
        if at in done:
            continue
        near = [n for n in range(at + 1, len(constraints)) if n not in done and _together(item, constraints[n])]
        bounds = {constraints[n].op: n for n in near}
        text = constraint_text(item)
        if item.op == "prefer" and _is_number(item.value) and {"ge", "le"} <= bounds.keys():
            low, high = (_scalar(_one(constraints[bounds[op]])) for op in ("ge", "le"))
            text = _words(item.field, "about", _scalar(_one(item)), f"({low}–{high})", item.unit)
            done |= {bounds["ge"], bounds["le"]}
        elif item.op == "ge" and "le" in bounds and _is_number(item.value):
            text = _words(item.field, f"{_scalar(_one(item))}–{_scalar(_one(constraints[bounds['le']]))}", item.unit)
            done.add(bounds["le"])
        told.append((text, _constraint_aside(item)))
    return told


def _together(one: Constraint, other: Constraint) -> bool:
    same = (one.field, one.text, one.unit, one.hard) == (other.field, other.text, other.unit, other.hard)
    return same and bool(one.text) and _is_number(other.value)


def _is_number(item: object) -> bool:
    return isinstance(item, (int, float)) and not isinstance(item, bool)


def _one(constraint: Constraint) -> str | float | bool:
    return constraint.value[0] if isinstance(constraint.value, tuple) else constraint.value


def _words(*parts: str | None) -> str:
    return " ".join(part for part in parts if part)


def _scalar(item: str | float | bool) -> str:
    return f"{item:g}" if isinstance(item, float) and item.is_integer() and abs(item) < 1e15 else str(item)


def _fill(node: Node, item: Understanding) -> None:
    node.add("intent", ", ".join(item.intent) or "none")
    node.add("kind", item.kind)
    node.add("language", item.language)
    if item.standalone:
        node.add("standalone", item.standalone, "the query by itself, or in short")
    node.add_each("entities", [(e.text, _entity(e.type, e.text, e.canonical, e.verbatim)) for e in item.entities])
    node.add_each("constraints", constraint_texts(item.constraints))
    node.add_each("needs", [(need, "") for need in item.implicit_needs])
    if item.negations:
        node.add("excluded", ", ".join(item.negations))
    if item.sentiment.label != "neutral" or item.stance != "neutral":
        stance = "" if item.stance == "neutral" else f"stance: {item.stance}"
        node.add("mood", f"{item.sentiment.label} {item.sentiment.intensity:.1f}", stance)
    if item.keywords:
        node.add("keywords", ", ".join(item.keywords))
    node.add_each("senses", [(f"{s.word}: {s.label}", ", ".join(s.words)) for s in item.senses])
    node.add_each("signals", [(f"{name}: {signal}", "") for name, signal in item.signals.items()])


def _entity(kind: str, text: str, canonical: str, verbatim: bool) -> str:
    same = f", the same as {canonical}" if canonical and canonical != text else ""
    return f"{kind}{same}{', kept as it is' if verbatim else ''}"


def _constraint_aside(constraint: Constraint) -> str:
    must = "must" if constraint.hard else "nice to have"
    return f"{must}; from “{constraint.text}”" if constraint.text else must


def _summary(item: Understanding) -> Iterator[str]:
    yield ", ".join(item.intent) or "no intent"
    yield f"{item.kind}, {item.language}"
    if item.constraints:
        yield ", ".join(text for text, _ in constraint_texts(item.constraints))
    if item.negations:
        yield f"not {', '.join(item.negations)}"
    if item.sentiment.label != "neutral":
        yield item.sentiment.label


def _reason(query: SubQuery, *, full: bool = False) -> str:
    extra = [f"for {query.target}"] if query.target != "any" else []
    if full and query.weight != 1.0:
        extra.append(f"weight {query.weight:g}")
    return _because(", ".join([query.strategy, *extra]), query.why)


def _because(what: str, why: str) -> str:
    return f"{what}: {why}" if what and why else what or why


def degradations(items: Sequence[Degraded]) -> Iterator[tuple[str, str]]:
    """Yield what fell where, and why."""
    for item in items:
        yield fallen(item.step, item.rung, "fell back to"), item.reason


def _add_time(root: Node, trace: Trace, usage: Usage) -> None:
    if not trace.spans:
        if usage.cached:
            root.add("time", "nothing ran", "the result is from the cache, made by an earlier request")
        return
    end = max(span.start + span.duration for span in trace.spans)
    times = root.add("time", f"{end:.1f} ms", f"trace {trace.id}")
    for span in sorted(trace.spans, key=lambda item: item.start):
        details = " ".join(f"{name}={item}" for name, item in span.attributes.items() if item is not None)
        times.add("", f"{span.start:8.1f} ms  +{span.duration:.1f} ms  {span.name}", details)


def spent(usage: Usage) -> str:
    """Return such as ``2 calls, 300 tokens in, 40 tokens out``."""
    if not usage.calls:
        return "no model call" + (f", {usage.cached} from the cache" if usage.cached else "")
    costs = {usage.currency: usage.cost, **usage.other_costs}
    cost = "".join(f", {amount:.6f} {currency}" for currency, amount in costs.items() if amount is not None)
    cached = f", {usage.cached} from the cache" if usage.cached else ""
    calls = "1 call" if usage.calls == 1 else f"{usage.calls} calls"
    return f"{calls}, {usage.input_tokens} tokens in, {usage.output_tokens} tokens out{cost}{cached}"
