"""The JSON Schemas of what ``--json`` prints.  ``qx schema --write docs/schemas`` publishes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel

from qx.cli.cache_report import CacheReport
from qx.cli.doctor import DoctorReport
from qx.cli.index_report import IndexSummary
from qx.cli.plugin_check import CheckReport
from qx.cli.usage_report import UsageReport
from qx.domain import DomainPack
from qx.eval.ab.analysis import AbReport
from qx.eval.ab.planning import Plan
from qx.eval.judging.report import JudgeReport
from qx.eval.packs import PackReport
from qx.eval.sheets.report import SheetReport
from qx.eval.tuning.values import TuneReport
from qx.eval.understanding.values import UnderstandingReport
from qx.eval.values import Report
from qx.plugin_details import PluginDetails
from qx.plugins import PluginInfo
from qx.profiles import Difference, ProfileFile
from qx.serial import json_schema
from qx.settings import Profile
from qx.steps.prompt import RenderedPrompt
from qx.types import Expansion, Query, SearchResult, Understanding

OUTPUTS: dict[str, tuple[Any, str]] = {
    "understanding": (Understanding, "What `qx understand --json` prints: what a query means."),
    "expansion": (Expansion, "What `qx expand --json` and `qx explain --json` print: the queries to run."),
    "search": (SearchResult, "What `qx search --json` and `qx explain --search --json` print: one ranked list."),
    "index": (IndexSummary, "What `qx index --json` prints: what was written, removed and skipped."),
    "prompts": (tuple[RenderedPrompt, ...], "What `qx explain --prompt --json` prints: what a model would be sent."),
    "plugins": (
        tuple[PluginInfo, ...],
        "What `qx plugins --json` prints: what is installed, and what is wrong with it.",
    ),
    "plugin": (
        tuple[PluginDetails, ...],
        "What `qx plugins info --json` prints: what a plugin brings, with the settings of each part.",
    ),
    "plugin-check": (CheckReport, "What `qx plugins check --json` prints: what came of the conformance suites."),
    "doctor": (DoctorReport, "What `qx doctor --json` prints: the state of the installation."),
    "cache": (CacheReport, "What `qx cache stats --json` prints: what one tenant has in the cache."),
    "usage": (UsageReport, "What `qx usage --json` prints: what tenants spent by day and model, and their budgets."),
    "profile-diff": (
        tuple[Difference, ...],
        "What `qx profile diff --json` prints: where two profiles differ, and where each value comes from.",
    ),
    "profiles": (
        tuple[ProfileFile, ...],
        "What `qx profile list --json` prints: the profiles that can be named, in the order of looking.",
    ),
    "profile": (
        Profile,
        "What `qx profile show --json` prints: a profile as it works, secrets masked. That of the files: `qx profile schema`.",
    ),
    "eval": (Report, "What `qx eval run --json` prints: conditions measured and compared; fractions, not points."),
    "eval-understand": (
        UnderstandingReport,
        "What `qx eval understand --json` prints: how well queries were read; fractions of 1.",
    ),
    "eval-pack": (PackReport, "What `qx eval pack --json` prints: a pack's set, with the pack and without it."),
    "eval-judge": (JudgeReport, "What `qx eval judge --json` prints: agreement with people, and the ranking if any."),
    "eval-sheet": (SheetReport, "What `qx eval sheet read --json` prints: what raters said, and how far they agree."),
    "ab": (AbReport, "What `qx ab report --json` prints: the arms of a test, and what they show."),
    "ab-plan": (Plan, "What `qx ab plan --json` prints: the users that an effect needs."),
    "tune": (TuneReport, "What `qx tune --json` prints: what was tried, what it proves, which profile follows."),
    "query": (Query, "A query as a request gives it."),
    "pack": (DomainPack, "A domain pack: `pack.yaml`, together with the files that it includes."),
}
"""Name -> the value and what it is."""

_INPUTS = frozenset({"query", "pack"})
"""Read, not printed: what has a default may be missing."""


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one of ``OUTPUTS``.  Every key of an output is always there."""
    kind, description = OUTPUTS[name]
    made = _of_model(kind, name) if kind in (Profile, DomainPack) else json_schema(kind)
    if name not in _INPUTS:
        _require_all(made)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name.capitalize(),
        "description": description,
        **{key: item for key, item in made.items() if key not in ("title", "description")},
    }


def _of_model(model: type[BaseModel], name: str) -> dict[str, Any]:
    """The schema of what is read from YAML, as it is read or as it is printed."""
    if name not in _INPUTS:
        made = model.model_json_schema(mode="serialization")
        for key in ("source", "folder"):  # not printed
            made["properties"].pop(key, None)
        return made
    made = model.model_json_schema()
    include = {
        "type": "array",
        "items": {"type": "string"},
        "description": "Further .yaml files of the same folder: lists follow one another, mappings merge.",
    }
    made["properties"] = {"include": include, **made["properties"]}
    return made


def _require_all(item: Any) -> None:
    if isinstance(item, dict):
        node = cast("dict[str, Any]", item)
        properties = node.get("properties")
        if node.get("type") == "object" and isinstance(properties, dict):
            node["required"] = list(cast("dict[str, Any]", properties))
        for child in node.values():
            _require_all(child)
    elif isinstance(item, list):
        for child in cast("list[Any]", item):
            _require_all(child)


def text(name: str) -> str:
    """Return the schema as the file that is published."""
    return json.dumps(schema(name), ensure_ascii=False, indent=2) + "\n"


def write(folder: Path) -> list[Path]:
    """Write every schema to ``folder`` and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    for name in OUTPUTS:
        path = folder / f"{name}.json"
        path.write_text(text(name), encoding="utf-8")
        files.append(path)
    return files
