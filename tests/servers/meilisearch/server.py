"""A loopback Meilisearch: the routes, keys, tasks and errors of our recordings, over ``index.Index``.

It stands in where no Meilisearch can be had.  What it answers is compared with every recorded exchange.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Self

from aiohttp import web

from servers.meilisearch.index import DEFAULTS, Failure, Index
from servers.meilisearch.text import TEN

_UID = "Index uid can be an integer or a string containing only alphanumeric characters, hyphens (-) and underscores (_), and can not be more than 512 bytes."
_SETTINGS = [*list(DEFAULTS)[:4], "foreignKeys", *list(DEFAULTS)[4:], "chat"]
_SEARCH = (
    "q", "offset", "limit", "page", "hitsPerPage", "attributesToRetrieve", "attributesToCrop", "cropLength",
    "cropMarker", "attributesToHighlight", "highlightPreTag", "highlightPostTag", "showMatchesPosition", "filter",
    "sort", "distinct", "facets", "matchingStrategy", "attributesToSearchOn", "rankingScoreThreshold", "locales",
    "hybrid", "vector", "retrieveVectors", "media", "personalize", "useNetwork", "showRankingScore",
    "showRankingScoreDetails", "showPerformanceDetails",
)  # fmt: skip
_MULTI = frozenset(("indexUid", "federationOptions"))
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class MeilisearchServer:
    """``async with MeilisearchServer() as server``: it listens on a free port of 127.0.0.1.

    Args:
        master: The key that may do everything; None: no key is asked for.
        search: A key that may only search.
        polls: How often a task says ``processing`` before it is done.

    Attributes:
        calls: ``(method, path, body)`` of every call so far.
        react: Answers in its stead where it returns something: ``lambda method, path: (500, {})``; ``"hang"``, ``"garbage"``
            and bytes, which are sent with the headers behind them, are answers too.
    """

    def __init__(self, *, master: str | None = None, search: str | None = None, polls: int = 0) -> None:
        self.master, self.search_key, self.polls = master, search, polls
        self.indexes: dict[str, Index] = {}
        self.tasks: list[dict[str, Any]] = []
        self.calls: list[tuple[str, str, Any]] = []
        self.react: Callable[[str, str], Any] = lambda method, path: None
        self._waits: dict[int, int] = {}
        self._runner: web.AppRunner | None = None
        self._port = 0
        self._closing = asyncio.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    async def __aenter__(self) -> Self:
        app = web.Application(middlewares=[self._middleware], client_max_size=100 * 2**20)
        routes: list[tuple[str, str, Handler]] = [
            ("GET", "/health", self._health), ("GET", "/version", self._version), ("GET", "/tasks/{task}", self._task),
            ("GET", "/tasks", self._list_tasks), ("POST", "/indexes", self._create),
            ("GET", "/indexes/{uid}", self._info), ("DELETE", "/indexes/{uid}", self._drop),
            ("GET", "/indexes/{uid}/settings", self._get_settings), ("GET", "/indexes/{uid}/stats", self._stats),
            ("PATCH", "/indexes/{uid}/settings", self._set_settings), ("POST", "/indexes/{uid}/search", self._search),
            ("GET", "/indexes/{uid}/search", self._search_get), ("POST", "/multi-search", self._multi_search),
            ("POST", "/indexes/{uid}/documents", self._add), ("PUT", "/indexes/{uid}/documents", self._add),
            ("POST", "/indexes/{uid}/documents/fetch", self._fetch), ("GET", "/indexes/{uid}/documents", self._fetch),
            ("GET", "/indexes/{uid}/documents/{id}", self._get), ("POST", "/swap-indexes", self._swap),
            ("POST", "/indexes/{uid}/documents/delete-batch", self._delete_ids),
            ("POST", "/indexes/{uid}/documents/delete", self._delete_filter),
            ("POST", "/indexes/{uid}/facet-search", self._facet_search),
        ]  # fmt: skip
        for method, path, handler in routes:
            app.router.add_route(method, path, handler)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closing.set()
        await asyncio.sleep(0)
        if self._runner is not None:
            await self._runner.cleanup()

    @web.middleware
    async def _middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        raw = await request.read()
        try:
            body = json.loads(raw) if raw and "ndjson" not in request.content_type else raw.decode() or None
        except ValueError:
            body = None
        self.calls.append((request.method, request.path, body))
        reaction = self.react(request.method, request.path)
        if reaction == "hang":
            await self._closing.wait()
            return web.Response(status=500)
        if reaction == "garbage":
            return web.Response(text="<html>nothing that is JSON</html>", content_type="text/html")
        if reaction is not None:
            status, answer, *headers = reaction
            if isinstance(answer, bytes):
                return web.Response(body=answer, status=status, headers=headers[0])
            return web.json_response(answer, status=status, headers=headers[0] if headers else None)
        try:
            self._authorise(request)
            return await handler(request)
        except Failure as error:
            return _error(error)
        except web.HTTPException as error:
            return web.Response(status=error.status)

    def _authorise(self, request: web.Request) -> None:
        if self.master is None or request.path == "/health":
            return
        given = request.headers.get("Authorization", "")
        if not given:
            raise Failure(
                "The Authorization header is missing. It must use the bearer authorization method.",
                "missing_authorization_header",
                "auth",
                401,
            )
        key = given.removeprefix("Bearer ")
        searching = request.path.endswith("/search") or request.path == "/multi-search"
        if key != self.master and not (key == self.search_key and searching):
            raise Failure("The provided API key is invalid.", "invalid_api_key", "auth", 403)

    def _index(self, request: web.Request) -> Index:
        uid = request.match_info["uid"]
        if uid not in self.indexes:
            raise Failure(f"Index `{uid}` not found.", "index_not_found", status=404)
        return self.indexes[uid]

    def _enqueue(self, kind: str, uid: str | None, work: Callable[[], dict[str, Any]], details: dict[str, Any]) -> Any:
        """Do ``work`` now; its failure is the task's."""
        number, now = len(self.tasks), datetime.now(UTC).isoformat()
        task = {"uid": number, "batchUid": number, "indexUid": uid, "status": "succeeded", "type": kind}
        task |= {"canceledBy": None, "details": details, "error": None, "duration": "PT0.001S"}
        task |= {"enqueuedAt": now, "startedAt": now, "finishedAt": now}
        try:
            task["details"] = {**details, **work()}
        except Failure as error:
            task |= {"status": "failed", "error": _described(error)}
        self.tasks.append(task)
        self._waits[number] = self.polls
        known = {"taskUid": number, "indexUid": uid, "status": "enqueued", "type": kind, "enqueuedAt": now}
        return web.json_response(known, status=202)

    async def _health(self, request: web.Request) -> web.Response:
        return web.json_response({"status": "available"})

    async def _version(self, request: web.Request) -> web.Response:
        return web.json_response({"commitSha": "loopback", "commitDate": "2026-01-01", "pkgVersion": "1.50.0"})

    async def _task(self, request: web.Request) -> web.Response:
        number = int(request.match_info["task"])
        if number >= len(self.tasks):
            raise Failure(f"Task `{number}` not found.", "task_not_found", status=404)
        if self._waits[number] > 0:
            self._waits[number] -= 1
            return web.json_response({**self.tasks[number], "status": "processing", "finishedAt": None, "error": None})
        return web.json_response(self.tasks[number])

    async def _list_tasks(self, request: web.Request) -> web.Response:
        wanted = request.query.get("statuses", "")
        found = [task for task in reversed(self.tasks) if not wanted or task["status"] in wanted.split(",")]
        limit = int(request.query.get("limit", 20))
        return web.json_response(
            {"results": found[:limit], "total": len(found), "limit": limit, "from": None, "next": None}
        )

    async def _create(self, request: web.Request) -> web.Response:
        body = await request.json()
        uid = str(body["uid"])
        if not all(c.isascii() and (c.isalnum() or c in "-_") for c in uid):
            raise Failure(f"Invalid value at `.uid`: `{uid}` is not a valid index uid. {_UID}", "invalid_index_uid")

        def work() -> dict[str, Any]:
            if uid in self.indexes:
                raise Failure(f"Index `{uid}` already exists.", "index_already_exists")
            self.indexes[uid] = Index(uid, body.get("primaryKey"))
            return {}

        return self._enqueue("indexCreation", uid, work, {"primaryKey": body.get("primaryKey")})

    async def _info(self, request: web.Request) -> web.Response:
        index, now = self._index(request), datetime.now(UTC).isoformat()
        return web.json_response({"uid": index.uid, "createdAt": now, "updatedAt": now, "primaryKey": index.key})

    async def _drop(self, request: web.Request) -> web.Response:
        uid = request.match_info["uid"]

        def work() -> dict[str, Any]:
            if uid not in self.indexes:
                raise Failure(f"Index `{uid}` not found.", "index_not_found")
            return {"deletedDocuments": len(self.indexes.pop(uid).documents)}

        return self._enqueue("indexDeletion", uid, work, {"deletedDocuments": 0})

    async def _get_settings(self, request: web.Request) -> web.Response:
        return web.json_response(self._index(request).settings)

    async def _set_settings(self, request: web.Request) -> web.Response:
        uid, body = request.match_info["uid"], await request.json()
        for name, item in body.items():
            if name not in _SETTINGS:
                known = ", ".join(f"`{n}`" for n in _SETTINGS)
                raise Failure(f"Unknown field `{name}`: expected one of {known}", "bad_request")
            if name.endswith("Attributes") and isinstance(item, str):
                shown = json.dumps(item)
                raise Failure(
                    f"Invalid value type at `.{name}`: expected an array, but found a string: `{shown}`",
                    "invalid_settings_" + "".join(f"_{c.lower()}" if c.isupper() else c for c in name),
                )

        def work() -> dict[str, Any]:
            self.indexes.setdefault(uid, Index(uid)).configure(body)
            return {}

        return self._enqueue("settingsUpdate", uid, work, {k: v for k, v in body.items() if v is not None})

    async def _stats(self, request: web.Request) -> web.Response:
        index = self._index(request)
        fields: dict[str, int] = {}
        for document in index.documents.values():
            for name in document:
                fields[name] = fields.get(name, 0) + 1
        known = {"numberOfDocuments": len(index.documents), "rawDocumentDbSize": 4096, "avgDocumentSize": 504}
        known |= {"isIndexing": False, "numberOfEmbeddings": len(index.vectors)}
        known |= {"numberOfEmbeddedDocuments": len(index.vectors), "fieldDistribution": dict(sorted(fields.items()))}
        return web.json_response(known)

    async def _search(self, request: web.Request) -> web.Response:
        body = await request.json()
        _check_search(body, frozenset())
        return web.json_response(self._index(request).search(body))

    async def _search_get(self, request: web.Request) -> web.Response:
        body: dict[str, Any] = {"q": request.query.get("q", ""), "limit": int(request.query.get("limit", 20))}
        if names := request.query.get("attributesToRetrieve"):
            body["attributesToRetrieve"] = names.split(",")
        return web.json_response(self._index(request).search(body))

    async def _multi_search(self, request: web.Request) -> web.Response:
        body = await request.json()
        results: list[dict[str, Any]] = []
        for place, query in enumerate(body["queries"]):
            try:
                _check_search(query, _MULTI)
                if query["indexUid"] not in self.indexes:
                    raise Failure(f"Index `{query['indexUid']}` not found.", "index_not_found")
                results.append({"indexUid": query["indexUid"], **self.indexes[query["indexUid"]].search(query)})
            except Failure as error:
                raise Failure(f"Inside `.queries[{place}]`: {error}", error.code, error.kind, 400) from error
        return web.json_response({"results": results})

    async def _facet_search(self, request: web.Request) -> web.Response:
        index, body = self._index(request), await request.json()
        start = str(body.get("facetQuery") or "").lower()
        found = index.search({"q": "", "facets": [body["facetName"]], "limit": 0})["facetDistribution"][
            body["facetName"]
        ]
        hits = [{"value": name, "count": count} for name, count in found.items() if name.lower().startswith(start)]
        return web.json_response({"facetHits": hits, "facetQuery": body.get("facetQuery"), "processingTimeMs": 0})

    async def _add(self, request: web.Request) -> web.Response:
        uid, raw = request.match_info["uid"], await request.text()
        if request.content_type not in ("application/json", "application/x-ndjson", "text/csv"):
            raise Failure(
                f"The Content-Type `{request.content_type}` is invalid. Accepted values for the Content-Type header are: "
                "`application/json`, `application/x-ndjson`, `text/csv`",
                "invalid_content_type",
                status=415,
            )
        try:
            if request.content_type == "application/x-ndjson":
                documents = [json.loads(line) for line in raw.splitlines() if line.strip()]
            else:
                documents = json.loads(raw)
            json.dumps(documents, ensure_ascii=False).encode()
        except ValueError as error:
            message = f"The `json` payload provided is malformed. `Couldn't serialize document value: {error}`."
            raise Failure(message, "malformed_payload") from error
        index = self.indexes.setdefault(uid, Index(uid))
        if index.key is None:
            index.key = request.query.get("primaryKey")
        partial = request.method == "PUT"
        details = {"receivedDocuments": len(documents), "indexedDocuments": 0}
        work = lambda: {"indexedDocuments": index.add(documents, partial=partial)}  # noqa: E731
        return self._enqueue("documentAdditionOrUpdate", uid, work, details)

    async def _fetch(self, request: web.Request) -> web.Response:
        index = self._index(request)
        body: Mapping[str, Any] = await request.json() if request.method == "POST" else request.query
        passing = sorted(index.passing(body.get("filter")))
        offset, limit = int(body.get("offset") or 0), int(body.get("limit", 20))
        fields = body.get("fields") or ["*"]
        fields = fields.split(",") if isinstance(fields, str) else fields
        from servers.meilisearch.index import selected

        results = [selected(index.documents[number], fields) for number in passing[offset : offset + limit]]
        return web.json_response({"results": results, "offset": offset, "limit": limit, "total": len(passing)})

    async def _get(self, request: web.Request) -> web.Response:
        id = request.match_info["id"]
        document = self._index(request).get(id)
        if document is None:
            raise Failure(f"Document `{id}` not found.", "document_not_found", status=404)
        return web.json_response(document)

    async def _delete_ids(self, request: web.Request) -> web.Response:
        index, ids = self._index(request), await request.json()
        details = {"providedIds": len(ids), "originalFilter": None}
        work = lambda: {"deletedDocuments": index.remove([str(id) for id in ids])}  # noqa: E731
        return self._enqueue("documentDeletion", index.uid, work, details)

    async def _delete_filter(self, request: web.Request) -> web.Response:
        index, body = self._index(request), await request.json()
        gone = [str(index.documents[number][index.key or "id"]) for number in index.passing(body["filter"])]
        details = {"providedIds": 0, "originalFilter": json.dumps(body["filter"])}
        return self._enqueue("documentDeletion", index.uid, lambda: {"deletedDocuments": index.remove(gone)}, details)

    async def _swap(self, request: web.Request) -> web.Response:
        swaps = await request.json()

        def work() -> dict[str, Any]:
            for swap in swaps:
                left, right = swap["indexes"]
                for uid in (left, right):
                    if uid not in self.indexes:
                        raise Failure(f"Index `{uid}` not found.", "index_not_found")
                self.indexes[left], self.indexes[right] = self.indexes[right], self.indexes[left]
                self.indexes[left].uid, self.indexes[right].uid = left, right
            return {}

        details = {"swaps": [{**swap, "rename": False} for swap in swaps]}
        return self._enqueue("indexSwap", None, work, details)


def _check_search(body: Mapping[str, Any], more: frozenset[str]) -> None:
    for name in body:
        if name not in _SEARCH and name not in more:
            known = ", ".join(f"`{n}`" for n in _SEARCH)
            raise Failure(f"Unknown field `{name}`: expected one of {known}", "bad_request")
    limit = body.get("limit", TEN)
    kind = "a string" if isinstance(limit, str) else "a negative integer" if limit < 0 else ""
    if kind:
        raise Failure(
            f"Invalid value type at `.limit`: expected a positive integer, but found {kind}: `{json.dumps(limit)}`",
            "invalid_search_limit",
        )


def _described(error: Failure) -> dict[str, str]:
    link = f"https://docs.meilisearch.com/errors#{error.code}"
    return {"message": str(error), "code": error.code, "type": error.kind, "link": link}


def _error(error: Failure) -> web.Response:
    return web.json_response(_described(error), status=error.status)
