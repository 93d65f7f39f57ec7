"""Two tenants on two packs in one process, a thousand interleaved requests: nothing of the one reaches the other."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import keyed
import pytest

import qx.testing.plugin
from engines import analysis, queries, stage
from qx import Query, QxError
from qx.engines import Engines
from qx.errors import Unavailable
from qx.llm import CompletionRequest
from qx.plugins import Plugins
from qx.spending.ledger_file import LedgerFile
from qx.testing import ScriptedLLM

PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin, keyed])
REQUESTS = 1000
TEXTS = (
    "how to fix a squeaky bicycle brake",
    "想买一台给爸妈用的手机",
    "quiet widget for the kitchen under 50",
    "静音小部件怎么安装",
    "how to return a widget that broke",
    "best widget for a small office",
    "小部件坏了怎么退货",
    "compare widget alpha and widget beta",
)
"""Both tenants ask the same: only whose they are tells the requests apart."""


@dataclass
class Tenant:
    """One tenant: his profile and pack, in which everything carries his mark, and his model, which writes it too."""

    name: str
    mark: str
    key: str
    calls_per_day: int
    model: ScriptedLLM = field(init=False)
    results: list[str] = field(default_factory=list)

    def write(self, folder: Path) -> None:
        pack = folder / f"{self.name}-pack"
        pack.mkdir()
        (pack / "words.txt").write_text(f"kitchen, {self.mark}kitchen\n")
        (pack / "pack.yaml").write_text(PACK.replace("MARK", self.mark), "utf-8")
        text = PROFILE.replace("NAME", self.name).replace("MARK", self.mark).replace("CALLS", str(self.calls_per_day))
        (folder / f"{self.name}.yaml").write_text(text, "utf-8")

    def answer(self, request: CompletionRequest) -> str:
        if stage(request) == "understand":
            return analysis(implicit_needs=[f"{self.mark} need"], keywords=["widget"])
        return queries(f"widget {self.mark} guide", f"widget {self.mark} review")

    @property
    def sent(self) -> str:
        """All that his model was sent."""
        return "\n".join(message.content for request in self.model.requests for message in request.messages)


PACK = """\
schema_version: 1
name: MARK-pack
taxonomy:
  name: MARK
  intents:
    - {id: MARK-intent, labels: {en: MARK intent, zh: MARK 意图}, definition: {en: Asks about a MARK thing., zh: 问 MARK。}, cues: [MARK]}
synonyms:
  - {words: [widget, MARKwidget]}
  - {words: [小部件, MARK部件]}
  - {file: words.txt}
lexicon: [MARK词]
examples:
  - text: quiet widget of MARK for the office
    language: en
    understanding: {intent: [MARK-intent]}
    queries: [{text: MARK example query, strategy: synonym}]
  - text: MARK 的静音小部件怎么安装
    language: zh
    understanding: {intent: [MARK-intent]}
    queries: [{text: MARK 示例查询, strategy: synonym}]
"""
PROFILE = """\
domains: [./NAME-pack]
understand: {mode: llm}
expand: {strategies: [synonym]}
deadline: 30s
llm:
  provider: keyed
  model: MARK-model
  api_key: "${MARK_KEY}"
  retries: 0
  options: {instance: two-NAME}
prompts: {domain_notes: MARK notes}
budget: {calls_per_day: CALLS}
cache: {type: sqlite, path: shared.db}
observers: [{type: jsonl, path: MARK.jsonl, wants_content: true}]
"""


@pytest.fixture
def tenants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Tenant, Tenant]:
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "profiles").mkdir()
    made = (
        Tenant("acme", "acmeone", "sk-acmeone-5f2e8b71", calls_per_day=90),
        Tenant("globex", "globextwo", "sk-globextwo-c40d9a36", calls_per_day=10_000),
    )
    for tenant in made:
        monkeypatch.setenv(f"{tenant.mark}_KEY", tenant.key)
        tenant.write(tmp_path / "profiles")
        tenant.model = ScriptedLLM(tenant.answer).named(f"two-{tenant.name}")
    return made


async def ask(engines: Engines, tenant: Tenant, other: Tenant, text: str, number: int) -> None:
    """One request; every few the wrong tenant's name is on it."""
    async with engines.use(tenant.name) as engine:
        if number % 50 == 0:
            with pytest.raises(QxError, match="is for tenant"):
                await engine.expand(Query(text=text, tenant=other.name))
        found = await engine.expand(text) if number % 3 else await engine.understand(text)
        tenant.results.append(repr(found))


