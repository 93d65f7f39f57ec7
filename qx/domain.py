"""Domain packs: what qx knows of a field, as data.

``pack.yaml`` is validated into a ``DomainPack``; an engine merges its packs (the profile's first, ``general`` last)
and the profile's own synonyms and lexicon into one ``Knowledge``, which rules, prompts and strategies read.

Text that differs by language is a mapping ``{zh: ..., en: ...}``; lists of words hold any language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from pydantic import Field

from qx.model import Model, Text
from qx.serial import EMPTY, empty, value
from qx.taxonomy import ConstraintField, EntityType, Intent, Need, Taxonomy
from qx.text.remembered import made_once
from qx.types import Label, Op, Stance, Target


class SynonymSet(Model):
    """Words that may replace one another; with ``of``, they may only replace that word (one way).

    ``file`` stands for the sets of a file as Solr and Elasticsearch keep them (``qx.synonym_files``).
    """

    words: tuple[str, ...] = ()
    of: str | None = None
    language: str | None = None
    file: str | None = None

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        """As it is written it has words, or a file."""
        whole = handler.resolve_ref_schema(handler(core))
        if handler.mode == "serialization":
            return whole
        keys = {"words": ("words", "of", "language"), "file": ("file", "language")}
        forms = [
            {**whole, "properties": {key: whole["properties"][key] for key in own}, "required": [needed]}
            for needed, own in keys.items()
        ]
        return {"anyOf": forms}


class PatternRule(Model):
    r"""An RE2 pattern that finds entities of a type, or suggests an intent.

    Where it has a group named ``entity`` (``订单号\s*(?P<entity>\d+)``) the entity is what the group matches.  What a
    ``sensitive`` one finds is personal data: a profile that hides those from models (``llm.mask``) hides it too.

    With ``field`` what it finds is a condition on that field: ``op``, and as value what its group named ``value`` matches
    (``评分(?P<value>[0-5](\.\d)?)以上``), else ``value``.  It says so itself, whatever numbers and units mean elsewhere.
    """

    name: str
    pattern: str
    type: str | None = None
    intent: str | None = None
    verbatim: bool = False
    sensitive: bool = False
    field: str | None = None
    op: Op = "eq"
    value: str | float | None = None
    unit: str | None = None
    soft: bool = False


class Template(Model):
    """A query form.  ``text`` has the places ``{entities} {keywords} {core} {need} {year} {constraint}``.

    It applies to any of ``intents`` (none: all) in ``language`` (none: all), when one of ``when`` (words or entity
    types as ``@brand``) is in the query (none: always) and none of ``unless``.  An entry ``在哪里 + @place`` wants all of
    its parts.
    """

    text: str
    strategy: str
    intents: tuple[str, ...] = ()
    language: str | None = None
    when: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    target: Target = "any"
    why: str = ""


class Platform(Model):
    """A place where things are sold, shown or written about: an entity of the type ``platform``.

    Of who names it pages of its ``site`` are asked for; for ``intents`` in its ``language`` (none: any) it is named in
    queries of its own, by templates with the place ``{platform}`` and by its site.
    """

    name: str
    names: tuple[str, ...] = ()
    site: str | None = None
    language: str | None = None
    intents: tuple[str, ...] = ()


class UnitSpelling(Model):
    """How a unit is written in texts of a field, by language: ``{unit: inch, words: {zh: [寸, 英寸], en: [inch, '"']}}``."""

    unit: str
    words: Mapping[str, tuple[str, ...]]


class SiteRule(Model):
    """Sites or file types that answer an intent well."""

    intents: tuple[str, ...]
    site: str | None = None
    filetype: str | None = None
    when: tuple[str, ...] = ()
    language: str | None = None


class Cue(Model):
    """Words that speak of a mood or a stance."""

    words: tuple[str, ...]
    sentiment: Label | None = None
    stance: Stance | None = None
    intensity: float = Field(default=0.5, ge=0, le=1)
    expand: tuple[str, ...] = ()


class SignalRule(Model):
    """What to say of a query besides: ``priority`` is ``urgent`` where ...

    All conditions that are given must hold: one of ``intents`` is read, one of ``sentiments`` (at an intensity of
    ``above`` or more), one of ``words`` (or RE2 patterns, ``/.../``) is in the query.  The first rule of a signal that
    holds gives its value; a rule without conditions always does.
    """

    signal: str
    value: str
    intents: tuple[str, ...] = ()
    sentiments: tuple[Label, ...] = ()
    above: float = Field(default=0.0, ge=0, le=1)
    words: tuple[str, ...] = ()


class Contrast(Model):
    """Words of one kind that exclude one another: ``{children: [kids, 孩子], adults: [adults, 成人]}``.

    A query that names one of ``words`` (label -> its wordings, in any language) is not answered by one that names only
    another.
    """

    name: str
    words: Mapping[str, tuple[str, ...]]


class SenseRule(Model):
    """The readings of an ambiguous word: label -> words that speak for the reading and expand it.

    ``goal`` marks words whose meaning is plain but whose asker may want different things (``list sorting``).
    """

    word: str
    senses: Mapping[str, tuple[str, ...]]
    goal: bool = False
    language: str | None = None


class Example(Model):
    """A few-shot example of both steps; ``understanding`` has the keys of the prompt's output."""

    text: str
    language: str
    understanding: Mapping[str, Any]
    queries: tuple[Mapping[str, str], ...] = ()


