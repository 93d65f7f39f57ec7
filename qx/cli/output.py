"""Where output goes and in what form: a tree for a person, plain text for a pipe, one JSON document for a program."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from qx.text.printable import printable

if TYPE_CHECKING:
    from rich.table import Table
    from rich.tree import Tree

    from qx.cli.state import State


@dataclass(slots=True)
class Node:
    """A line of a story, with lines below it.

    ``label`` says what ``text`` is, ``aside`` what is worth knowing of it; any may be empty.
    """

    label: str = ""
    text: str = ""
    aside: str = ""
    children: list[Node] = field(default_factory=lambda: list[Node]())

    def add(self, label: str = "", text: str = "", aside: str = "") -> Node:
        """Add a line below this one and return it."""
        child = Node(label, text, aside)
        self.children.append(child)
        return child

    def add_each(self, label: str, lines: Iterable[tuple[str, str]]) -> None:
        """Add ``(text, aside)`` lines: none, nothing; one, beside the label; more, below it."""
        children = [Node("", text, aside) for text, aside in lines]
        if len(children) == 1:
            self.add(label, children[0].text, children[0].aside)
        elif children:
            self.add(label).children.extend(children)


def is_terminal() -> bool:
    """Whether a person reads standard output."""
    return sys.stdout.isatty()


def write_json(item: object) -> None:
    """Print one JSON document, UTF-8 whatever the locale, text unescaped."""
    from qx.serial import to_json

    data = (_safe(to_json(item, indent=2)) + "\n").encode("utf-8", "replace")
    sys.stdout.flush()
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:
        sys.stdout.write(data.decode("utf-8"))
    else:
        binary.write(data)
    sys.stdout.flush()


def write_rows(rows: Iterable[Sequence[str]]) -> None:
    """Print lines of tab-separated fields."""
    for row in rows:
        _echo("\t".join(printable(item) for item in row))


def write_lines(lines: Iterable[str]) -> None:
    """Print lines as they are, but for what a terminal would obey."""
    for line in lines:
        _echo(printable(line))


def write_story(root: Node) -> None:
    """Print a story: as a tree to a terminal, else as indented plain text."""
    if is_terminal():
        from rich.console import Console

        Console(highlight=False).print(_tree(_safe_story(root)))
        return
    for line in plain_lines(root):
        _echo(line)


def plain_lines(node: Node, depth: int = 0) -> Generator[str]:
    """Yield ``label: text`` lines, two spaces a level."""
    parts = (f"{node.label}:" if node.label else "", printable(node.text), f"({printable(node.aside)})")
    yield "  " * depth + " ".join(part for part in parts if part and part != "()")
    for child in node.children:
        yield from plain_lines(child, depth + 1)


def _tree(node: Node) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    # all labels beside one another are of one width, so that what they label lines up
    def line(item: Node, width: int) -> Text:
        text = Text()
        if item.label:
            text.append(item.label.ljust(width) if item.text else item.label, "bold cyan")
        if item.label and item.text:
            text.append("  ")
        text.append(printable(item.text))
        return text.append(f"  {printable(item.aside)}" if item.aside else "", "dim")

    def grow(tree: Tree, children: list[Node]) -> None:
        if len(children) > 1 and all(child.aside and not child.label and not child.children for child in children):
            tree.add(_columns(children))
            return
        width = max((len(child.label) for child in children if child.text), default=0)
        for child in children:
            grow(tree.add(line(child, width)), child.children)

    tree = Tree(line(node, 0), guide_style="dim")
    grow(tree, node.children)
    return tree


def _columns(lines: list[Node]) -> Table:
    """Texts beside what is worth knowing of them, each wrapped in its own column."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", justify="right")
    table.add_column(ratio=3, overflow="fold")
    table.add_column(ratio=2, overflow="fold", style="dim")
    for number, line in enumerate(lines, 1):
        table.add_row(f"{number}", Text(printable(line.text)), Text(printable(line.aside)))
    return table


def note(text: str) -> None:
    """Tell something that is not an error, on stderr; where that is full or closed, it is left unsaid."""
    with suppress(OSError):
        click.echo(f"note: {text}", err=True)


def _echo(line: str) -> None:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    click.echo(_safe(line).encode(encoding, "replace").decode(encoding, "replace"))


def _safe(text: str) -> str:
    """Without the secrets that are known, whoever said them: an engine may put the key that it was sent into a hit."""
    from qx.cli.state import State

    ctx = click.get_current_context(silent=True)
    state = ctx.find_object(State) if ctx is not None else None
    return text if state is None else state.redact(text)


def _safe_story(node: Node) -> Node:
    return Node(_safe(node.label), _safe(node.text), _safe(node.aside), [_safe_story(one) for one in node.children])


@contextmanager
def spinner(text: str | None, state: State) -> Generator[None]:
    """Turn a spinner on stderr while the body runs, if a person is there to see it."""
    if text is None or state.quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(printable(text)), spinner="dots"):
        yield
