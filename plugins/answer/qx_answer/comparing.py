"""Which of two things is heavier: the same is asked of each of them, and both are told."""

from __future__ import annotations

import re

_ENGLISH = {
    "weight": "heavier lighter",
    "price": "cheaper dearer costlier",
    "size": "bigger larger smaller",
    "length": "longer shorter",
    "height": "taller higher lower",
    "capacity": "roomier",
    "speed": "faster slower quicker",
    "temperature": "hotter warmer colder cooler",
    "age": "older younger",
    "distance": "farther further nearer closer",
}
_CHINESE = {
    "重量": "重轻",
    "价格": "贵便宜",
    "长度": "长短",
    "高度": "高矮",
    "尺寸": "大小",
    "速度": "快慢",
    "温度": "热冷",
    "距离": "远近",
}
_OF = {word: noun for noun, listed in _ENGLISH.items() for word in listed.split()} | {"more expensive": "price"}
_WORD = "|".join(sorted(_OF, key=len, reverse=True))
_THING = r"(?:the\s+)?[^,?]{2,50}?"
_WHICH = re.compile(
    rf"^\s*(?:which|what)(?:\s+[a-z]+){{0,2}}?\s+(?:is|are|costs|weighs)\s+(?P<word>{_WORD})\s*[,:]?\s+(?P<one>{_THING})\s*,?\s+or\s+(?P<two>{_THING})\s*\?*$"
    rf"|^\s*(?:is|are)\s+(?P<a>{_THING})\s+(?P<than>{_WORD})\s+(?:[a-z ]{{2,20}}\s+)?than\s+(?P<b>{_THING})\s*\?*$"
    rf"|^\s*(?:is|are)\s+(?P<first>{_THING})\s+or\s+(?P<other>{_THING})\s+(?P<side>{_WORD})\b[^?]{{0,30}}\?*$",
    re.IGNORECASE,
)
_SIDE = "重|轻|贵|便宜|长|短|高|矮|大|小|快|慢|热|冷|远|近"
_WHICH_ZH = re.compile(
    rf"^(?P<one>[^，,？?]{{1,30}}?)(?:和|与|跟|、|还是)(?P<two>[^，,？?]{{1,30}}?)[，,]?(?:相比)?[，,]?哪一?(?:[个個款种台辆条家边]|(?=更))(?P<of>[\u4e00-\u9fff]{{2,5}}?)??(?:更|比较)?(?P<word>{_SIDE})(?:一些|一点)?[?？。]*$"
    rf"|^(?P<a>[^，,？?]{{1,30}}?)比(?P<b>[^，,？?]{{1,30}}?)更?(?P<than>{_SIDE})(?:一些|一点)?吗[?？。]*$"
)


def _whole(one: str, two: str) -> tuple[str, str]:
    """Both with the noun that one alone has: the big one or the small one stays, "a full or a half plot" gets its plot."""
    first, second = one.split(), two.split()
    return (f"{one} {second[-1]}" if len(second) == len(first) + 1 and len(second) > 1 else one), two


def parts(question: str) -> tuple[str, ...]:
    """Return the question for each of two things that are compared; none where nothing is."""
    match = _WHICH.match(question)
    if match is not None:
        noun = _OF[(match["word"] or match["than"] or match["side"]).lower()]
        one, two = (match["one"], match["two"]) if match["one"] else (match["a"], match["b"])
        one, two = (one, two) if one else (match["first"], match["other"])
        return tuple(f"What is the {noun} of {thing}?" for thing in _whole(one.strip(), two.strip()))
    match = _WHICH_ZH.match(question.strip())
    if match is not None:
        said = match["word"] or match["than"]
        noun = match["of"] or next(noun for noun, listed in _CHINESE.items() if said in listed)
        return tuple(f"{one}的{noun}是多少？" for one in (match["one"] or match["a"], match["two"] or match["b"]))
    return ()
