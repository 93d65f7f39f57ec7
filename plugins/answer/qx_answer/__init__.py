"""Answers with checked quotations, and a verifier of anyone's claims.  Importing this is cheap."""

from __future__ import annotations

from typing import Any

from qx.hookspecs import Contribution, hookimpl


@hookimpl
def qx_operations() -> list[Contribution[Any]]:
    return [
        Contribution(
            name="answer",
            target="qx_answer.operation:AnswerOperation",
            help="Answer a question in sentences with checked quotations.",
        ),
        Contribution(
            name="verify",
            target="qx_answer.verify_operation:Verify",
            help="Check claims and their quotations against sources.",
        ),
    ]


@hookimpl
def qx_commands() -> list[Contribution[Any]]:
    return [
        Contribution(
            name="verify",
            target="qx_answer.verify_command:command",
            help="Check claims and their quotations against sources.",
        ),
    ]


@hookimpl
def qx_profile_sections() -> list[Contribution[Any]]:
    return [
        Contribution(
            name="answer", target="qx_answer.section:AnswerSection", help="How answers are made, and who judges them."
        ),
    ]
