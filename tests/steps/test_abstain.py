"""Queries that are better left alone."""

from __future__ import annotations

import pytest

from qx.steps.abstain import abstain
from qx.types import Entity, Query, Understanding


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("DEC-0054", "identifier"),
        ("0x80070057", "identifier"),
        ("CVE-2021-44228", "identifier"),
        ("10.1145/3292500.3330701", "identifier"),
        ("550e8400-e29b-41d4-a716-446655440000", "identifier"),
        ('"Error while processing semantic_identifier"', "quoted phrase"),
        ("“付款页面报错”", "quoted phrase"),
        ("「支付失敗」", "quoted phrase"),
        ("java.lang.NullPointerException: Cannot invoke method on null", "error message"),
        ("TypeError: 'NoneType' object is not subscriptable", "error message"),
        ("Traceback (most recent call last): File main.py", "error message"),
        ("2026-03-01 12:00:01 ERROR worker failed", "error message"),
        ("[ERROR] could not resolve dependencies", "error message"),
        ("npm ERR! code ERESOLVE", "error message"),
        ("", "empty"),
        (" !? ", "empty"),
    ],
)
def test_left_alone(text: str, reason: str):
    found = abstain(Query(text=text), Understanding(), "auto")
    assert found is not None
    assert reason in found


@pytest.mark.parametrize(
    "text",
    [
        "DEC-0054 怎么处理",
        'upload fails with "connection reset by peer"',
        "NullPointerException in Spring Boot at startup",
        "how to fix TypeError in python",
        "error codes of Bosch dishwashers",
        "ERRORS in medicine",
        "《三体》",
        "苹果",
        "error handling best practice",
        "info about visas",
    ],
)
def test_expanded(text: str):
    assert abstain(Query(text=text), Understanding(), "auto") is None


def test_modes():
    assert abstain(Query(text="DEC-0054"), Understanding(), "never") is None
    assert "always" in (abstain(Query(text="red shoes"), Understanding(), "always") or "")
    assert abstain(Query(text=""), Understanding(), "never") is not None


def test_a_standalone_form_counts_as_the_query():
    understanding = Understanding(standalone="DEC-0054 的状态")
    assert abstain(Query(text="DEC-0054"), understanding, "auto") is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("fatal: not a git repository (or any of the parent directories): .git", True),
        ("error: failed to push some refs to origin", True),
        ("bash: foo: command not found", True),
        ("rm: cannot remove file: Permission denied", True),
        ("error codes of Bosch dishwashers", False),
        ("git fatal error after upgrade", False),
        ("错误: 打印机连不上", False),
    ],
)
def test_what_a_program_prints_is_left_alone(text: str, left: bool):
    assert (abstain(Query(text=text), Understanding(), "auto") is not None) is left


@pytest.mark.parametrize(("kind", "left"), [("sku", True), ("model-number", False), ("product", False)])
def test_what_a_pattern_keeps_verbatim_and_is_all_of_the_query(kind: str, left: bool):
    named = Understanding(entities=(Entity(text="A 12", type=kind, verbatim=True),))
    assert (abstain(Query(text="A 12"), named, "auto") is not None) is left
    assert abstain(Query(text="A 12 price"), named, "auto") is None
