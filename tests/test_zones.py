"""What people write instead of an IANA zone is told the zone."""

import pytest

from qx.zones import is_zone, zone_hint


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("PST", "America/Los_Angeles"),
        ("edt", "America/New_York"),
        ("Beijing", "Asia/Shanghai"),
        ("北京", "Asia/Shanghai"),
        ("UTC+8", "Asia/Shanghai"),
        ("GMT-5", "Etc/GMT+5"),
        ("Asia/Shanghia", "Asia/Shanghai"),
        ("shanghai", "Asia/Shanghai"),
        ("New York", "America/New_York"),
        ("CST", "Asia/Shanghai"),
        ("Mars/Base", "UTC"),
        ("+05:30", "Asia/Kolkata"),
    ],
)
def test_the_zone_that_is_meant(said, zone):
    assert not is_zone(said)
    assert zone in zone_hint(said)
    assert is_zone(zone)


@pytest.mark.parametrize("name", ["", "Asia", "../etc/passwd", "\0", "x" * 5000])
def test_no_zone(name):
    assert not is_zone(name)
    assert zone_hint(name)
