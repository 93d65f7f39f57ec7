"""The types of claims: what a writer says cannot stand in an answer unless the verifier made it, in the run and by type."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from qx.errors import UsageError
from qx.serial import replace
from qx_answer.claims import Answer, Claim, Seal, Source, VerifiedClaim
from qx_answer.claims import RefusedClaim as Refused
from qx_answer.verifier import verify

CLAIM = Claim(statement="It is so.", source_id="a", quote="so")


def test_an_answer_takes_nothing_but_verified_claims():
    with pytest.raises(UsageError, match="verify it first"):
        Answer(claims=(CLAIM,))  # type: ignore[arg-type]


def test_nobody_but_the_verifier_makes_a_verified_claim():
    made = {"statement": "It is so.", "source_id": "a", "quote": "so", "start": 0, "end": 2}
    with pytest.raises(UsageError, match="only the verifier"):
        VerifiedClaim(seal=Seal(), verdict="verified", **made)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="only the verifier"):
        Refused(seal=Seal(), statement="", source_id="", quote="", verdict="unsupported", why="")


async def test_a_copy_that_says_something_else_is_not_verified():
    source = Source(id="a", text="It is so, and has been.")
    (checked,) = (await verify([CLAIM], [source])).verified
    assert replace(checked, why="as before") == replace(checked, why="as before")
    with pytest.raises(UsageError, match="only the verifier"):
        replace(checked, statement="It is otherwise.")


MISUSES = """
from qx_answer.claims import Answer, Claim, RefusedClaim, Source, VerifiedClaim
from qx_answer.verifier import verify


def unchecked(claim: Claim) -> Answer:
    return Answer(claims=(claim,))


def refused(claim: RefusedClaim) -> Answer:
    return Answer(claims=(claim,))


def made_up(claim: Claim) -> VerifiedClaim:
    return VerifiedClaim(
        statement=claim.statement, source_id=claim.source_id, quote=claim.quote, start=0, end=1, verdict="verified"
    )


def passed_off(claim: Claim) -> VerifiedClaim:
    return claim


async def as_it_should_be(claim: Claim, source: Source) -> Answer:
    checked = await verify([claim], [source])
    return Answer(claims=checked.verified)


async def unsorted(claim: Claim, source: Source) -> Answer:
    checked = await verify([claim], [source])
    return Answer(claims=checked.claims)
"""
WRONG = ["claims=(claim,)", "claims=(claim,)", "return VerifiedClaim(", "return claim", "claims=checked.claims"]


@pytest.mark.slow
def test_a_misuse_fails_the_type_check(tmp_path: Path):
    pyright = shutil.which("pyright", path=str(Path(sys.executable).parent)) or shutil.which("pyright")
    if pyright is None:
        pytest.skip("pyright is not installed")
    (tmp_path / "misuse.py").write_text(MISUSES, encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    call = [pyright, "--outputjson", "--pythonpath", sys.executable, "misuse.py"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    if not done.stdout.lstrip().startswith("{"):
        pytest.skip(f"pyright does not run here: {(done.stdout + done.stderr)[:200]}")
    errors = [one for one in json.loads(done.stdout)["generalDiagnostics"] if one["severity"] == "error"]
    lines = MISUSES.split("\n")
    found = [lines[one["range"]["start"]["line"]].strip() for one in errors]
    assert len(found) == len(WRONG), errors
    assert all(wrong in line for wrong, line in zip(WRONG, found, strict=True)), found
