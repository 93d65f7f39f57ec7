"""The pack's own evaluation set, and what every pack must hold: all of it inherited."""

from qx.testing import PackConformance


class TestMedical(PackConformance):
    pack = "medical"
    languages = ("en", "zh")
    least = 0.9  # the share of the rows in eval/*.jsonl whose intent, entities and words must be right
