"""``qx usage``: what tenants spent on models, and how far their budgets of the day are spent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qx.cli.failures import tell
from qx.cli.output import Node, is_terminal, note, write_json, write_rows, write_story
from qx.cli.request import ProfileChoice, profile_options
from qx.cli.session import load, read_env
from qx.cli.state import state_of

if TYPE_CHECKING:
    from qx.cli.usage_report import UsageReport


@click.command(short_help="Tell what tenants spent, and what is left of the day.")
@click.option("--tenant", metavar="NAME", help="Of this tenant.  [default: that of --profile, else of all]")
@click.option(
    "--since", metavar="SPAN|DATE", default="7d", show_default=True, help="7d (today is the last), 12h, or a date."
)
@profile_options
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document.")
@click.pass_context
def command(ctx: click.Context, choice: ProfileChoice, tenant: str | None, since: str, as_json: bool) -> None:
    """Tell what tenants spent on models by day, and how far their budgets of the day are spent.

    Usage is kept for profiles that are files, in $QX_HOME/data/TENANT/ledger.db; days are those of the profile's timezone.
    """
    from qx.cli.usage_report import usage_report

    profile = None
    if choice.profile is not None:
        profile = load(choice, ctx, lenient=True)
        if tenant not in (None, profile.tenant):
            raise click.UsageError(
                f"--tenant {tenant}: the profile {profile.name} is for {profile.tenant}: give one of them"
            )
        tenant = profile.tenant
    else:
        read_env(choice.env_file)
    report, wrong = usage_report(tenant, since, profile)
    if as_json:
        write_json(report)
    elif is_terminal():
        write_story(_story(report))
    else:
        _rows(report)
    if wrong:
        for error in wrong:
            tell(str(error), state_of(ctx))
        ctx.exit(max(error.exit_code for error in wrong))
    if not report.rows and not state_of(ctx).quiet:
        note("usage is kept for profiles that are files, and for those of programs that limit the day")


def _story(report: UsageReport) -> Node:
    from qx.cli.usage_report import by_day, spent
    from qx.ledger import written

    whose = f"tenant {report.tenant}" if report.tenant is not None else "all tenants"
    root = Node("", f"usage of {whose}", f"since {report.since}")
    for day, rows in by_day(report):
        node = root.add(day.isoformat())
        for row in rows:
            name = row.model or "any model"
            node.add("" if report.tenant is not None else row.tenant, f"{name}: {spent(row.usage, row.unpriced)}")
    root.add("total", spent(report.total, report.unpriced) if report.rows else "nothing is spent")
    for limit in report.budgets:
        name = f"budget of {limit.day}" if report.tenant is not None else f"budget of {limit.tenant}, {limit.day}"
        amount = f"{written(limit.spent)} of {written(limit.limit)} {limit.currency}".strip()
        root.add(name, f"{limit.of}: {amount}", f"{limit.share:.0%}" + (", exhausted" if limit.exhausted else ""))
    return root


def _rows(report: UsageReport) -> None:
    from qx.cli.usage_report import money
    from qx.ledger import written

    write_rows(
        (
            row.day.isoformat(),
            row.tenant,
            row.model,
            f"{row.usage.calls}",
            f"{row.usage.input_tokens}",
            f"{row.usage.output_tokens}",
            money(row.usage),
            f"{row.unpriced}",
        )
        for row in report.rows
    )
    write_rows(
        (
            limit.day.isoformat(),
            limit.tenant,
            f"budget {limit.of}",
            written(limit.spent),
            written(limit.limit),
            limit.currency,
            "exhausted" if limit.exhausted else f"{limit.share:.0%}",
        )
        for limit in report.budgets
    )
