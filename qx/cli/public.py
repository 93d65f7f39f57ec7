"""What the commands of plugins may use: a profile and its engine, results and progress, as qx's own commands do.

::

    @click.command()
    @profile_options
    @click.pass_context
    def embed(ctx, choice):
        '''Make the vectors of new messages.'''
        profile = load(choice, ctx)

        async def work():
            async with open_engine(profile, ctx) as engine:
                return await (await engine.section("chat")).embed()

        write_json(run(work()))

Importing it brings asyncio, and neither pydantic nor an engine; import what else is heavy within the command.
"""

from __future__ import annotations

from qx.cli.operation_command import Call, operation_command
from qx.cli.output import is_terminal, note, write_json, write_lines, write_rows
from qx.cli.progress import Progress
from qx.cli.request import ProfileChoice, profile_options
from qx.cli.session import load, open_engine, run
from qx.cli.state import common_options, state_of
from qx.cli.streams import live_stdout

__all__ = [
    "Call",
    "ProfileChoice",
    "Progress",
    "common_options",
    "is_terminal",
    "live_stdout",
    "load",
    "note",
    "open_engine",
    "operation_command",
    "profile_options",
    "run",
    "state_of",
    "write_json",
    "write_lines",
    "write_rows",
]
