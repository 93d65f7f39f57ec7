"""Writes rows for ``qx eval understand`` from the public set CLINC150, by the mapping in ``intents.yaml``.

    python public_rows.py $QX_TEST_DATA/intents/clinc150_test.jsonl > pack.jsonl
    python public_rows.py --general $QX_TEST_DATA/intents/clinc150_test.jsonl > general.jsonl

The set itself is not part of the project: it is read where it lies.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

MAPPING = Path(__file__).with_name("intents.yaml")


def rows(file: Path, *, general: bool) -> Iterator[dict[str, object]]:
    """Yield a row for each query whose label the mapping knows.

    Args:
        file: Rows of ``{"text", "intent"}``, one object a line.
        general: Whether to want the nearest general intent, for a reading without the pack.
    """
    mapping = yaml.safe_load(MAPPING.read_text(encoding="utf-8"))
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            query = json.loads(line)
            meant = mapping.get(query["intent"])
            if meant is not None:
                yield {"text": query["text"], "language": "en", "kind": query["intent"], "intents": [meant[general]]}


def main() -> None:
    """Write the rows to standard output."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="a file of CLINC150")
    parser.add_argument("--general", action="store_true", help="want the nearest general intents")
    given = parser.parse_args()
    for row in rows(given.file, general=given.general):
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
