"""``qx completion``."""

from __future__ import annotations

import click

from qx.cli.state import common_options

SHELLS = ("bash", "zsh", "fish")


@click.command()
@common_options
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the completion script for a shell.

    \b
    bash:  qx completion bash >> ~/.bashrc
    zsh:   qx completion zsh >> ~/.zshrc
    fish:  qx completion fish > ~/.config/fish/completions/qx.fish
    """
    from click.shell_completion import get_completion_class

    from qx.cli.app import cli

    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"this version of click has no completion for {shell}")
    script = found(cli, {}, "qx", "_QX_COMPLETE")
    # not .source(): for bash that runs a shell to look at its version, which says nothing of the reader's
    click.echo(script.source_template % script.source_vars())
