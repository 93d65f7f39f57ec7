"""What a person reads of an answer: a line for what happens, then the sentences and their sources."""

from __future__ import annotations

from pydantic import BaseModel

from qx_answer.ending import incomplete, unjudged
from qx_answer.events import Action, Claim, Data, Done, Progress, Thinking, Warning

_NOT_DONE = {"page": "page not read", "search failed": "search failed"}


def told(item: BaseModel) -> str:
    """Return the text of an event, empty where a person need not see it, or of the result."""
    if isinstance(item, Done):
        return _done(item)
    if isinstance(item, Progress):
        return f"{item.kind} {item.n} of {item.of}: {item.title}"
    if isinstance(item, Action) and item.kind == "search":
        where = f" in {', '.join(item.backends)}" if item.backends else ""
        how = f" ({item.strategy})" if item.strategy not in (None, "asked") else ""
        return f"round {item.round}: searching{where} for {item.query}{how}"
    if isinstance(item, Action):
        return {"write": "writing", "verify": "checking quotations"}.get(item.kind, item.kind)
    if isinstance(item, Thinking):
        return "\n".join((item.text, *(f"  {one.asked}: {one.answered or 'missing'}" for one in item.questions)))
    if isinstance(item, Data):
        return _data(item)
    if isinstance(item, Warning):
        # the reason of what has a subject stands in the log, and in `degraded`: a step fell a rung by it
        return (
            f"{item.kind}: {item.text}"
            if item.about is None
            else f"{_NOT_DONE.get(item.kind, item.kind)}: {item.about}"
        )
    if isinstance(item, Claim):
        return ""
    return ""


def _data(item: Data) -> str:
    if item.kind == "hits":
        bad = f", {item.outcome}" if item.outcome not in (None, "ok") else ""
        return f"  {item.found} hits{f' in {item.backend}' if item.backend else ''}{bad}"
    if item.kind == "ranked":
        return f"  {item.found} to read ({item.rung})"
    return ""


def _done(item: Done) -> str:
    lines = [item.answer]
    if item.sources:
        lines.append("")
        for number, source in enumerate(item.sources, 1):
            place = f"  {source.url}" if source.url else ""
            lines.append(f"[{number}] {source.title or source.id} ({source.id}){place}")
    chinese = any("\u4e00" <= c <= "\u9fff" for c in item.answer)
    language = "zh" if chinese else "en"
    missing = incomplete(language, item.stopped_because) if item.claims else ""
    lines += ["", missing] if missing else []
    if any(claim.verdict == "quote-only" for claim in item.claims):
        lines += ["", unjudged(language)]
    return "\n".join(lines)
