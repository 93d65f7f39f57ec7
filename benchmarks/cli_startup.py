"""How long ``qx --help`` takes beside a bare click program that also imports pluggy and pydantic.

Run it by hand: ``python benchmarks/cli_startup.py [ROUNDS]``.  The runs are interleaved, so that whatever else the
machine does falls on both; the ratio of the medians is what counts (at most 1.3).
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

BARE = """
import click, pluggy, pydantic

@click.group()
def cli():
    "A bare program."

for name in ("understand", "expand", "explain", "doctor", "profile", "plugins", "cache", "cassette", "schema"):
    cli.add_command(click.Command(name, help=f"The command {name}."))
cli(["--help"])
"""

QX = "from qx.cli import main; main(['--help'])"

PROGRAMS = {"bare": BARE, "qx": QX, "import qx": "import qx"}


def seconds(program: str) -> float:
    """Return how long one run of ``program`` takes, from start to end of its process."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL, env=dict(os.environ))
    return time.perf_counter() - began


def main(rounds: int) -> None:
    """Print the median of each program and the ratio."""
    for program in PROGRAMS.values():  # byte code and disk caches are made before anything is counted
        seconds(program)
    times: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(rounds):
        for name, program in PROGRAMS.items():
            times[name].append(seconds(program))
    medians = {name: statistics.median(found) for name, found in times.items()}
    for name, median in medians.items():
        print(f"{name:10} {median * 1000:7.1f} ms   (best {min(times[name]) * 1000:.1f} ms)")
    ratios = [one / other for one, other in zip(times["qx"], times["bare"], strict=True)]
    print(
        f"qx --help / bare: {medians['qx'] / medians['bare']:.2f} (median of the pairs {statistics.median(ratios):.2f})"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
