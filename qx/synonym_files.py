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
from qx.validation import Locate
from qx.yaml import Loc, Place

LIMIT = 32_000_000
"""Bytes of a file."""
MOST_WORDS = 200
"""Words of one set: each of them brings all the others, so that the memory goes by the square."""
MOST_PAIRS = 1_000_000
"""Replacements (a word by another) of all sets of a profile or a pack: a hundred megabytes or so."""
LONGEST_WORD = 200
"""Letters of a word."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_WORDNET = re.compile(r"s\((?P<id>\d+),\d+,'(?P<word>(?:[^']|'')*)',[nvasr],\d+,\d+\)\.\s*")


def pairs(one: SynonymSet) -> int:
    """Return how many replacements a set stands for."""
    return len(one.words) * (1 if one.of is not None else len(one.words) - 1)


def wrong_word(word: str) -> tuple[str, str] | None:
    """Return what is wrong with a word of a set, and what to do."""
    if len(word) > LONGEST_WORD:
        return f"a word of {len(word):,} letters, {LONGEST_WORD} are the most", "remove it, or is a comma missing?"
    if _CONTROL.search(word):
        return f"{word!r} holds a control character", "remove it"
    return None


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
    found, total = list[SynonymSet](), 0
    for one in sets:
        made = _of(one, folder, allowed, error)
        total += sum(map(pairs, made))
        if total > MOST_PAIRS:
            raise error(
                f"more than {MOST_PAIRS:,} replacements in all",
                file=None if one.file is None else str(folder / one.file),
                hint="leave out what nobody asks for",
            )
        found += made
    return tuple(found)


class Sources:
    """Where each of the sets is written that ``expanded`` returns.  Reads their files once more, when it is first asked."""

    def __init__(
        self, sets: Sequence[SynonymSet], folder: Path, locate: Locate, *, allowed: tuple[Path, ...] = ()
    ) -> None:
        """Take what ``expanded`` took, and ``locate``: where ``("synonyms", 3)`` of the list as it is written stands."""
        self._sets, self._folder, self._locate, self._allowed = tuple(sets), folder, locate, allowed
        self._origins: tuple[tuple[int, Place | None], ...] | None = None

    def place(self, at: int, below: Loc = ()) -> Place:
        """Return where set ``at`` is written, and in a list ``below`` of it; of a file's set the file and the line."""
        if self._origins is None:
            self._origins = tuple(self._read())
        if at >= len(self._origins):  # a file became shorter meanwhile
            return self._locate(("synonyms",))
        index, place = self._origins[at]
        return place or self._locate(("synonyms", index, *below))

    def _read(self) -> Iterator[tuple[int, Place | None]]:
        for index, one in enumerate(self._sets):
            if one.file is None:
                yield index, None
                continue
            path = _path(one.file, self._folder, self._allowed)
            for line, _ in _numbered(path, one.language, PackError):
                yield index, Place(file=str(path), line=line)


def _path(file: str, folder: Path, allowed: tuple[Path, ...]) -> Path:
    try:
        return confine(Path(file), folder, allowed=allowed)
    except NotAllowed as exc:
        raise NotAllowed(f"synonyms: {exc}") from exc


def _of(one: SynonymSet, folder: Path, allowed: tuple[Path, ...], error: type[ProfileError]) -> Sequence[SynonymSet]:
    if one.file is None:
        return (one,)
    return read_synonyms(_path(one.file, folder, allowed), language=one.language, error=error)


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
    return tuple(one for _, one in _numbered(path, language, error))


def _numbered(path: Path, language: str | None, error: type[ProfileError]) -> tuple[tuple[int | None, SynonymSet], ...]:
    """The sets of a file, each with its line where the form has lines."""
    text = _text(path, error)
    start = text.lstrip()
    try:
        if start.startswith("["):
            hint = r'write {"synonyms_set": [...]}; a word of Solr\'s form that begins so is \[word'
            raise _NoRule("a list, and no form of synonyms", text[: -len(start)].count("\n") + 1, hint)
        if start.startswith("{"):
            rules = _of_api(start)
        elif _WORDNET.match(start):
            rules = _of_wordnet(text)
        else:
            rules = _of_solr(text.splitlines())
        return tuple(_sets(rules, language))
    except _NoRule as wrong:
        raise error(wrong.said, file=str(path), line=wrong.line, hint=wrong.hint) from None


