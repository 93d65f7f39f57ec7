"""Writes the generated parts of the pages beside this file: ``python docs/generate.py`` (``make schemas`` runs it).

A part stands in its page between ``<!-- generated: NAME -->`` and ``<!-- end -->``; what it says comes from the code,
so that it cannot be wrong for long: ``tests/docs/test_generated.py`` fails when a page is not what this would write.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import typing
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path

from canonical_fields import canonical_fields
from profile_keys import model_of, options, profile_keys, sections
from suites import SUITES, suites
from tables import code, prose, table

from qx.options import attribute_docstrings, attributes_section

DOCS = Path(__file__).parent
_PART = re.compile(r"(<!-- generated: (?P<name>[\w-]+) -->\n)(?P<body>.*?)(<!-- end -->)", re.S)


def render(page: str, text: str) -> str:
    """Return ``text`` of ``page`` (``errors.md``) with every generated part as the code has it now."""

    def part(found: re.Match[str]) -> str:
        made = PARTS[page, found["name"]]()
        return found[0] if made is None else f"{found[1]}\n{made.strip()}\n\n{found[4]}"

    return _PART.sub(part, text)


def parts_of(text: str) -> list[str]:
    """Return the names of the generated parts that a page has places for."""
    return [found["name"] for found in _PART.finditer(text)]


def main() -> None:
    """Write every page anew, and the page of the command line."""
    from qx.cli import reference

    (DOCS / "cli.md").write_text(reference.page(), encoding="utf-8")
    for name in dict.fromkeys(page for page, _ in PARTS):
        path = DOCS / name
        path.write_text(render(name, path.read_text(encoding="utf-8")), encoding="utf-8")


# ---- Hooks -------------------------------------------------------------------------------------------------------


def hooks() -> str:
    """Every hook with what it registers, where it is chosen, and what qx itself brings through it."""
    from qx import builtin
    from qx.hookspecs import HookSpecs

    rows = []
    for name, hook in vars(HookSpecs).items():
        if name.startswith("qx_"):
            returns = re.sub(r"^list\[Contribution\[(.*)\]\]$", r"\1", inspect.signature(hook).return_annotation)
            own = getattr(builtin, name, list)()
            rows.append(
                [
                    code(name),
                    code(returns),
                    prose(hook.__doc__, whole=True),
                    ", ".join(code(c.name) for c in own) or "-",
                ]
            )
    return table(["hook", "contributes", "chosen", "built in"], rows)


def services() -> str:
    """What a factory's ``create`` may use."""
    from qx.hookspecs import Services

    source = ast.parse(inspect.cleandoc("\n" + inspect.getsource(Services))).body[0]
    said = {
        "tenant": "The profile's tenant.",
        "clock": "`now()`, `monotonic()`, `sleep(seconds)`: never the system's own, so that tests can move it.",
        "log": "The logger `qx`; secrets are taken out of what it gets.",
        "run_cpu": "Run a slow pure function in the engine's bounded executor.",
    }
    rows = []
    for item in typing.cast("ast.ClassDef", source).body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            arguments = [a.arg for a in (*item.args.posonlyargs, *item.args.args) if a.arg != "self"]
            is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in item.decorator_list)
            call = item.name + ("" if is_property else f"({', '.join(arguments)})")
            awaited = "await " if isinstance(item, ast.AsyncFunctionDef) else ""
            documented = ast.get_docstring(item)
            rows.append([code(awaited + call), prose(documented, whole=True) if documented else said[item.name]])
    return table(["`services.`", "what it is"], rows)


def own_keys() -> str:
    """The keys that built-in caches, embedders, observers, fusions and processors have of their own."""
    from qx import builtin

    kinds = {
        "cache": builtin.qx_caches,
        "embedder": builtin.qx_embedders,
        "observers": builtin.qx_observers,
        "expand.processors": builtin.qx_post_processors,
        "fetch": builtin.qx_fetchers,
        "search.fusion": builtin.qx_fusions,
        "search.processors": builtin.qx_post_processors,
    }
    duties = {"expand.processors": "process_queries", "search.processors": "process_hits"}
    rows = []
    for section, hook in kinds.items():
        for contribution in hook():
            module, _, name = contribution.target.partition(":")
            target = getattr(import_module(module), name)
            if not hasattr(target, duties.get(section, "create")):
                continue
            settings = target.Settings
            where = f"{code(section)}, {code(contribution.name)}"
            keys = [[code(key), kind, default] for key, kind, default in options(settings)] or [["-", "", ""]]
            rows += [[where if nth == 0 else "", *key] for nth, key in enumerate(keys)]
    return table(["section, name", "key", "type", "default"], rows)


def provider_options() -> str:
    """The options of the provider ``openai``."""
    from qx.builtin.openai import Settings

    skipped = ("model", "api_base", "api_key")
    rows = [[code(key), kind, default] for key, kind, default in options(Settings) if key not in skipped]
    return table(["option", "type", "default"], rows)


def backend_options(target: str) -> str | None:
    """The options of a type of backend; None where its plugin is not installed: then the page stays as it is."""
    module, _, name = target.partition(":")
    try:
        settings = getattr(import_module(module), name)
    except ModuleNotFoundError:
        return None
    docs = attribute_docstrings(settings) | attributes_section(settings)
    rows = [
        [code(key), kind, default, docs.get(key, "")]
        for key, kind, default in options(settings)
        if key not in ("name", "fields")
    ]
    return table(["option", "type", "default", "meaning"], rows)


