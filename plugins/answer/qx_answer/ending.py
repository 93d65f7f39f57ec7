"""Why an answer ended, in the words of who asked: where nothing was found, and where something is missing."""

from __future__ import annotations

from qx.errors import AuthError, QxError, SearchFailed
from qx_answer.events import Done, Stopped

_WHY: dict[str, dict[Stopped, str]] = {
    "en": {
        "authentication": "the search engine refused the key",
        "search failed": "the search engine did not answer",
        "rounds": "the rounds that were allowed are used up",
        "searches": "the searches that were allowed are used up",
        "tokens": "the tokens that were allowed are used up",
        "calls": "the calls of the model that were allowed are used up",
        "cost": "the money that was allowed is used up",
        "seconds": "the time that was allowed is up",
        "repeating": "further searches would only have repeated earlier ones",
    },
    "zh": {
        "authentication": "搜索引擎拒绝了密钥",
        "search failed": "搜索引擎没有响应",
        "rounds": "轮数用完了",
        "searches": "搜索次数用完了",
        "tokens": "token 用完了",
        "calls": "模型调用次数用完了",
        "cost": "费用额度用完了",
        "seconds": "时间用完了",
        "repeating": "再搜也只是重复",
    },
}
_NOTHING_MORE = {"en": "nothing more was found", "zh": "没有找到更多内容"}
_DOUBT = {
    "en": "the sources speak of it, but no sentence was found that says this; perhaps the question takes something for "
    "granted",
    "zh": "来源提到了所问的对象，但没有找到这样说的句子；问题的前提也许不成立",
}


def failed(done: Done) -> QxError | None:
    """Return the error behind an answer that says nothing because no search succeeded; None: searching went well."""
    if done.claims or done.stopped_because not in ("search failed", "authentication"):
        return None
    told = list(dict.fromkeys(one.reason for one in done.degraded if one.step == "search"))
    reasons = "; ".join(one for one in told if not any(one != other and one in other for other in told))
    kind = AuthError if done.stopped_because == "authentication" else SearchFailed
    return kind(f"no search of the question succeeded: {reasons or _WHY['en'][done.stopped_because]}", step="search")


def says_more(because: Stopped) -> bool:
    """Whether a reason says more than that nothing was found."""
    return because in _WHY["en"]


def nothing_found(language: str, because: Stopped, *, doubtful: bool = False) -> str:
    """Return what is read where there is no answer.

    Args:
        language: ``zh`` or ``en``.
        doubtful: Whether what the question speaks of was found, and no sentence with what it takes for granted.
    """
    why = _WHY[language].get(because, _DOUBT[language] if doubtful else "")
    if language == "zh":
        return f"没有找到答案{'：' if why else ''}{why}。"
    return f"Nothing found{': ' if why else ''}{why}."


_UNJUDGED = {
    "en": "(The quotations were checked; nobody judged whether each sentence follows from its own.)",
    "zh": "（引文已核对；句子是否由引文得出，没有人判断。）",
}


def unjudged(language: str) -> str:
    """Return what is read below an answer with sentences of which it is only known that their quotations are there."""
    return _UNJUDGED[language]


def incomplete(language: str, because: Stopped) -> str:
    """Return what is read below an answer to which something may be missing; empty: nothing is.

    Args:
        language: ``zh`` or ``en``.
    """
    why = _NOTHING_MORE[language] if because == "no new evidence" else _WHY[language].get(because)
    if why is None:
        return ""
    return f"（不完整：{why}）" if language == "zh" else f"(This may be incomplete: {why}.)"
