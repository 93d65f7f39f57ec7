"""How much of the reference tables an engine meets: the rules, and beside them the model of a profile.

Run it by hand: ``python benchmarks/reference.py [--profile FILE] [--mode llm] [--only-requirements] [--limit N]``.

The queries are those of ``tests/reference/queries.yaml`` (analysis) and ``expansions.yaml`` (expansions); those with a
filter or a limit of their own are left out.  Each is sent through ``Engine.expand`` and every expectation of the tables
counts as one, met or missed:

- ``intents``: a listed intent is found, and the first found is a listed one;
- ``entities``: found by name; ``types``: with the table's type too, where it gives one;
- ``constraints``: found with field, operator, value, unit and hardness, all equal;
- ``needs``: the word occurs in an implicit need;
- ``sentiment``, ``stance``, ``kind``, ``language``, ``negations``, ``senses``: as they are called;
- ``must``: the words occur together in one query; ``must not``: the word occurs in none; ``every``: in each query;
- ``number``: as many queries as the table asks for (five, where it does not say); ``abstained``: left alone or not.

The tables say what rules must find, in the rules' own words: a model that says the same in other words misses.  A
local model may take a minute for each query: Ctrl-C stops it, and what it has done is shown.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml

from qx import Engine, Expansion, Profile, Query, Understanding
from qx.plugins import Plugins
from qx.profiles import load_profile
from qx.rules.terms import plain

TABLES = Path(__file__).parent.parent / "tests" / "reference"
NAMED = "# --- named ---"
NOW = datetime(2026, 6, 15, 10, tzinfo=ZoneInfo("Asia/Shanghai"))
AIM = 5
COLUMNS = ("intents", "entities", "types", "constraints", "needs", "sentiment", "stance", "kind", "language",
           "negations", "senses", "must", "must not", "every", "number", "abstained")  # fmt: skip

Row = dict[str, Any]
Check = tuple[str, str, bool]
"""A column, what the table wants, and whether it is met."""


def named(path: Path) -> list[Row]:
    """The rows of the section ``named``."""
    after = path.read_text("utf-8").split(NAMED, 1)[1]
    return yaml.safe_load(after.split("\n# ---", 1)[0])


def rows(*, only_requirements: bool) -> list[Row]:
    """The rows of both tables, joined by their texts."""
    read = named if only_requirements else lambda path: yaml.safe_load(path.read_text("utf-8"))
    joined: dict[str, Row] = {}
    for row in yaml.safe_load((TABLES / "queries.yaml").read_text("utf-8")):
        joined[row["text"]] = dict(row)
    wanted = {row["text"] for row in read(TABLES / "queries.yaml")}
    for row in read(TABLES / "expansions.yaml"):
        if not {"filtered", "limit"} & set(row):
            wanted.add(row["text"])
            joined.setdefault(row["text"], {"text": row["text"]})["expansions"] = row
    return [row for text, row in joined.items() if text in wanted]


def analysed(row: Row, found: Understanding) -> Iterator[Check]:
    """Compare an analysis with its row."""
    if wanted := row.get("intents"):
        met = set(wanted) <= set(found.intent) and found.intent[0] in wanted
        yield "intents", f"{wanted}, found {list(found.intent)}", met
    for entity in row.get("entities", ()):
        same = [e for e in found.entities if entity["text"].casefold() in (e.text.casefold(), e.canonical.casefold())]
        yield "entities", entity["text"], bool(same)
        if "type" in entity:
            types = [e.type for e in same]
            yield "types", f"{entity['text']}: {entity['type']}, found {types}", entity["type"] in types
    for wish in row.get("constraints", ()):
        met = any(all(getattr(c, key) == part for key, part in wish.items()) for c in found.constraints)
        yield "constraints", " ".join(str(part) for part in wish.values()), met
    for word in row.get("implicit_needs", ()):
        yield "needs", word, any(word in need for need in found.implicit_needs)
    for key, own in (("sentiment", found.sentiment.label), ("stance", found.stance), ("kind", found.kind),
                     ("language", found.language)):  # fmt: skip
        if key in row:
            yield key, f"{row[key]}, found {own}", row[key] == own
    for word in row.get("negations", ()):
        yield "negations", word, word in found.negations
    for label in row.get("senses", ()):
        yield "senses", label, label in {s.label for s in found.senses}


def expanded(row: Row, found: Expansion) -> Iterator[Check]:
    """Compare the queries beside the original with their row."""
    if (wanted := row.get("expansions")) is None:
        return
    left_alone = wanted.get("abstained", False)
    yield "abstained", f"{left_alone}, found {found.abstained}", left_alone == (found.abstained is not None)
    if left_alone:
        return
    queries = found.queries[1:]
    texts = [plain(q.text) for q in queries]
    for words in wanted.get("must", ()):
        yield "must", words, any(all(w in text for w in plain(words).split()) for text in texts)
    for word in wanted.get("must_not", ()):
        yield "must not", word, not any(word.casefold() in q.text.casefold() for q in queries)
    for word in wanted.get("every", ()):
        whole = [q.text.casefold() for q in queries if q.strategy != "decompose"]
        yield "every", word, all(word.casefold() in text for text in whole)
    least = wanted.get("at_least", AIM)
    yield "number", f"{least}, found {len(queries)}", len(queries) >= least


@dataclass
class Score:
    """What one engine met."""

    met: Counter[str] = field(default_factory=Counter)
    all: Counter[str] = field(default_factory=Counter)
    misses: list[tuple[str, str, str]] = field(default_factory=list)
    falls: list[tuple[str, str]] = field(default_factory=list)
    queries: int = 0
    dropped: int = 0
    seconds: float = 0.0
    tokens: tuple[int, int] = (0, 0)

    def add(self, row: Row, expansion: Expansion, seconds: float) -> None:
        for column, wanted, met in (*analysed(row, expansion.understanding), *expanded(row, expansion)):
            self.all[column] += 1
            self.met[column] += met
            if not met:
                self.misses.append((row["text"], column, wanted))
        self.falls += [(row["text"], f"{d.step} -> {d.rung}: {d.reason}") for d in expansion.degraded]
        self.queries += 1
        self.dropped += sum(not d.reason.startswith("over the limit") for d in expansion.dropped)
        self.seconds += seconds
        spent = expansion.usage
        self.tokens = (self.tokens[0] + spent.input_tokens, self.tokens[1] + spent.output_tokens)

    def share(self, column: str) -> str:
        total = self.all[column]
        return f"{self.met[column]}/{total} ({self.met[column] / total:.0%})" if total else "-"


async def run(name: str, profile: Profile, chosen: list[Row], plugins: Plugins) -> Score:
    """Send every query through one engine, one after the other."""
    score = Score()
    async with Engine.opened(profile, plugins=plugins) as engine:
        for number, row in enumerate(chosen, 1):
            began = time.perf_counter()
            try:
                expansion = await engine.expand(Query(text=row["text"], now=NOW))
            except asyncio.CancelledError:  # Ctrl-C
                break
            taken = time.perf_counter() - began
            score.add(row, expansion, taken)
            print(f"{name} {number}/{len(chosen)} {taken:.1f} s {row['text']}", file=sys.stderr, flush=True)
            for query in expansion.queries[1:]:
                print(f"    {query.strategy}: {query.text}", file=sys.stderr)
            for dropped in expansion.dropped:
                print(f"    dropped, {dropped.reason}: {dropped.text}", file=sys.stderr)
    return score


def show(scores: Mapping[str, Score]) -> None:
    """Print a table, and what was missed."""
    scores = {name: score for name, score in scores.items() if score.queries}
    print("| | " + " | ".join(scores) + " |\n|---|" + "---|" * len(scores))
    lines = {"queries": [str(s.queries) for s in scores.values()]}
    lines |= {column: [s.share(column) for s in scores.values()] for column in COLUMNS}
    lines["all of them"] = [f"{s.met.total()}/{s.all.total()} ({s.met.total() / s.all.total():.0%})" for s in scores.values()]  # fmt: skip
    lines["degraded (queries)"] = [str(len({text for text, _ in s.falls})) for s in scores.values()]
    lines["candidates dropped"] = [str(s.dropped) for s in scores.values()]
    lines["seconds a query"] = [f"{s.seconds / s.queries:.3g}" for s in scores.values()]
    lines["tokens a query, in + out"] = [f"{s.tokens[0] // s.queries} + {s.tokens[1] // s.queries}" for s in scores.values()]  # fmt: skip
    for column, cells in lines.items():
        print(f"| {column} | " + " | ".join(cells) + " |")
    for name, score in scores.items():
        print(f"\nMissed by {name}: {len(score.misses)}")
        for text, column, wanted in score.misses:
            print(f"- {text}: {column}: {wanted}")
        for text, fall in score.falls:
            print(f"- {text}: degraded: {fall}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The share of the reference tables that rules and a profile meet.")
    parser.add_argument("--profile", type=Path, help="a profile with a model; without it only rules run")
    parser.add_argument(
        "--mode", choices=["llm", "llm-single", "auto"], help="instead of the profile's understand.mode"
    )
    parser.add_argument("--limit", type=int, help="only the first N queries")
    parser.add_argument("--only-requirements", action="store_true", help=f"only the rows under {NAMED!r}")
    return parser.parse_args()


async def main() -> None:
    """Run and print."""
    chosen_by = arguments()
    plugins = Plugins.load()
    chosen = rows(only_requirements=chosen_by.only_requirements)[: chosen_by.limit]
    scores = {"rules": await run("rules", Profile(tenant="rules"), chosen, plugins)}
    if chosen_by.profile is not None:
        profile = load_profile(chosen_by.profile, plugins=plugins)
        if chosen_by.mode:
            understand = profile.understand.model_copy(update={"mode": chosen_by.mode})
            profile = profile.model_copy(update={"understand": understand})
        name = f"{profile.llm.model if profile.llm else 'no model'}, {profile.understand.mode}"
        scores[name] = await run(name, profile, chosen, plugins)
    show(scores)


if __name__ == "__main__":
    asyncio.run(main())
