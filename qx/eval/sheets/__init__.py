"""Blind rating sheets: people judge sets of queries, or answers, without knowing what made them.

::

    sampling.py  a stratified sample of a log        making.py   each profile's queries for it
    items.py     blinding, and the key               files.py    XLSX and CSV, written and read
    ratings.py   filled-in sheets, every cell checked report.py   means, intervals, agreement
"""

from qx.eval.sheets.files import write_sheet
from qx.eval.sheets.items import Item, Key, blinded, key_place, read_key, write_key
from qx.eval.sheets.making import items_of, read_answers, sample, sampled_answers
from qx.eval.sheets.ratings import Rating, read_sheets
from qx.eval.sheets.report import SheetReport, report

__all__ = [
    "Item",
    "Key",
    "Rating",
    "SheetReport",
    "blinded",
    "items_of",
    "key_place",
    "read_answers",
    "read_key",
    "read_sheets",
    "report",
    "sample",
    "sampled_answers",
    "write_key",
    "write_sheet",
]