class DomainPack(Model):
    """One pack.  ``defaults`` is a fragment of a profile that lies under the profile itself.

    ``variants`` are the words that make another model of a model's name (``Pro``, ``Max``, 青春版).  ``replaces`` names the
    parts of which the packs below this one, ``general`` too, keep nothing; a list of these parts that is written and
    empty (``sites: []``) replaces too.  ``needs`` are those of a topic (``when``), whatever the intent.
    """

    schema_version: Literal[1]
    name: str
    taxonomy: Taxonomy | str
    synonyms: tuple[SynonymSet, ...] = ()
    lexicon: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    patterns: tuple[PatternRule, ...] = ()
    templates: tuple[Template, ...] = ()
    sites: tuple[SiteRule, ...] = ()
    platforms: tuple[Platform, ...] = ()
    units: tuple[UnitSpelling, ...] = ()
    cues: tuple[Cue, ...] = ()
    signals: tuple[SignalRule, ...] = ()
    needs: tuple[Need, ...] = ()
    senses: tuple[SenseRule, ...] = ()
    generalize: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    contrasts: tuple[Contrast, ...] = ()
    variants: tuple[str, ...] = ()
    prompts: Mapping[str, str] = Field(default_factory=dict)
    defaults: Mapping[str, Any] = Field(default_factory=dict)
    replaces: tuple[Literal["intents", "sites", "templates", "synonyms", "senses", "generalize"], ...] = ()


@value
class Knowledge:
    """What one engine knows: its packs merged, the first pack winning a clash.

    Engines whose profiles add no words share one of the same installed packs, so all of it is read-only, however deep.

    ``synonyms[word]`` (folded) lists ``(other wording, where it comes from)``; ``conflicts`` says who won what.
    ``generalize[word]`` lists wider terms, ``variants`` the words that make another model of a model's name.
    """

    name: str
    taxonomy: Taxonomy
    synonyms: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=empty)
    lexicon: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    patterns: tuple[PatternRule, ...] = ()
    templates: tuple[Template, ...] = ()
    sites: tuple[SiteRule, ...] = ()
    platforms: tuple[Platform, ...] = ()
    units: tuple[UnitSpelling, ...] = ()
    cues: tuple[Cue, ...] = ()
    signals: tuple[SignalRule, ...] = ()
    needs: tuple[Need, ...] = ()
    senses: tuple[SenseRule, ...] = ()
    generalize: Mapping[str, tuple[str, ...]] = field(default_factory=empty)
    contrasts: tuple[Contrast, ...] = ()
    variants: tuple[str, ...] = ()
    prompts: Mapping[str, str] = field(default_factory=empty)
    fingerprint: str = ""
    conflicts: tuple[str, ...] = field(default=())
    particular: Mapping[str, tuple[str, ...]] = field(default_factory=empty)
    """Intent -> its cues that come from other packs than ``general``: they say more than its own."""
    own_sites: int = 0
    """How many of ``sites``, the first ones, come from other packs than ``general``."""

    def intent(self, id: str) -> Intent | None:
        """Return the intent of that id, else None."""
        return next((i for i in self.taxonomy.intents if i.id == id), None)

    def widened(self, intents: Sequence[str]) -> tuple[str, ...]:
        """Return ``intents``, each followed by the one that it is a kind of: what is known of that serves it too."""
        broader = _broader_intents(self.taxonomy)
        if broader.keys().isdisjoint(intents):
            return tuple(dict.fromkeys(intents))
        kinds = ((id, broader.get(id)) for id in intents)
        return tuple(dict.fromkeys(id for pair in kinds for id in pair if id is not None))


@made_once
def _broader_intents(taxonomy: Taxonomy) -> Mapping[str, str]:
    """Intent -> the one that it is a kind of, for those that are one."""
    return {intent.id: intent.broader for intent in reversed(taxonomy.intents) if intent.broader is not None}


def merge(
    packs: Sequence[DomainPack],
    *,
    synonyms: Sequence[SynonymSet] = (),
    lexicon: Sequence[str] = (),
    taxonomies: Mapping[str, Taxonomy] = EMPTY,
) -> Knowledge:
    """Merge ``packs`` (most important first) and the profile's own words into one ``Knowledge``.

    Words, names, cues and examples of all packs add up; where two packs say different things of one id, name or word,
    the first one wins and ``conflicts`` says so.  Synonyms of a word add up too, those of the most important source first.

    Args:
        packs: The packs of the profile in its order, ``general`` last.
        synonyms: The profile's own, above all packs.
        lexicon: The profile's own words for the segmenter.
        taxonomies: Taxonomies by name, for packs that name one instead of bringing it.

    Raises:
        PackError: a pack names a taxonomy that is not there.
    """
    from qx.packs.merging import merge_packs  # imported late: contracts stay light

    return merge_packs(packs, synonyms=synonyms, lexicon=lexicon, taxonomies=taxonomies)


def lint(item: Taxonomy | DomainPack, beside: Sequence[DomainPack] = ()) -> tuple[str, ...]:
    """Return what is wrong with the intents of a taxonomy or a pack: definitions that overlap, cues of two, odd ids.

    Args:
        item: The taxonomy, or the pack that has it.
        beside: With a pack: others that it lies over, ``general`` for one; intents of its own that say what one of
            theirs says are told too, and examples that theirs read otherwise.
    """
    from qx.packs.lint import lint_pack, lint_taxonomy

    found = lint_taxonomy(item) if isinstance(item, Taxonomy) else lint_pack(item, beside)
    return tuple(said for _, said in found)


__all__ = [
    "ConstraintField",
    "Contrast",
    "Cue",
    "DomainPack",
    "EntityType",
    "Example",
    "Intent",
    "Knowledge",
    "Model",
    "Need",
    "PatternRule",
    "Platform",
    "SenseRule",
    "SignalRule",
    "SiteRule",
    "SynonymSet",
    "Taxonomy",
    "Template",
    "Text",
    "UnitSpelling",
    "lint",
    "merge",
]
