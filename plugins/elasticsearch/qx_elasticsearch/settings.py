"""The settings of ``type: elasticsearch``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self, cast

from pydantic import Field, model_validator

from qx.addresses import HttpAddress
from qx.backend import BackendSettings
from qx.durations import Duration
from qx.settings import Secret


class Settings(BackendSettings):
    """A block of type ``elasticsearch`` under ``search.backends``.

    ``hosts`` or ``cloud_id`` says where; ``api_key``, or ``username`` and ``password``, who.
    """

    hosts: tuple[HttpAddress, ...] = ()
    """URLs of the nodes; `http://localhost:9200` where neither this nor `cloud_id` is given."""
    cloud_id: Secret | None = None
    """Of an Elastic Cloud deployment, instead of `hosts`."""
    index: str = Field(min_length=1)
    """Index, alias, or (for searching only) a pattern.  What qx makes is an alias of this name over a numbered index."""
    api_key: Secret | None = None
    """As Elasticsearch shows it once it is made (`encoded`)."""
    username: str | None = None
    """With `password`: basic authentication."""
    password: Secret | None = None
    """Of `username`."""
    ca: str | None = None
    """A file of CA certificates, relative to the profile's folder; null: `QX_CA_BUNDLE` and the like, else the system's."""
    verify: bool = True
    """Check the node's certificate."""
    match: Literal["cross_fields", "best_fields", "most_fields"] = "cross_fields"
    """How the words of a query meet the searched fields (the type of `multi_match`)."""
    highlight: bool = True
    """Ask for the pieces of the text that matched."""
    analyzer: str | None = None
    """Of the texts of an index that qx makes; null: folded, CJK bigrams, English stems."""
    search_analyzer: str | None = None
    """Of the queries; null: the one that goes with `analyzer`."""
    analysis: Mapping[str, Any] = Field(default_factory=dict)
    """Elasticsearch's own `analysis` block (analyzers, tokenizers, filters) for an index that qx makes."""
    index_settings: Mapping[str, Any] = Field(default_factory=dict)
    """Further settings of an index that qx makes, such as `{number_of_shards: 2, number_of_replicas: 1}`."""
    indexing_timeout: Duration = 60.0
    """Of one call while indexing."""

    @property
    def window(self) -> int | None:
        """``max_result_window`` of ``index_settings``, in whichever of Elasticsearch's ways it is written."""
        inner = self.index_settings.get("index")
        nested: Mapping[str, Any] = cast("Mapping[str, Any]", inner) if isinstance(inner, Mapping) else {}
        found = (
            *(self.index_settings.get(f"{prefix}max_result_window") for prefix in ("", "index.")),
            nested.get("max_result_window"),
        )
        return next((int(one) for one in found if str(one).isdecimal()), None)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.hosts and self.cloud_id is not None:
            raise ValueError("give `hosts` or `cloud_id`, not both")
        if (self.username is None) != (self.password is None):
            raise ValueError("`username` and `password` go together")
        if self.api_key is not None and self.username is not None:
            raise ValueError("give `api_key` or `username` with `password`, not both")
        if self.search_analyzer is not None and self.analyzer is None:
            raise ValueError("`search_analyzer` goes with an `analyzer`")
        return self
