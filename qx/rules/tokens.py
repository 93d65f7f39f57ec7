"""Tokens of letters, digits and signs that mean something only as they stand: ``K60``, ``5G``, ``7-11``, ``f/2.8``."""

from __future__ import annotations

import re
from functools import lru_cache

from qx.text.normalise import characters_read

_TOKEN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]+(?:[./:\-][A-Za-z0-9]+)*")
_SPLIT = re.compile(r"/(?=[A-Za-z0-9])|(?<=\d)[-:](?=\d)")
"""Signs that a token loses its sense without; the hyphen of ``gpt-4`` is not one."""
_GLUED = re.compile(r"(?P<before>[A-Za-z]*)(?P<number>\d+(?:\.\d+)*)(?P<after>[A-Za-z]*)")
_DIGIT = re.compile("[0-9]")
_BARE = re.compile(r"(?<![A-Za-z0-9.])\d+(?:\.\d+)*(?![A-Za-z0-9])")


def spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return where the tokens of ``text`` stand that hold a digit and a letter, or digits around a sign."""
    return tuple(
        match.span()
        for match in _TOKEN.finditer(text)
        if any(ch.isdigit() for ch in match[0]) and not match[0].replace(".", "").isdigit()
    )


_SAID = re.compile(
    r"[\d〇零一二两兩三四五六七八九十百千万萬亿億半]+[多来來]?(?:元|块|塊|美元|歐元|欧元)?(?:以下|以上|以内|以內|之内|之內|左右|上下)"
    r"|[上下]一?次|到哪里?了|(?:弄|搞)?丢了|最后一?次|一个人|被[\u4e00-\u9fff]{1,2}?(?=的|了|怎|去|后|[\s,，。?？]|$)|谁(?:来)?(?:[出付管赔]|负责|承担)"
    r"|(?:跟|和|与|像)[^\s，。,、的和跟与]{1,12}(?:差不多|类似|相似|一样)(?=的|[\s，。,]|$)"
    r"|有[\u4e00-\u9fff]{1,3}(?=怎么办|怎么回事|咋办|咋回事|怎么处理|正常吗)|[\u4e00-\u9fff]不(?:齐(?!全)|稳(?!定)|紧(?!张)|直(?!接)|平(?![衡等均静凡坦])|严(?![重格])|牢(?!固))(?![\u4e00-\u9fff]?的)"
    r"|能[烤做吃煮炒蒸炸玩买喝种养](?:什么|哪些|啥)|(?:老是|总是|里面|上面|一直)有[\u4e00-\u9fff]{1,3}(?=$|怎么|[,，\s]|的|是)"
    r"|[粘黏缠卡糊挤]在一起|(?:能不能|可不可以|会不会|要不要|能否)[\u4e00-\u9fff]{1,2}(?=$|[\s?？])|(?<![\u4e00-\u9fff]人)人[多少](?=$|[\s,，。?？的])"
    r"|[做写拍画穿住吃睡跑长学说唱跳打装]得(?:更|很|最)?[\u4e00-\u9fff]{1,2}(?=$|[\s,，。?？])"
    r"|变(?:多|少|大|小|长|短|高|低|快|慢|黑|白|红|黄|软|硬|差|好|重|轻|胖|瘦|冷|热|卡|糊)(?!数)"
    r"|\b(?:out of (?:office|stock|memory|warranty|date|order)|set up|log in|sign in)\b"
    r"|(?<![A-Za-z0-9])[A-Za-z0-9]{1,8}(?:&[A-Za-z0-9]{1,8})+(?![A-Za-z0-9])"
    r"|(?<![是要])(?:不是|并非|不算)[^\s,，。;；!！?？]{1,8}?(?:的(?:也行|也可以|也可|也好|都行))?(?=[的吧吗嘛么呢啊,，。;；!！?？\s]|$)"
    r"|(?:不太|不怎么|不怎麼|不那么|不那麼|不是很|不得不)[\u4e00-\u9fff]{1,3}?(?=的|\s|$)"
)


def said(text: str) -> tuple[tuple[int, int], ...]:
    """Return where a limit in Chinese numerals , a softened negation a time of several or what an ampersand joins stands: 三萬以下, 不太甜, 上一次, S&P."""
    return tuple(match.span() for match in _SAID.finditer(characters_read(text)))


_COMPARED = re.compile(
    r"(?<![对相评无可好不])比(?![较如例方赛分价重率喻亚心基尼特])[^\s，。,、的]{1,20}?(?:更|还|要|都)?"
    r"(?:便宜|贵|好用?|强|大|小|轻|重|薄|厚|快|慢|长|短|高|低|省电|耐用|安静|新|老)(?:一?点|一些|得多|很多|不少)?(?=的|\s|[，。,、]|$)"
)


def compared(text: str) -> tuple[str, ...]:
    """Return what ``text`` measures a thing by: 比iPhone便宜 of 比iPhone便宜的手机."""
    if "比" not in text:
        return ()
    return tuple(text[match.start() : match.end()] for match in _COMPARED.finditer(characters_read(text)))


_DOTTED = re.compile(r"(?<![\w./])\.(?P<name>[A-Za-z][A-Za-z0-9_-]*)")
_NUMBERED = re.compile(
    r"(?<![\u4e00-\u9fff])(?!一[\u4e00-\u9fff]{1,4}就)[一二三四五六七八九十百千万兩两](?P<rest>[\u4e00-\u9fff]{2})"
)
"""A name that begins with a numeral (一加手机), but no 一 of 一打开就, "as soon as"."""


@lru_cache(maxsize=1024)
def _beginnings(text: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What ``text`` begins a name with, and how the name looks without it: NET, 加手机."""
    found = [
        (m[0], re.compile(rf"(?<![\w.]){re.escape(m['name'])}(?!\w)", re.IGNORECASE)) for m in _DOTTED.finditer(text)
    ]
    found += [(m[0], re.compile(rf"(?<![\u4e00-\u9fff]){m['rest']}")) for m in _NUMBERED.finditer(text)]
    return tuple((token, bare) for token, bare in found if not bare.search(text))


