"""The query expression: web syntax parsed once, rendered in each engine's dialect.

``parse`` never raises: what it cannot read is literal text.  ``lexical`` makes an expression of text that is no syntax.
"""

from qx.syntax.demands import Demand, demands, left
from qx.syntax.dialects import BAIDU, BING, DIALECTS, GOOGLE, PLAIN, Dialect
from qx.syntax.parser import lexical, parse
from qx.syntax.ranges import typed_filter, without_ranges
from qx.syntax.rendering import Rendered, render
from qx.syntax.tree import (
    And,
    Expression,
    Field,
    FileType,
    Not,
    Or,
    Phrase,
    Range,
    Site,
    Terms,
    asks_nothing,
    negated,
    walk,
    words,
)

__all__ = [
    "BAIDU",
    "BING",
    "DIALECTS",
    "GOOGLE",
    "PLAIN",
    "And",
    "Demand",
    "Dialect",
    "Expression",
    "Field",
    "FileType",
    "Not",
    "Or",
    "Phrase",
    "Range",
    "Rendered",
    "Site",
    "Terms",
    "asks_nothing",
    "demands",
    "left",
    "lexical",
    "negated",
    "parse",
    "render",
    "typed_filter",
    "walk",
    "without_ranges",
    "words",
]
