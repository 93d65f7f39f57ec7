"""How often each judge of the plugin ``answer`` is right, on claims of the public set WiCE.

Run it by hand::

    QX_TEST_DATA=… python benchmarks/judges.py [--model FILE.gguf] [--cross-encoder FOLDER] [--claims 60] [--seed 7]

A claim, and of the cited article the sentences that people marked as supporting it; where they marked none, the three that
share the most words with it.  A third each is ``supported``, ``partially_supported`` and ``not_supported``; a judge is right
where it says that the first follow and the others do not.  Printed with each judge: its accuracy with a 95 % interval
(Wilson), how many supported claims it accepts, how many of the others it lets pass, how many it could not judge, and its
time.  Beside them what is there without a judge (numbers, units and negations alone), and always the same answer.

A model file runs in this process (``qx-query-llamacpp``); a cross-encoder is a folder with an ONNX model for NLI.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from qx import Engine, Profile
from qx.errors import QxError
from qx.text.segment import keywords, stem
from qx_answer import amounts, polarity
from qx_answer.judge import Judge, Pair
from qx_answer.judge_settings import JudgeSettings

LABELS = ("supported", "partially_supported", "not_supported")
LONGEST = 900
"""Characters of a passage: the model reads some 20 tokens a second."""

PATIENCE = 300.0
"""Seconds for one claim."""


@dataclass(frozen=True)
class Example:
    """A claim with its passage, and whether it follows."""

    pair: Pair
    follows: bool


def examples(path: Path, count: int, seed: int) -> list[Example]:
    """A third of each label, drawn by ``seed``."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    rng = random.Random(seed)
    made: list[Example] = []
    for label in LABELS:
        of_label = [row for row in rows if row["label"] == label]
        for row in rng.sample(of_label, min(len(of_label), count // len(LABELS))):
            pair = Pair(statement=row["claim"], passage=passage(row)[:LONGEST])
            made.append(Example(pair=pair, follows=label == "supported"))
    rng.shuffle(made)
    return made


def passage(row: dict[str, list[object]]) -> str:
    """The sentences that support the claim, or else those that share the most words with it."""
    sentences = [str(one) for one in row["evidence"]]
    marked = next((group for group in row["supporting_sentences"] if group), [])
    if not isinstance(marked, list) or not marked:
        wanted = {stem(word) for word in keywords(str(row["claim"]))}
        shared = [len(wanted & {stem(word) for word in keywords(sentence)}) for sentence in sentences]
        marked = sorted(sorted(range(len(sentences)), key=lambda i: -shared[i])[:3])
    return " ".join(sentences[int(i)] for i in marked)


Says = Callable[[Sequence[Pair]], Awaitable[list[bool | None]]]


async def without(pairs: Sequence[Pair]) -> list[bool | None]:
    """Numbers, units and negations alone."""
    return [
        amounts.differing(pair.statement, pair.passage) is None
        and polarity.turned(pair.statement, pair.passage) is None
        for pair in pairs
    ]


async def always(pairs: Sequence[Pair]) -> list[bool | None]:
    """That none follows."""
    return [False] * len(pairs)


def by(judge: Callable[[], Awaitable[Judge]]) -> Says:
    """What a judge says, one claim at a time, so that no claim sways another."""

    async def says(pairs: Sequence[Pair]) -> list[bool | None]:
        made = await judge()
        found: list[bool | None] = []
        for n, pair in enumerate(pairs, 1):
            try:
                (one,) = await made.judge([pair])
                found.append(None if one.label is None else one.label == "follows")
            except QxError as error:
                print(f"claim {n}: {error}")
                found.append(None)
            print(f"\r{n} of {len(pairs)}", end="", flush=True)
        print("\r", end="")
        return found

    return says


async def report(name: str, says: Says, asked: Sequence[Example]) -> None:
    """Print one line."""
    began = time.perf_counter()
    said = await says([example.pair for example in asked])
    seconds = time.perf_counter() - began
    right = sum(answer is example.follows for answer, example in zip(said, asked, strict=True))
    low, high = wilson(right, len(asked))
    accepted = sum(answer is True and example.follows for answer, example in zip(said, asked, strict=True))
    passed = sum(answer is True and not example.follows for answer, example in zip(said, asked, strict=True))
    true = sum(example.follows for example in asked)
    print(
        f"{name:24}{right / len(asked):7.0%} ({low:.0%} to {high:.0%})   accepts {accepted} of {true}, lets pass {passed} of "
        f"{len(asked) - true}, not judged {sum(answer is None for answer in said)}, {seconds:.0f} s"
    )


def wilson(right: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's)."""
    z = 1.96
    share = right / count
    centre, width = (
        share + z * z / (2 * count),
        z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)),
    )
    return (centre - width) / (1 + z * z / count), (centre + width) / (1 + z * z / count)


async def run(options: argparse.Namespace) -> None:
    """Print a line for each judge that is there."""
    asked = examples(Path(os.environ["QX_TEST_DATA"]) / "claims" / "wice_claim_dev.jsonl", options.claims, options.seed)
    print(f"{len(asked)} claims, {sum(one.follows for one in asked)} of which follow (seed {options.seed})")
    await report("always `not-said`", always, asked)
    await report("no judge", without, asked)
    if options.cross_encoder:
        settings = JudgeSettings(type="cross-encoder", path=options.cross_encoder, length=options.length)

        async def encoder() -> Judge:
            from qx_answer.cross_encoder import load

            return load(options.cross_encoder, settings, asyncio.to_thread)

        await report("cross-encoder", by(encoder), asked)
    if options.model:
        await by_model(options, asked)


async def by_model(options: argparse.Namespace, asked: Sequence[Example]) -> None:
    """The profile's model as a judge; a model file in this process."""
    from qx_answer.model_judge import ModelJudge

    os.environ.setdefault("QX_ALLOW_PATHS", str(options.model.parent))
    block = {"provider": "llamacpp", "model": str(options.model), "retries": 0}
    profile = Profile.model_validate({"llm": block, "deadline": "600s", "tenant": "benchmark"})
    async with Engine.opened(profile) as engine:

        class Fresh:
            """A request of its own for each claim: a budget is one request's."""

            name = "model"

            async def judge(self, pairs: Sequence[Pair], /):
                return await ModelJudge(engine.begin("", step="judge"), seconds=PATIENCE).judge(pairs)

        async def fresh() -> Judge:
            return Fresh()

        await report(options.model.stem, by(fresh), asked)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--cross-encoder", type=Path)
    parser.add_argument("--claims", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--length", type=int, default=512)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