async def test_nothing_crosses(tenants: tuple[Tenant, Tenant], tmp_path: Path) -> None:
    acme, globex = tenants
    order = random.Random(4)
    variables = {tenant.name: [f"{tenant.mark}_KEY"] for tenant in tenants}
    async with Engines(tmp_path / "profiles", plugins=PLUGINS, variables=variables, every=None) as engines:
        for begin in range(0, REQUESTS, 50):
            jobs = []
            for number in range(begin, begin + 50):
                mine, other = (acme, globex) if order.random() < 0.5 else (globex, acme)
                text = order.choice(TEXTS) + (f" {order.randrange(6)}" if order.random() < 0.5 else "")
                jobs.append(ask(engines, mine, other, text, number))
            await asyncio.gather(*jobs)
        knowledge = {tenant.name: (await engines.get(tenant.name)).knowledge for tenant in tenants}
    assert len(acme.results) + len(globex.results) == REQUESTS
    for mine, other in ((acme, globex), (globex, acme)):
        told = "\n".join(mine.results)
        events = (tmp_path / "profiles" / f"{mine.mark}.jsonl").read_text("utf-8")
        assert mine.mark in told
        assert mine.mark in mine.sent
        assert f"{mine.mark} example query" in mine.sent or f"{mine.mark} 示例查询" in mine.sent, "few-shot is his own"
        assert f"{mine.mark} notes" in mine.sent
        assert f"{mine.mark}widget" in told, "synonyms are his own"
        for where in (told, mine.sent, events, repr(knowledge[mine.name])):
            assert other.mark not in where
            assert mine.key not in where
            assert other.key not in where
        assert {request.model for request in mine.model.requests} == {f"{mine.mark}-model"}
        assert not [line for line in events.splitlines() if json.loads(line)["tenant"] != mine.name]
        assert set(keyed.KEYS.pop(id(mine.model))) == {mine.key}
    # the small budget ran dry, the large one never noticed
    assert acme.model.calls == 90
    assert "day's budget of calls" in "\n".join(acme.results)
    assert "day's budget" not in "\n".join(globex.results)
    assert globex.model.calls > 90
    for tenant in tenants:
        file = LedgerFile(tmp_path / "home" / "data" / tenant.name / "ledger.db")
        rows = file.report(date(2000, 1, 1))
        file.close()
        assert {row.tenant for row in rows} == {tenant.name}
        assert sum(row.usage.calls for row in rows) == tenant.model.calls
    # one cache file, and every entry in it is one tenant's
    with sqlite3.connect(tmp_path / "profiles" / "shared.db") as link:
        kept = link.execute("SELECT tenant, data FROM entries_1").fetchall()
    link.close()
    assert {tenant for tenant, _ in kept} == {"acme", "globex"}
    for tenant, data in kept:
        other = globex if tenant == "acme" else acme
        assert other.mark.encode() not in data


async def test_one_tenants_dead_endpoint_opens_nobody_elses_circuit(
    tenants: tuple[Tenant, Tenant], tmp_path: Path
) -> None:
    acme, globex = tenants
    acme.model = ScriptedLLM(default=Unavailable("down")).named("two-acme")
    async with Engines(tmp_path / "profiles", plugins=PLUGINS, every=None) as engines:
        for number in range(12):
            text = f"{TEXTS[0]} {number}"
            mine = await (await engines.get("acme")).expand(text)
            theirs = await (await engines.get("globex")).expand(text)
            assert mine.degraded
            assert not theirs.degraded
    assert acme.model.calls < 24, "its own circuit is open"
    assert globex.model.calls == 24
