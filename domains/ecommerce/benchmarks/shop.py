"""Writes what the pack is measured on with public data: two profiles, and the shop's constrained queries as a BEIR folder.

::

    QX_TEST_DATA=DIR python domains/ecommerce/benchmarks/shop.py WORK

``DIR/shop`` is the product set of ``benchmarks/results.py``; the queries of conditions are made by ``benchmarks/sets.py``.
Then, in ``WORK``::

    qx eval run constrained -p without.yaml -p with.yaml --index
    qx eval run shop -p without.yaml -p with.yaml
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROFILE = """\
tenant: shop
deadline: 30s
{domains}cache: {{type: none}}
understand: {{mode: rules}}
search:
  backends:
    main:
      type: local
      path: index
      fields: {fields}
"""


def main(data: Path, work: Path) -> None:
    """Write the profiles and both sets into ``work``."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    from sets import SHOP_FIELDS, collection

    work.mkdir(parents=True, exist_ok=True)
    fields = json.dumps(SHOP_FIELDS)
    for name, domains in (("without", ""), ("with", "domains: [ecommerce]\n")):
        (work / f"{name}.yaml").write_text(PROFILE.format(domains=domains, fields=fields), encoding="utf-8")
    for name in ("shop", "constrained"):
        folder = work / name
        folder.mkdir(exist_ok=True)
        of = collection(data, name)
        shutil.copyfile(of.folder / "corpus.jsonl", folder / "corpus.jsonl")
        queries = [json.dumps({"_id": q.id, "text": q.text}) for q in of.dataset.queries]
        (folder / "queries.jsonl").write_text("\n".join(queries) + "\n", encoding="utf-8")
        grades = [f"{q}\t{d}\t{g}" for q, found in of.dataset.grades.items() for d, g in found.items()]
        (folder / "qrels.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *grades]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(os.environ["QX_TEST_DATA"]), Path(sys.argv[1]))
