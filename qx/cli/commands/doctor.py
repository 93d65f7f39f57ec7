"""``qx doctor``."""

from __future__ import annotations

import click

from qx.cli.doctor import BackendStatus, DoctorReport, examine
from qx.cli.output import Node, spinner, write_json, write_story
from qx.cli.request import ProfileChoice, profile_options
from qx.cli.session import run
from qx.cli.state import state_of


@click.command()
@profile_options
@click.option("--no-call", is_flag=True, help="Ask neither the model nor the backends.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document.")
@click.pass_context
def command(ctx: click.Context, choice: ProfileChoice, no_call: bool, as_json: bool) -> None:
    """Check the installation: versions, plugins, which keys are set (never their values), do model and backends answer.

    The exit code is 0 where nothing is wrong, 3 for a profile that cannot be opened, 4 for a model or a backend that
    does not answer.
    """
    with spinner("looking" if no_call else "asking", state_of(ctx)):
        report = run(examine(choice, ctx, call=not no_call))
    if as_json:
        write_json(report)
    else:
        write_story(_story(report))
    ctx.exit(report.code)


def _story(report: DoctorReport) -> Node:
    root = Node("", f"qx {report.qx}", f"Python {report.python}, {report.platform}")
    root.add("home", report.home)
    root.add_each("packages", [(f"{name} {found}", "") for name, found in report.packages.items()])
    root.add_each("plugins", [(f"{p.name} {p.version}".strip(), _plugin(p.status, p.reason)) for p in report.plugins])
    profile = root.add("profile", report.profile.name, report.profile.source)
    if report.profile.problem:
        profile.add("problem", report.profile.problem)
    root.add_each(
        "keys",
        [(f"{k.name} {'set' if k.set else 'not set'}", "named in the profile" if k.used else "") for k in report.keys],
    )
    _add_model(root, report)
    _add_backends(root, report.backends)
    return root


def _plugin(status: str, reason: str) -> str:
    return f"{status}: {reason}" if reason else status


def _add_model(root: Node, report: DoctorReport) -> None:
    model = report.model
    if not model.provider:
        root.add("model", "none configured: rules do the work" if not report.profile.problem else "not asked")
        return
    named = f"{model.model or 'without a name'} ({model.provider})"
    if model.answers:
        root.add("model", f"{named} answers", f"{model.seconds:.1f} s")
    elif model.answers is None:
        root.add("model", f"{named}: not asked")
    else:
        root.add("model", f"{named} does not answer").add("problem", model.problem)


def _add_backends(root: Node, backends: tuple[BackendStatus, ...]) -> None:
    if not backends:
        return
    parent = root.add("backends", str(len(backends)))
    for backend in backends:
        state = {True: "is fine", False: "has a problem", None: "not asked"}[backend.ok]
        took = "" if backend.seconds is None else f"{backend.seconds:.1f} s"
        node = parent.add("", f"{backend.name} ({backend.type}) {state}", took)
        node.add("at", backend.endpoint)
        if backend.version:
            node.add("version", backend.version)
        if backend.documents is not None:
            node.add("documents", str(backend.documents))
        if backend.ours is not None:
            node.add(
                "index", "made by qx" if backend.ours else "not made by qx: written to only with `qx index --adopt`"
            )
        if backend.vectors:
            node.add("vectors", backend.vectors)
        node.add_each("fields", [(said, "") for said in backend.warnings])
        if backend.detail and backend.detail != backend.endpoint:
            node.add("says" if backend.ok else "problem", backend.detail)
