"""What a person reads of an answer: a line for what happens, then the sentences and their sources."""

from __future__ import annotations

from pydantic import BaseModel

from qx_answer.events import Action, Claim, Data, Done, Progress, Thinking, Warning

_PARTIAL = {
    "rounds": "the rounds that were allowed are used up",
    "searches": "the searches that were allowed are used up",
    "tokens": "the tokens that were allowed are used up",
    "seconds": "the time is up",
    "repeating": "further searches would only have repeated earlier ones",
    "no new evidence": "nothing more was found",
    "search failed": "the search engine did not answer",
    "authentication": "the search engine refused the key",
}
_PARTIAL_ZH = {
    "rounds": "轮数用完了",
    "searches": "搜索次数用完了",
    "tokens": "token 用完了",
    "seconds": "时间用完了",
    "repeating": "再搜也只是重复",
    "no new evidence": "没有找到更多内容",
    "search failed": "搜索引擎没有响应",
    "authentication": "搜索引擎拒绝了密钥",
}


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
        return f"{item.kind}: {item.text}"
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
    reason = (_PARTIAL_ZH if chinese else _PARTIAL).get(item.stopped_because)
    if item.claims and reason:
        lines += ["", f"（不完整：{reason}）" if chinese else f"(This may be incomplete: {reason}.)"]
    return "\n".join(lines)
