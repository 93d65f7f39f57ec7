# ruff: noqa: S101 - tests, though they lie in the package
"""The contract of a command that a plugin adds to ``qx``, as tests."""

from __future__ import annotations

from copy import copy  # a command keeps its first --help, which has other names below another program

import click
import pytest
from click.testing import CliRunner


class CommandConformance:
    """Subclass it, and override the fixture ``command``."""

    @pytest.fixture
    def command(self) -> click.Command:
        raise NotImplementedError("override the fixture `command`")

    def test_it_is_a_command_that_says_what_it_does(self, command: click.Command) -> None:
        assert isinstance(command, click.Command)
        assert command.get_short_help_str()
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert parameter.help, f"{parameter.opts[0]} says nothing"

    def test_its_help_needs_nothing(self, command: click.Command) -> None:
        result = CliRunner().invoke(copy(command), ["--help"])
        assert result.exit_code == 0, result.output
        assert "Usage:" in result.output

    def test_an_unknown_option_is_a_usage_error(self, command: click.Command) -> None:
        result = CliRunner().invoke(copy(command), ["--no-such-option-at-all"])
        assert result.exit_code == 2
