"""A chat log of a million messages: importing, searching, and the memory that it takes.

Run it by hand, with the plugin installed:

    python benchmarks/chatlog.py [--messages 1000000] [--users 1000] [--postgres DSN] [--folder FOLDER]

Made-up talk, half of it English and half Chinese, of 24 words a message on average by Zipf's law (so that common words
are in a tenth of all messages), arrives in the order of time, all users mixed, 5,000 messages at a time.  Then 200
searches with filters (a time range of half the log, one role), each of another user, with three words of other
frequencies; then, in a second log, one user with all of the messages.  Memory is the most that the process had at any
time (``ru_maxrss``), the making of the messages included; each log is a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import bisect
import itertools
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from qx import Principal
from qx_chatlog.message import Message
from qx_chatlog.store import ChatStore, Filters, Search

BATCH = 5_000
WORDS = 30_000
SEARCHES = 200
START = datetime(2024, 1, 1, tzinfo=UTC)


class Talk:
    """Sentences of made-up words, by Zipf's law."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        syllables = [
            "ban",
            "cor",
            "du",
            "fel",
            "ba",
            "do",
            "ki",
            "lu",
            "me",
            "ra",
            "so",
            "ti",
            "ven",
            "mor",
            "lin",
            "pas",
            "ter",
            "gul",
        ]
        made = {"".join(self.random.choices(syllables, k=self.random.randint(3, 4))) for _ in range(WORDS * 2)}
        self.english = sorted(made)[:WORDS]
        self.random.shuffle(self.english)
        han = [chr(point) for point in range(0x4E00, 0x4E00 + 2500)]
        self.chinese = ["".join(self.random.choices(han, k=self.random.choice((1, 2, 2, 2, 3)))) for _ in range(WORDS)]
        self.cumulated = list(itertools.accumulate(1 / (rank + 10) for rank in range(1, WORDS + 1)))

    def word(self, words: list[str]) -> str:
        """Return a word, the more often the earlier it stands in the list."""
        return words[bisect.bisect(self.cumulated, self.random.random() * self.cumulated[-1])]

    def sentence(self) -> str:
        """Return what somebody says."""
        size = max(2, int(self.random.expovariate(1 / 24)))
        if self.random.random() < 0.5:
            return " ".join(self.word(self.english) for _ in range(size))
        return "，".join("".join(self.word(self.chinese) for _ in range(6)) for _ in range(max(1, size // 6)))

    def question(self) -> str:
        """Return three words of which at least one is common."""
        words = self.english if self.random.random() < 0.5 else self.chinese
        return " ".join([self.random.choice(words[:100]), self.word(words), self.word(words)])


def batches(messages: int, users: int, talk: Talk) -> Iterator[list[Message]]:
    """Yield the log, a batch at a time."""
    for start in range(0, messages, BATCH):
        yield [
            Message(
                id=f"m{n}",
                tenant="bench",
                user=f"u{talk.random.randrange(users)}",
                session=f"s{n // (40 * users)}",
                role="user" if n % 2 else "assistant",
                time=START + timedelta(seconds=30 * n),
                content=talk.sentence(),
            )
            for n in range(start, min(messages, start + BATCH))
        ]


async def opened(folder: Path, dsn: str | None) -> ChatStore:
    """Open an empty store."""
    if dsn:
        from qx_chatlog.postgres.store import PostgresStore

        return await PostgresStore.open(dsn)
    from qx_chatlog.sqlite.store import SqliteStore

    return await SqliteStore.open(folder / "chat.db")


async def measure(messages: int, users: int, folder: Path, dsn: str | None) -> None:
    """Fill a store, search in it, and print what that took."""
    talk = Talk(7)
    store = await opened(folder, dsn)
    spent = worked = 0.0
    for batch in batches(messages, users, talk):
        began, ran = time.perf_counter(), time.process_time()
        await store.append(batch)
        spent += time.perf_counter() - began
        worked += time.process_time() - ran
    print(
        f"  import        {messages / spent:10,.0f} messages/s, {messages / worked:,.0f} a second of this process's CPU"
    )
    middle = START + timedelta(seconds=15 * messages)
    taken: list[float] = []
    found = 0
    for _ in range(SEARCHES if users > 1 else 30):
        who = Principal(tenant="bench", user=f"u{talk.random.randrange(users)}")
        asked = Search(text=talk.question(), filters=Filters(since=middle, roles=("user",)))
        began = time.perf_counter()
        found += len((await store.search(who, asked)).hits)
        taken.append((time.perf_counter() - began) * 1000)
    taken.sort()
    print(
        f"  search        {statistics.median(taken):10.1f} ms median, {taken[int(len(taken) * 0.95)]:.1f} at 95 %, "
        f"{found / len(taken):.1f} found each"
    )
    await store.aclose()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  memory        {peak:10.0f} MB at most")
    if not dsn:
        print(f"  file          {(folder / 'chat.db').stat().st_size / 1e6:10.0f} MB")


def main() -> None:
    """Measure each log in a process of its own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--users", type=int, default=1_000)
    parser.add_argument("--postgres", help="the DSN of an empty database; without it SQLite")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--one", action="store_true", help="only this log, in this process")
    args = parser.parse_args()
    if args.one:
        with tempfile.TemporaryDirectory(dir=args.folder) as folder:
            asyncio.run(measure(args.messages, args.users, Path(folder), args.postgres))
        return
    for users in (args.users, 1):
        print("PostgreSQL" if args.postgres else "SQLite", f"{args.messages:,} messages, {users:,} users", flush=True)
        given = ["--messages", str(args.messages), "--users", str(users), "--one"]
        given += ["--postgres", args.postgres] if args.postgres else []
        given += ["--folder", str(args.folder)] if args.folder else []
        subprocess.run([sys.executable, __file__, *given], check=True)


if __name__ == "__main__":
    main()
