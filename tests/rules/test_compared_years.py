"""Two years beside one another are alternatives."""

from __future__ import annotations

import pytest

from qx.rules.compared_years import alternatives
from qx.types import Constraint


def _found(text: str):
    """Both years as limits of their own, as each alone is read."""
    found: list[tuple[Constraint, tuple[int, int]]] = []
    for year in (2023, 2021):
        start = text.index(str(year))
        found.append((Constraint(field="published", op="ge", value=f"{year}-01-01"), (start, start + 4)))
        found.append((Constraint(field="published", op="lt", value=f"{year + 1}-01-01"), (start, start + 4)))
    return found


@pytest.mark.parametrize(
    "text", ["kindle 2023 vs 2021", "2023款还是2021款", "2023和2021的区别", "2023 and 2021 compared"]
)
def test_years_that_are_compared_are_one_soft_condition(text: str):
    [(years, _)] = alternatives(text, _found(text), documents=False)
    assert (years.field, years.op, years.value, years.hard) == ("year", "in", (2021, 2023), False)


@pytest.mark.parametrize("text", ["papers of 2023 or 2021", "2023或2021年的论文"])
def test_documents_of_one_year_or_another_limit_to_the_years_between(text: str):
    kept = [(c.op, c.value) for c, _ in alternatives(text, _found(text), documents=True)]
    assert kept == [("ge", "2021-01-01"), ("lt", "2024-01-01")]


@pytest.mark.parametrize("text", ["2023 and 2021", "between 2023 and 2021, which is better", "2023 sales, 2021 sales"])
def test_other_years_stay_as_they_are(text: str):
    assert alternatives(text, _found(text), documents=False) == _found(text)
