"""``qx cache``: what is kept from earlier requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qx.cli.cache_report import CacheReport
from qx.cli.output import Node, note, write_json, write_story
from qx.cli.request import ProfileChoice, profile_options
from qx.cli.session import load, open_engine, run
from qx.cli.state import state_of

if TYPE_CHECKING:
    from qx.settings import Profile


@click.group()
def command() -> None:
    """Count or forget what is cached."""


@command.command(short_help="Count the profile's entries, hits and misses.")
@profile_options
@click.option("--all-tenants", is_flag=True, help="Count every tenant in this cache, not only the profile's.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON document.")
@click.pass_context
def stats(ctx: click.Context, choice: ProfileChoice, all_tenants: bool, as_json: bool) -> None:
    """Count the profile's entries, their bytes, and how often the cache had the answer."""
    profile = load(choice, ctx)
    tenant = None if all_tenants else profile.tenant

    async def work() -> CacheReport:
        async with open_engine(profile, ctx) as engine:
            found = await engine.cache.stats(tenant)
        return CacheReport(
            type=profile.cache.type,
            tenant=tenant,
            entries=found.entries,
            bytes=found.bytes,
            hits=found.hits,
            misses=found.misses,
        )

    report = run(work())
    if as_json:
        write_json(report)
    else:
        root = Node("", f"cache {report.type}", "all tenants" if tenant is None else f"tenant {tenant}")
        for name in ("entries", "bytes", "hits", "misses"):
            root.add(name, f"{getattr(report, name)}")
        write_story(root)
    _explain_memory(profile, ctx)


@command.command(short_help="Forget the profile's entries.")
@profile_options
@click.option("--all-tenants", is_flag=True, help="Forget what every tenant has in this cache.")
@click.pass_context
def clear(ctx: click.Context, choice: ProfileChoice, all_tenants: bool) -> None:
    """Forget the profile's entries and print how many there were."""
    profile = load(choice, ctx)

    async def work() -> int:
        async with open_engine(profile, ctx) as engine:
            return await engine.cache.clear(None if all_tenants else profile.tenant)

    gone = run(work())
    click.echo(f"{gone} {'entry' if gone == 1 else 'entries'} forgotten")
    _explain_memory(profile, ctx)


def _explain_memory(profile: Profile, ctx: click.Context) -> None:
    if profile.cache.type in ("memory", "none") and not state_of(ctx).quiet:
        note(f"a cache of type {profile.cache.type} keeps nothing between runs; `cache: {{type: sqlite}}` does")
