"""Numbers of standards are identifiers, left alone where they are the query."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from qx.rules.understand import RuleUnderstanding
from qx.text.identifiers import find, is_identifier
from qx.types import Query


@pytest.mark.parametrize(
    "text",
    [
        "GB/T 19001-2016",
        "GB 2312",
        "GB18030",
        "JB/T 4730.3-2005",
        "HJ 212-2017",
        "DB11/T 1234-2020",
        "T/CECS 10001-2019",
        "ISO 9001:2015",
        "iso9001",
        "ISO/IEC 27001:2022",
        "RFC 9110",
        "rfc2616",
        "IEEE 802.11ax",
        "IEC 61508-3",
        "DIN EN 1090-2",
        "EN ISO 13485",
        "ASTM D638",
        "MIL-STD-810H",
        "NIST SP 800-53",
        "PEP 8",
    ],
)
def test_a_standard_is_one_identifier(text: str) -> None:
    (found,) = find(text)
    assert (found.text, found.type) == (text, "standard")
    assert is_identifier(text)


@pytest.mark.parametrize(
    ("text", "name"), [("GB/T 19001-2016 全文下载", "GB/T 19001-2016"), ("what is ISO 9001", "ISO 9001")]
)
def test_beside_other_words_it_is_found_but_not_the_query(text: str, name: str) -> None:
    assert name in [i.text for i in find(text)]
    assert not is_identifier(text)


@pytest.mark.parametrize("text", ["16 GB 256", "iso 400 film", "ISO 1600 噪点", "bs 5", "en 3", "128GB 手机"])
def test_measures_and_words_are_none(text: str) -> None:
    assert all(i.type != "standard" for i in find(text))


def test_the_year_of_a_standard_is_no_limit(rules: RuleUnderstanding) -> None:
    now = datetime(2026, 6, 15, tzinfo=UTC)
    found = rules.understand(Query(text="GB/T 19001-2016 和 ISO 9001:2015 的区别"), now=now, zone=UTC)
    assert found.constraints == ()
    assert {e.text for e in found.entities if e.verbatim} == {"GB/T 19001-2016", "ISO 9001:2015"}
