"""csv files as a qx search backend.  Importing this is cheap: the backend is imported when a profile names it."""

from qx import Contribution, hookimpl


@hookimpl
def qx_search_backends() -> list[Contribution]:
    return [Contribution(name="csv", target="qx_csv.backend:Csv")]
