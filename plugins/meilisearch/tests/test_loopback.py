"""The loopback server answers as the recorded Meilisearch did."""

from __future__ import annotations

import pytest

pytest.importorskip("meilisearch_python_sdk")

import json
from pathlib import Path
from typing import Any

import aiohttp

from servers.meilisearch import server as served
from servers.meilisearch.server import MeilisearchServer

EXCHANGES = Path(served.__file__).with_name("exchanges.jsonl")
KEYS = {"master": "master-key", "limited": "search-key", "wrong": "wrong-key"}
UNLIKE = {
    "version",  # its own
    "documents: malformed JSON",  # worded by Rust's parser
    "search: synonym", "search: typo", "search: page and hitsPerPage", "multi-search: federated with weights", "similar",
    "tasks: list",  # numbers of tasks made before the recording
}  # fmt: skip
"""What the server does not imitate."""


def essence(body: Any) -> Any:
    """What an answer says, without times, numbers of tasks and measurements."""
    if not isinstance(body, dict):
        return body
    if "hits" in body:
        return [hit["id"] for hit in body["hits"]], body.get("estimatedTotalHits"), body.get("facetDistribution")
    if body.get("results") and "hits" in body["results"][0]:
        return [essence(result) for result in body["results"]]
    if "batchUid" in body:
        return {name: body[name] for name in ("status", "type", "details", "indexUid")}, essence(body["error"])
    if "taskUid" in body:
        return body["type"], body["indexUid"]
    return {name: body[name] for name in ("message", "code", "type")} if "message" in body else body


async def test_every_recorded_exchange_is_answered_alike() -> None:
    exchanges = [json.loads(line) for line in EXCHANGES.read_text().splitlines()]
    task, unlike, compared = 0, [], 0
    async with (
        MeilisearchServer(master=KEYS["master"], search=KEYS["limited"]) as server,
        aiohttp.ClientSession() as session,
    ):
        made = {"uid": "products_new", "primaryKey": "id"}  # was there when the recording began
        await session.post(f"{server.url}/indexes", json=made, headers={"Authorization": f"Bearer {KEYS['master']}"})
        for exchange in exchanges:
            request, wanted = exchange["request"], exchange["response"]
            path = f"/tasks/{task}" if exchange["name"].endswith("task when done") else request["path"]
            headers = {"Authorization": f"Bearer {KEYS[request['auth']]}"} if request["auth"] else {}
            content: dict[str, Any] = {}
            if "raw" in request:
                headers["Content-Type"] = request["content_type"]
                content["data"] = request["raw"].encode()
            elif "body" in request:
                content["json"] = request["body"]
            async with session.request(request["method"], server.url + path, headers=headers, **content) as answer:
                raw = await answer.read()
                got = json.loads(raw) if answer.content_type == "application/json" and raw else None
            task = got["taskUid"] if isinstance(got, dict) and "taskUid" in got else task
            if exchange["name"] in UNLIKE:
                continue
            compared += 1
            if (answer.status, essence(got)) != (wanted["status"], essence(wanted["body"])):
                unlike.append((exchange["name"], answer.status, essence(got), essence(wanted["body"])))
    assert unlike == []
    assert compared >= 145
