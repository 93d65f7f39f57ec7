"""What several commands ask of their options."""

from __future__ import annotations

import click


def is_given(ctx: click.Context, option: str) -> bool:
    """Whether somebody has set an option, though it may be to its default: what has no effect then is refused.

    Args:
        option: The parameter's name in the command's function.
    """
    return ctx.get_parameter_source(option) not in (None, click.core.ParameterSource.DEFAULT)
