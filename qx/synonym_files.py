"""Synonym files as search engines keep them: of Solr and Elasticsearch, of Elasticsearch's synonyms API, of WordNet.

``synonyms: [{file: synonyms.txt}]`` in a profile or a pack stands for the sets of that file, so that one file serves the
engine and qx.  The form is recognised:

- Solr's, a rule a line: ``laptop, notebook`` may replace one another, ``cellphone, handy => mobile phone`` only the left
  side by the right; ``#`` begins a comment, ``\\,`` is a comma, ``\\=`` an equals sign.  Elasticsearch reads the same.
- ``{"synonyms_set": [{"id": "1", "synonyms": "laptop, notebook"}]}``: what Elasticsearch's API takes and gives.
- ``s(100000001,1,'laptop',n,1,0).``: WordNet's, as both engines read it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from qx.domain import SynonymSet
from qx.errors import NotAllowed, PackError, ProfileError
from qx.paths import confine

LIMIT = 32_000_000
"""Bytes of a file."""

_WORDNET = re.compile(r"s\((?P<id>\d+),\d+,'(?P<word>(?:[^']|'')*)',[nvasr],\d+,\d+\)\.\s*")


def expanded(
    sets: Sequence[SynonymSet],
    folder: Path,
    *,
    allowed: tuple[Path, ...] = (),
    error: type[ProfileError] = ProfileError,
) -> tuple[SynonymSet, ...]:
    """Return ``sets`` with those of its files in their places.

    Args:
        folder: Where the paths start, and what they may not leave.
        allowed: Further folders that they may name.
        error: What is raised.

    Raises:
        ProfileError: a file is not there, cannot be read, or holds what is no rule; with its line.
        NotAllowed: a path leads out of the folder.
    """
    if all(one.file is None for one in sets):
        return tuple(sets)
    return tuple(made for one in sets for made in _of(one, folder, allowed, error))


def _of(one: SynonymSet, folder: Path, allowed: tuple[Path, ...], error: type[ProfileError]) -> Sequence[SynonymSet]:
    if one.file is None:
        return (one,)
    try:
        path = confine(Path(one.file), folder, allowed=allowed)
    except NotAllowed as exc:
        raise NotAllowed(f"synonyms: {exc}") from exc
    return read_synonyms(path, language=one.language, error=error)


def read_synonyms(
    path: Path, *, language: str | None = None, error: type[ProfileError] = PackError
) -> tuple[SynonymSet, ...]:
    """Read a file of synonyms; a rule of one word says nothing and is left out.

    Args:
        language: Of its words; None: any.
        error: What is raised.

    Raises:
        ProfileError: it cannot be read, or a line is no rule; with the line.
    """
    text = _text(path, error)
    start = text.lstrip()
    try:
        if start.startswith("{"):
            rules = _of_api(start)
        elif _WORDNET.match(start):
            rules = _of_wordnet(text)
        else:
            rules = _of_solr(text.splitlines())
        return tuple(
            SynonymSet(words=words, of=of, language=language)
            for of, words in rules
            if len(words) > (0 if of is not None else 1)
        )
    except _NoRule as wrong:
        raise error(wrong.said, file=str(path), line=wrong.line, hint=wrong.hint) from None


class _NoRule(ValueError):
    def __init__(self, said: str, line: int | None, hint: str) -> None:
        super().__init__(said)
        self.said, self.line, self.hint = said, line, hint


_Rules = Iterator[tuple[str | None, tuple[str, ...]]]


def _text(path: Path, error: type[ProfileError]) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except OSError as exc:
        raise error(
            f"the synonyms cannot be read: {exc.strerror or exc}", file=str(path), hint="look at the path"
        ) from exc
    if len(data) > LIMIT:
        raise error(f"more than {LIMIT:,} bytes", file=str(path), hint="split the file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data[: exc.start].count(b"\n") + 1
        raise error("this is not UTF-8", file=str(path), line=line, hint="save the file as UTF-8") from exc


def _of_solr(lines: Sequence[str]) -> _Rules:
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        sides = [_words(side) for side in _split(line, "=>")]
        if len(sides) > 2:
            raise _NoRule("a rule has one =>", number, r"write \=> where the words hold one")
        if not all(sides):
            raise _NoRule("a side of the => holds no word", number, "write a, b => c")
        words = sides[0]
        if len(sides) == 2:
            for word in words:
                yield word, tuple(other for other in sides[1] if other != word)
        elif len(words) == 1 and re.search("[，、；]", words[0]):
            raise _NoRule("one word, with a comma of Chinese inside", number, "words are apart by ','")
        else:
            yield None, words


def _split(text: str, mark: str) -> list[str]:
    """Cut ``text`` at each ``mark`` that no backslash stands before; backslashes stay."""
    parts, part, index = list[str](), "", 0
    while index < len(text):
        if text[index] == "\\":
            part += text[index : index + 2]
            index += 2
        elif text.startswith(mark, index):
            parts.append(part)
            part = ""
            index += len(mark)
        else:
            part += text[index]
            index += 1
    return [*parts, part]


def _words(side: str) -> tuple[str, ...]:
    plain = (" ".join(re.sub(r"\\(.)", r"\1", part).split()) for part in _split(side, ","))
    return tuple(dict.fromkeys(word for word in plain if word))


def _of_api(text: str) -> _Rules:
    hint = 'write {"synonyms_set": [{"synonyms": "laptop, notebook"}]}'
    try:
        data: object = json.loads(text)
    except ValueError as exc:
        raise _NoRule(f"not JSON: {exc}", getattr(exc, "lineno", None), hint) from None
    found: object = cast("dict[str, object]", data).get("synonyms_set") if isinstance(data, dict) else None
    if not isinstance(found, list):
        raise _NoRule("there is no list under synonyms_set", None, hint)
    for number, item in enumerate(cast("list[object]", found), 1):
        said = cast("dict[str, object]", item).get("synonyms") if isinstance(item, dict) else None
        if not isinstance(said, str):
            raise _NoRule(f"rule {number} has no text under synonyms", None, hint)
        try:
            yield from _of_solr([said])
        except _NoRule as wrong:
            raise _NoRule(f"rule {number}: {wrong.said}", None, wrong.hint) from None


def _of_wordnet(text: str) -> _Rules:
    together: dict[str, dict[str, None]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        found = _WORDNET.fullmatch(line.strip())
        if found is None:
            raise _NoRule("not a line of WordNet", number, "such as s(100000001,1,'laptop',n,1,0).")
        together.setdefault(found["id"], {})[found["word"].replace("''", "'")] = None
    for words in together.values():
        yield None, tuple(words)
