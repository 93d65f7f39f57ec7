"""From a model's text to values: the structured-output ladder.

``parse_queries`` reads a list of sub-queries, ``parse_object`` one object of a pydantic model, and ``queries_in`` the
sub-queries of an object that was read already.  All take whatever the model wrote and never raise: think blocks -> fences and preambles -> JSON -> repair -> numbered or bulleted lines ->
nothing, with an error text that a re-ask can quote.
"""

from qx.repair.drafts import SubQueryDraft
from qx.repair.ladder import Parsed, Rung, parse_object, parse_queries, queries_in

__all__ = ["Parsed", "Rung", "SubQueryDraft", "parse_object", "parse_queries", "queries_in"]
