"""``docs/cli.md`` is what the commands say of themselves."""

from pathlib import Path

import click

from qx.cli.reference import commands, page

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `python -m qx.cli.reference > docs/cli.md`"


def test_it_has_every_command() -> None:
    paths = {" ".join(path) for path, _ in commands()}
    assert {"qx expand", "qx profile new", "qx cache clear", "qx cassette record"} <= paths
    assert all(f"`{path}`" in page() for path in paths)


def test_every_option_and_command_says_what_it_does() -> None:
    for path, command in commands():
        assert command.help, path
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, (path, parameter.name)
