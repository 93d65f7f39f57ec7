"""``qx chat reveal``: a message with what was hidden at import put back.  A command alone: no model may call it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qx.cli.public import ProfileChoice, load, open_engine, profile_options, run, write_json, write_lines

if TYPE_CHECKING:
    from qx_chatlog.message import Message


@click.command()
@click.argument("message", metavar="ID")
@profile_options
@click.option("--user", metavar="USER", help="Whose message.")
@click.option("--json", "as_json", is_flag=True, help="Print the message as JSON.")
@click.pass_context
def reveal(ctx: click.Context, choice: ProfileChoice, message: str, user: str | None, as_json: bool) -> None:
    """Print a message with the personal data that was hidden when it was imported.

    The profile has to have the key that it was hidden with: `chat: {redact: {secret_key: ${NAME}}}`.
    """
    profile = load(choice, ctx)

    async def work() -> Message:
        from qx.errors import NotAllowed, UsageError
        from qx.operation import Principal
        from qx_chatlog.redaction import reveal

        if not user:
            raise NotAllowed("a message is one user's: say whose (--user)")
        async with open_engine(profile, ctx) as engine:
            section = await engine.section("chat")
            found = await section.store.get(Principal(tenant=profile.tenant, user=user), [message])
            if not found:
                raise UsageError(f"there is no message {message!r}")
            return reveal(found[0], section.settings.redact)

    shown = run(work())
    if as_json:
        write_json({"id": shown.id, "content": shown.content, "attachments": [one.text for one in shown.attachments]})
    else:
        write_lines([shown.content, *(one.text for one in shown.attachments if one.text)])
