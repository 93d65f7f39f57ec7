"""Filters: the tree, and beside it reading, lowering onto stored fields, inferring and evaluating."""

from qx.filters.tree import (
    NOTHING,
    And,
    Compare,
    Exists,
    Filter,
    FilterOp,
    Leaf,
    Not,
    Or,
    Origin,
    combine,
    leaves,
    originated,
    rewrite,
    simplify,
    without,
)

__all__ = [
    "NOTHING",
    "And",
    "Compare",
    "Exists",
    "Filter",
    "FilterOp",
    "Leaf",
    "Not",
    "Or",
    "Origin",
    "combine",
    "leaves",
    "originated",
    "rewrite",
    "simplify",
    "without",
]
