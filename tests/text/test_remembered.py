"""What is remembered of texts: the same results, of short texts alone, and never more than a handful of requests need."""

from qx.text.remembered import ENTRIES, LONGEST_REMEMBERED, remembered


def test_a_short_text_is_worked_out_once_and_a_long_one_each_time():
    asked: list[str] = []

    @remembered
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    long = "长" * (LONGEST_REMEMBERED + 1)
    assert [length("短"), length("短"), length(long), length(long)] == [1, 1, len(long), len(long)]
    assert asked == ["短", long, long]


def test_no_more_than_so_many_texts_are_held():
    asked: list[str] = []

    @remembered
    def itself(text: str) -> str:
        asked.append(text)
        return text

    for n in range(ENTRIES + 1):
        assert itself(str(n)) == str(n)
    asked.clear()
    assert [itself("0"), itself(str(ENTRIES))] == ["0", str(ENTRIES)]
    assert asked == ["0"]