@lru_cache(maxsize=1024)
def _parts(text: str) -> tuple[tuple[tuple[str, str, str, str], ...], tuple[tuple[str, re.Pattern[str]], ...]]:
    if not _DIGIT.search(text):
        return (), ()
    glued: list[tuple[str, str, str, str]] = []
    split: list[tuple[str, re.Pattern[str]]] = []
    bare = frozenset(match[0] for match in _BARE.finditer(text))
    for start, end in spans(text):
        token = text[start:end]
        pieces = _SPLIT.split(token)
        if len(pieces) > 1:
            apart = r"\s+".join(map(re.escape, pieces))
            split.append((token, re.compile(rf"(?<![A-Za-z0-9]){apart}(?![A-Za-z0-9])", re.IGNORECASE)))
        glued += [
            (token, part["number"], part["before"], part["after"])
            for part in _GLUED.finditer(token)
            if (part["before"] or part["after"]) and part["number"] not in bare
        ]
    return tuple(glued), tuple(split)


def breakable(original: str) -> bool:
    """Whether ``original`` has a token that another text may break."""
    return bool(_beginnings(original)) or any(_parts(original))


def broken(original: str, text: str) -> str | None:
    """Return the token of ``original`` that ``text`` writes without its letters (``60``), its sign (``7 11``) or its beginning (``NET``).

    A space between letters and digits breaks nothing: ``RTX 3070``, ``16 GB``.
    """
    for token, bare in _beginnings(original):
        if bare.search(text):
            return token
    glued, split = _parts(original)
    if not glued and not split:
        return None
    for token, pattern in split:
        if pattern.search(text) and not pattern.search(original):
            return token
    for match in _BARE.finditer(text):
        owners = [part for part in glued if part[1] == match[0]]
        if owners and not any(_whole(text, match.start(), match.end(), b, a) for _, _, b, a in owners):
            return owners[0][0]
    return None


def _whole(text: str, start: int, end: int, before: str, after: str) -> bool:
    """Whether the bare number at ``start`` has its letters beside it; a unit may be written out or in Chinese (16克)."""
    if before and not re.search(rf"{before}[\s\-]*$", text[:start], re.IGNORECASE):
        return False
    return not after or bool(re.match(rf"[\s\-]?{after[0]}|[\u3400-\u9fff]", text[end:], re.IGNORECASE))
