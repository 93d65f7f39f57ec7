"""What queries of a field may be about: intents, types of entities, fields of constraints.

Part of a domain pack (``qx.domain``), or registered by itself through ``qx_intent_taxonomies``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from pydantic import Field

from qx.model import Model, Text


class Need(Model):
    """Implicit needs: what people who ask this want besides, each a noun phrase that can become a query.

    ``when`` lists words or types of entities (``@place``) of which one must be in the query (none: the intent's
    default; ``@bare``: the query is a name or a noun alone); an entry ``爸妈 + 手机`` wants all of its words.  With one of ``unless`` in the query they do not count.
    """

    when: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    needs: tuple[str, ...]
    language: str | None = None


class Intent(Model):
    """One intent.  ``id`` is English kebab-case.  ``cues`` are words or RE2 patterns (``/.../``) that suggest it.

    ``broader`` names an intent, of another pack mostly, that this one is a kind of (``fault``: ``troubleshooting``).
    The broader one is not read beside it, where it is the only kind of it takes its place, and its needs, templates and
    sites serve both.  Of several kinds the one takes its place of which one of ``when`` (words or types of entities as
    ``@product``) is in the query.  It then takes that of the intents in ``takes`` too, where no word of the query speaks
    for them: in a shop the bare name of a thing is no ``exploration``.
    """

    id: str
    broader: str | None = None
    when: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    labels: Text = Field(default_factory=dict)
    definition: Text = Field(default_factory=dict)
    cues: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()


class EntityType(Model):
    """A type of entity with the names that are known: canonical name -> other names (``小米: [xiaomi, mi]``).

    ``broader`` names the type, of another pack mostly, that this one is a kind of (``category``: ``product``): what is
    known of that one holds of it.  Entities of the types in ``takes`` are read as this one.

    ``families`` groups canonical names of which one stands in another's place (``database: [MySQL, SQLite]``); names of
    different families go together.  A name of no family excludes every other of the type.  ``parts`` says what lies
    in what (``西藏: [拉萨]``), in canonical names: who asks for the whole may be answered with a part.
    """

    id: str
    labels: Text = Field(default_factory=dict)
    definition: Text = Field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    families: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    parts: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    broader: str | None = None
    takes: tuple[str, ...] = ()

    def is_any(self, types: Collection[str]) -> bool:
        """Whether it, or what it is a kind of, is one of ``types``."""
        return self.id in types or (self.broader or "") in types


class ConstraintField(Model):
    """A canonical field that constraints speak of.

    ``words`` name the field ("预算", "price"); ``soft`` maps words to a preferred value (``{便宜: low, 轻薄: thin}``);
    ``values`` maps words to an exact value (``{白色: white}``); ``unit`` is the canonical unit.
    """

    id: str
    labels: Text = Field(default_factory=dict)
    type: Literal["number", "money", "keyword", "date", "text", "bool"] = "keyword"
    unit: str | None = None
    words: tuple[str, ...] = ()
    soft: Mapping[str, str] = Field(default_factory=dict)
    values: Mapping[str, str] = Field(default_factory=dict)


class Taxonomy(Model):
    """Registered through ``qx_intent_taxonomies`` or part of a pack."""

    name: str
    intents: tuple[Intent, ...]
    entity_types: tuple[EntityType, ...] = ()
    fields: tuple[ConstraintField, ...] = ()