class _NoRule(ValueError):
    def __init__(self, said: str, line: int | None, hint: str) -> None:
        super().__init__(said)
        self.said, self.line, self.hint = said, line, hint


_Rules = Iterator[tuple[int | None, str | None, tuple[str, ...]]]
"""The line of a rule, where the form has lines; the word that alone is replaced; the words."""


def _sets(rules: _Rules, language: str | None) -> Iterator[tuple[int | None, SynonymSet]]:
    total = 0
    for line, of, words in rules:
        _check(words, line)
        if len(words) <= (0 if of is not None else 1):
            continue
        made = SynonymSet(words=words, of=of, language=language)
        total += pairs(made)
        if total > MOST_PAIRS:
            raise _NoRule(f"more than {MOST_PAIRS:,} replacements", line, "leave out what nobody asks for")
        yield line, made


def _check(words: Sequence[str], line: int | None) -> None:
    if len(words) > MOST_WORDS:
        said = f"{len(words):,} words in one rule, {MOST_WORDS} are the most"
        raise _NoRule(said, line, "keep those that say the same, or write a, b => c")
    for word in words:
        if problem := wrong_word(word):
            raise _NoRule(problem[0], line, problem[1])


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
            _check(words, number)
            for word in words:
                yield number, word, tuple(other for other in sides[1] if other != word)
        elif len(words) == 1 and re.search("[，、；]", words[0]):
            raise _NoRule("one word, with a comma of Chinese inside", number, "words are apart by ','")
        else:
            yield number, None, words


def _split(text: str, mark: str) -> list[str]:
    """Cut ``text`` at each ``mark`` that no backslash stands before; backslashes stay."""
    if "\\" not in text:  # nearly every line of a large file
        return text.split(mark)
    parts, start = list[str](), 0
    for found in re.finditer(rf"\\.|{re.escape(mark)}", text, re.DOTALL):
        if found[0] == mark:
            parts.append(text[start : found.start()])
            start = found.end()
    return [*parts, text[start:]]


def _words(side: str) -> tuple[str, ...]:
    plain = (" ".join(_unescaped(part).split()) for part in _split(side, ","))
    return tuple(dict.fromkeys(word for word in plain if word))


def _unescaped(part: str) -> str:
    return re.sub(r"\\(.)", r"\1", part) if "\\" in part else part


def _of_api(text: str) -> _Rules:
    hint = 'write {"synonyms_set": [{"synonyms": "laptop, notebook"}]}'
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise _NoRule(f"not JSON: {exc}", getattr(exc, "lineno", None), hint) from None
    found: object = cast("dict[str, object]", data).get("synonyms_set") if isinstance(data, dict) else None
    if not isinstance(found, list):
        raise _NoRule("there is no list under synonyms_set", None, hint)
    for number, item in enumerate(cast("list[object]", found), 1):
        said = cast("dict[str, object]", item).get("synonyms") if isinstance(item, dict) else None
        if not isinstance(said, str):
            raise _NoRule(f"rule {number} has no text under synonyms", None, hint)
        try:
            for _, of, words in _of_solr([said]):
                _check(words, None)
                yield None, of, words
        except _NoRule as wrong:
            raise _NoRule(f"rule {number}: {wrong.said}", None, wrong.hint) from None


def _of_wordnet(text: str) -> _Rules:
    together: dict[str, dict[str, int]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        found = _WORDNET.fullmatch(line.strip())
        if found is None:
            raise _NoRule("not a line of WordNet", number, "such as s(100000001,1,'laptop',n,1,0).")
        word = found["word"].replace("''", "'")
        _check([word], number)
        together.setdefault(found["id"], {}).setdefault(word, number)
    for words in together.values():
        yield min(words.values()), None, tuple(words)