def section_keys(target: str, name: str) -> str | None:
    """The keys of a plugin's section ``name`` of the profile, block by block; None where it is not installed."""
    module, _, place = target.partition(":")
    try:
        settings = getattr(import_module(module), place).Settings
    except ModuleNotFoundError:
        return None
    rows: list[list[str]] = []
    for path, kind in sections(settings, name):
        if kind.__module__.startswith("qx."):  # a processor, whose keys are told elsewhere
            continue
        docs: dict[str, str] = {}
        for base in reversed(kind.__mro__):
            docs |= attribute_docstrings(base) if hasattr(base, "model_fields") else {}
        for key, shown, default in options(kind):
            inner = model_of(kind.model_fields[key].annotation)
            if inner is None or inner.__module__.startswith("qx."):
                rows.append([code(f"{path}.{key}"), shown, default if inner is None else "", docs.get(key, "")])
    return table(["key", "type", "default", "meaning"], rows)


# ---- Errors ------------------------------------------------------------------------------------------------------


def error_tree() -> str:
    """The tree of errors as ``qx.errors`` draws it."""
    import qx.errors

    drawn = inspect.cleandoc(qx.errors.__doc__ or "").split("::\n", 1)[1].replace("``", "")
    return "```text\n" + inspect.cleandoc(drawn).strip() + "\n```"


# ---- Steps -------------------------------------------------------------------------------------------------------


def strategies() -> str:
    """Every built-in strategy: what it does, and who can do it."""
    from qx import builtin
    from qx.rules.expand import MODEL_STRATEGIES as OWN_CALL
    from qx.steps.drafts import MODEL_STRATEGIES as LABELS

    rows = []
    for contribution in builtin.qx_steps():
        module = import_module(contribution.target.partition(":")[0])
        name = contribution.name
        who = "a model, one call" if name in OWN_CALL else "rules, or a model" if name in LABELS else "rules"
        rows.append([code(name), prose(module.__doc__, whole=True), who])
    return table(["strategy", "what it makes", "who can"], rows)


# ---- Text, syntax, testing ---------------------------------------------------------------------------------------

TEXT = (
    "clean",
    "normalise",
    "segment",
    "language",
    "identifiers",
    "quotes",
    "quantities",
    "times",
    "negation",
    "spelling",
    "redact",
    "tokens",
)
_HIDDEN = {"characters_simplified", "traditional_only", "simplified_only", "replace_surrogates"}
"""Public for qx's own modules, of little use to anybody else."""


def text_functions() -> str:
    """Every function of ``qx.text`` with the first sentence of its docstring."""
    rows = []
    for name in TEXT:
        module = import_module(f"qx.text.{name}")
        for label, item in vars(module).items():
            own = getattr(item, "__module__", None) == module.__name__
            callable_class = inspect.isclass(item) and not hasattr(item, "__dataclass_fields__")
            if (
                own
                and not label.startswith("_")
                and label not in _HIDDEN
                and (inspect.isfunction(item) or isinstance(item, partial) or callable_class)
            ):
                signature = ", ".join(inspect.signature(item).parameters)
                said = prose(item.__doc__).removeprefix("Return ")
                rows.append([code(f"{name}.{label}({signature})"), said[0].upper() + said[1:]])
    return table(["`qx.text.`", "what it does, or gives"], rows)


def dialects() -> str:
    """What each dialect can say."""
    from qx.syntax import DIALECTS

    rows = []
    for dialect in DIALECTS.values():
        said = {
            "phrase": "yes" if dialect.phrase else None,
            "either": dialect.either,
            "exclude": dialect.exclude,
            "site": dialect.site,
            "filetype": dialect.filetype,
            "fields": ", ".join(dialect.fields) or None,
            "dates": dialect.after,
            "ranges": dialect.ranges,
        }
        longest = f"{dialect.max_words} words, {dialect.max_chars} characters" if dialect.max_words else "-"
        cells = [
            code(item) if item and name not in ("phrase", "fields") else item or "-" for name, item in said.items()
        ]
        rows.append([code(dialect.name), *cells, longest])
    head = ["dialect", "phrases", "either", "exclude", "site", "file type", "fields", "dates", "ranges", "longest"]
    return table(head, rows)


def testing_names() -> str:
    """What ``qx.testing`` has."""
    import qx.testing

    rows = [[code(name), prose(getattr(qx.testing, name).__doc__, whole=True)] for name in qx.testing.__all__]
    return table(["`qx.testing.`", "what it is"], rows)


PARTS: Mapping[tuple[str, str], Callable[[], str | None]] = {
    ("answering.md", "settings"): lambda: section_keys("qx_answer.section:AnswerSection", "answer"),
    ("backends/elasticsearch.md", "options"): lambda: backend_options("qx_elasticsearch.settings:Settings"),
    ("backends/local.md", "options"): lambda: backend_options("qx.builtin.local.backend:LocalSettings"),
    ("backends/meilisearch.md", "options"): lambda: backend_options("qx_meilisearch.settings:Settings"),
    ("backends/qdrant.md", "options"): lambda: backend_options("qx_qdrant.backend:Settings"),
    ("errors.md", "tree"): error_tree,
    ("expanding.md", "strategies"): strategies,
    ("hooks.md", "hooks"): hooks,
    ("hooks.md", "services"): services,
    ("profiles.md", "keys"): profile_keys,
    ("profiles.md", "own-keys"): own_keys,
    ("providers.md", "options"): provider_options,
    ("syntax.md", "dialects"): dialects,
    ("testing.md", "names"): testing_names,
    ("text.md", "functions"): text_functions,
    ("understanding.md", "fields"): canonical_fields,
    **{(f"suites/{page}.md", "suites"): partial(suites, page) for page in SUITES},
}
"""Page and part -> what writes it."""


if __name__ == "__main__":
    sys.exit(main())
