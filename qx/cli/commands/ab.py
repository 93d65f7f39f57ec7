"""``qx ab``: plan a test, see who is in which arm, read what it shows."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qx.cli.commands.evaluation.before import COMPARING, check_installed
from qx.cli.commands.evaluation.provenance import provenance
from qx.cli.output import write_json, write_lines, write_rows
from qx.cli.state import common_options

if TYPE_CHECKING:
    from datetime import datetime

UNTRUSTED = 6


@click.group()
def command() -> None:
    """Test two ways of searching on your users: plan, assign, report.

    The server assigns users and logs what they see and do (qx.eval.ab; docs/ab-tests.md); this reads the logs.
    """


def _arms(_ctx: click.Context, _parameter: click.Parameter, given: str | None) -> dict[str, float] | None:
    """Read ``control=1,expanded=1``; a name alone weighs 1."""
    if given is None:
        return None
    found: dict[str, float] = {}
    for part in given.split(","):
        name, sign, weight = part.strip().partition("=")
        if name.strip() in found:
            raise click.BadParameter(f"the arm {name.strip()!r} is named twice")
        try:
            found[name.strip()] = float(weight) if sign else 1.0
        except ValueError as error:
            raise click.BadParameter(f"{part!r} is not NAME=WEIGHT") from error
    if len(found) < 2:
        raise click.BadParameter("one arm is no test: name two, such as control=1,expanded=1")
    return found


def _until(_ctx: click.Context, _parameter: click.Parameter, given: str | None) -> datetime | None:
    from datetime import UTC, datetime

    try:
        moment = None if given is None else datetime.fromisoformat(given)
    except ValueError as error:
        raise click.BadParameter(f"{given!r} is not a moment such as 2026-03-01 or 2026-03-01T08:00+08:00") from error
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _duration(_ctx: click.Context, _parameter: click.Parameter, given: str) -> timedelta:
    from qx.durations import seconds

    try:
        return timedelta(seconds=float(str(seconds(given))))
    except (ValueError, OverflowError) as error:
        raise click.BadParameter(f"{given!r} is not a duration such as 12h or 7d") from error


_arms_option = click.option(
    "--arms", metavar="NAME=WEIGHT,…", callback=_arms, help="The arms with their weights, in the order of assignment."
)


@command.command(short_help="Read the logs of a test and say what it shows.")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--experiment", metavar="NAME", help="Which, where the files hold several.")
@click.option("--until", metavar="ISO", callback=_until, help="The end, fixed before: rows up to here count (UTC).")
@click.option("--users", type=click.IntRange(2), help="The end, fixed before: the first so many users count.")
@click.option(
    "--follow", default="1d", show_default=True, callback=_duration, help="With --users: how long each is followed."
)
@_arms_option
@click.option("--control", metavar="NAME", help="The arm that the others are compared with.  [default: control]")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document.")
@common_options
@click.pass_context
def report(
    ctx: click.Context,
    files: tuple[Path, ...],
    experiment: str | None,
    until: datetime | None,
    users: int | None,
    follow: timedelta,
    arms: dict[str, float] | None,
    control: str | None,
    as_json: bool,
) -> None:
    """Compare the arms of a test, once its end has come: --until a moment, or --users so many.

    Before the end, only the users of each arm and the guardrails are shown. Exits with 6 where the arms do not have the
    users that they should: such a test shows nothing.
    """
    from dataclasses import replace
    from datetime import UTC, datetime

    from qx.eval.ab.analysis import analyse
    from qx.eval.ab.horizon import Horizon
    from qx.eval.ab.log import read
    from qx.eval.ab.wording import lines

    horizon = Horizon(until=until, users=users, follow=follow)
    check_installed(*COMPARING)
    name, logged = read(files, experiment)
    made = analyse(name, logged, horizon, now=datetime.now(UTC), arms=arms, control=control)
    made = replace(made, provenance=provenance(ctx))
    if as_json:
        write_json(made)
    else:
        write_lines(lines(made))
    if made.status == "untrusted":
        ctx.exit(UNTRUSTED)


@command.command(short_help="How many users an effect needs.")
@click.option("--baseline", type=float, required=True, help="The control's figure: a share of users (0.1), or a mean.")
@click.option("--effect", type=float, required=True, help="The least difference to be found, in the same unit (0.01).")
@click.option("--deviation", type=float, help="Standard deviation of a user's figure, where it is no share.")
@click.option("--power", type=float, default=0.8, show_default=True, help="How surely the effect is found.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="How often one is found that is not there.")
@click.option("--comparisons", type=click.IntRange(1), default=1, help="Goals times arms that share alpha.")
@click.option("--weight", type=float, default=1.0, help="Users of the other arm for each of the control.")
@click.option("--users-per-day", type=click.IntRange(1), help="New users a day: says how long it takes.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as one JSON document.")
@common_options
def plan(
    baseline: float,
    effect: float,
    deviation: float | None,
    power: float,
    alpha: float,
    comparisons: int,
    weight: float,
    users_per_day: int | None,
    as_json: bool,
) -> None:
    """Say how many users a test needs: fix that number, and report with --users.

    The effect is absolute: --baseline 0.1 --effect 0.01 finds a rise from 10 % to 11 %.
    """
    from qx.eval.ab.planning import plan as planned

    made = planned(
        baseline, effect, deviation=deviation, power=power, alpha=alpha, comparisons=comparisons, weight=weight
    )
    if as_json:
        write_json(made)
        return
    lines = [f"{made.users} users: {made.control} of the control, {made.treatment} of the other arm"]
    lines.append(f"find {effect:+g} from {baseline:g} in {100 * power:g} of 100 tests, at a level of {100 * alpha:g} %")
    if users_per_day:
        lines.append(f"{-(-made.users // users_per_day)} days at {users_per_day} new users a day")
    write_lines(lines)


@command.command(short_help="The arm of each user.")
@click.argument("experiment")
@click.argument("users", nargs=-1, required=True)
@_arms_option
@common_options
def assign(experiment: str, users: tuple[str, ...], arms: dict[str, float] | None) -> None:
    """Print user and arm, apart by a tab: what Experiment(name=EXPERIMENT, arms=…).arm(user) says.

    Without --arms it is control=1,treatment=1.
    """
    from qx.eval.ab import Experiment

    test = Experiment(name=experiment) if arms is None else Experiment(name=experiment, arms=arms)
    write_rows((user, test.arm(user)) for user in users)
