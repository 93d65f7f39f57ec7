"""Whether a sentence goes on with the steps or the reason that the one before it began."""

from __future__ import annotations

import re

from qx.text.normalise import characters_read, fold
from qx.text.segment import HAN, comparable, words

_OPENS = re.compile(
    r"^\W*(?:then|next|after(?:wards)?|now|finally|lastly|once|when|if|until|first|second|third|it|this|that|they|these|those|he|she|otherwise|also|so|but|thus"
    r"|therefore|in\s+(?:this|that)\s+case|\d{1,2}[.)、]|[-*•]|再|然后|接着|之后|随后|最后|其次|首先|先|第[一二三四五]|等|若|如果?|当|待|即可|否则|这|那|它|该|此|其|也|还|因此|所以|但|同时)",
    re.IGNORECASE,
)
_ADDRESSES = re.compile(
    r"^\W*(?:please\s+)?(?:hold|press|wait|turn|open|close|pull|push|put|take|remove|insert|choose|select|click|enter|switch|set|let|keep|check|fill|add|use|clean|dry|rinse"
    r"|wash|connect|plug|restart|call|ask|bring|send|hand|go|make|try|do|repeat|leave|lift|screw|place|write|sign|pay|show|follow|install|run|save|unplug|replace)\b"
    r"|^(?:请(?!勿|不要)|按|拔|打开|关闭|取出|放入|插|拧|等待|检查|选择|点击|输入|重新|用|将|把|加)",
    re.IGNORECASE,
)
_HAN_RUN = re.compile(f"[{HAN}]{{2,}}")


def goes_on(sentence: str, before: str) -> bool:
    """Whether ``sentence``, which stands right behind ``before``, goes on with it.

    It opens so (then, it, 然后), tells what to do next, or speaks of something that the one before speaks of.
    """
    read, earlier = characters_read(sentence), characters_read(before)
    if before.rstrip()[-1:] in ":：" or _OPENS.match(read) or _ADDRESSES.match(read):
        return True
    return bool(_spoken_of(read) & _spoken_of(earlier))


def _spoken_of(text: str) -> frozenset[str]:
    """Latin words that tell something, and Han by its pairs."""
    latin = {
        comparable(word.text) for word in words(text) if word.content and word.text.isascii() and len(word.text) > 2
    }
    pairs = {run[i : i + 2] for run in _HAN_RUN.findall(fold(text)) for i in range(len(run) - 1)}
    return frozenset(latin | pairs)
