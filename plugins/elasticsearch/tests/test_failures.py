"""Credentials, TLS and everything that goes wrong, against a loopback server."""

from __future__ import annotations

import base64
import gzip
import json
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pydantic import ValidationError

pytest.importorskip("qx_elasticsearch")

import elasticsearch

from qx.errors import (
    AuthError,
    BadRequest,
    BadResponse,
    Closed,
    NotAllowed,
    ProfileError,
    ProviderError,
    ProviderTimeout,
    QxError,
    RateLimited,
    Unavailable,
)
from qx.testing.conformance.backend import ask
from qx.testing.server import unused_port
from qx.testing.services import TestServices
from qx_elasticsearch import node
from qx_elasticsearch.backend import Elasticsearch
from servers.elasticsearch.answering import MAPPING, NO_HITS, PRODUCT, Reply, Server

SECRET = "s3cr3t-k3y-0123456789"
TOO_DEEP = {
    "error": {
        "root_cause": [{"type": "illegal_argument_exception", "reason": "Result window is too large"}],
        "type": "search_phase_execution_exception",
        "reason": "all shards failed",
    },
    "status": 400,
}


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    async with Server() as made:
        yield made


async def backend(services: TestServices, url: str, **settings: Any) -> Elasticsearch:
    block = {"name": "shop", "hosts": (url,), "index": "shop", **settings}
    return await Elasticsearch.create(Elasticsearch.Settings.model_validate(block), services)


@pytest_asyncio.fixture
async def shop(services: TestServices, server: Server) -> AsyncIterator[Elasticsearch]:
    made = await backend(services, server.url, api_key=SECRET)
    yield made
    await made.aclose()


def trusted(error: BaseException) -> str:
    """All that an error and what is behind it say."""
    said = ""
    link: BaseException | None = error
    while link is not None:
        said += f"{link!r} {vars(link)}"
        link = link.__cause__ or link.__context__
    return said


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        (Reply(400, TOO_DEEP), BadRequest, "narrow the search by a filter (400: Result window is too large"),
        (Reply(401, {"error": {"reason": "unable to authenticate"}, "status": 401}), AuthError, "api_key"),
        (Reply(403, {"error": {"reason": "action is unauthorized"}, "status": 403}), AuthError, "unauthorized"),
        (Reply(404, {"error": {"reason": "no such index [shop]"}, "status": 404}), BadRequest, "qx index"),
        (Reply(429, {"error": {"reason": "rejected"}}, {"Retry-After": "7", **PRODUCT}), RateLimited, "slow down"),
        (Reply(500, {"error": {"reason": "boom"}, "status": 500}), Unavailable, "500: boom"),
        (Reply(503, "<html><b>Busy</b></html>", {"Content-Type": "text/html"}), Unavailable, "Busy"),
        (Reply(504, "", {"Content-Type": "text/plain"}), ProviderTimeout, "gave up"),
        (Reply(200, "{not json"), BadResponse, "cannot be read"),
        (Reply(200, {"hits": 5}), BadResponse, "no search result"),
        (Reply(200, ["nothing"]), BadResponse, "no JSON object"),
        (Reply(200, {"hits": {"hits": [{"_id": "a", "_score": "nan"}], "total": None}}), BadResponse, "no search result"),
        (Reply(200, dict(NO_HITS), {}), BadResponse, "not Elasticsearch"),
        (Reply(307, "", {"Location": "http://127.0.0.1:9/?key=x"}), BadResponse, "redirects are not followed"),
    ],
)  # fmt: skip
async def test_each_failure_has_its_error(
    server: Server, shop: Elasticsearch, reply: Reply, kind: type[QxError], said: str
) -> None:
    server.answers["_search"] = reply
    with pytest.raises(kind) as caught:
        await shop.search(ask("red"))
    assert said in str(caught.value)
    assert "'shop'" in str(caught.value)
    assert shop.endpoint in str(caught.value)
    assert SECRET not in trusted(caught.value)
    if kind is RateLimited:
        assert caught.value.retry_after == 7


async def test_what_is_not_elasticsearch_is_named(services: TestServices, server: Server) -> None:
    server.answers.clear()
    for end in ("/", "_mapping", "_search"):
        server.answers[end] = Reply(headers={})
    made = await backend(services, server.url)
    with pytest.raises(BadResponse, match="not Elasticsearch"):
        await made.search(ask("red"))
    await made.aclose()


@pytest.mark.parametrize(
    "body", ["", "null", "[[[]]]", "[" * 200_000, "5", "<html>Hello</html>", '{"version": 5, "shop": 5}', '{"shop": {"mappings": []}}']
)  # fmt: skip
async def test_an_engine_that_answers_nonsense_fails_the_search_and_not_the_opening(
    services: TestServices, server: Server, body: str
) -> None:
    kind = "text/html" if body.startswith("<") else "application/json"
    server.answers = dict.fromkeys(
        ("/", "_mapping", "_search", "_msearch", "_count", "shop"),
        Reply(body=body, headers={"Content-Type": kind, **PRODUCT}),
    )
    made = await backend(services, server.url)
    for call in (
        made.search(ask("red")),
        made.search_many([ask("red"), ask("blue")]),
        made.count(None),
        made.values("brand", limit=5),
        made.frequencies(["red"]),
    ):
        with pytest.raises(BadResponse, match=r"'shop' at .* answered"):
            await call
    assert not (await made.health()).ok
    await made.aclose()


@pytest.mark.parametrize("end", ["_search", "_msearch", "_count"])
@pytest.mark.parametrize("body", ['{"hits": 5, "responses": 5, "count": []}', '{"responses": [5, "x"], "count": null}'])
async def test_answers_of_another_shape(server: Server, shop: Elasticsearch, end: str, body: str) -> None:
    server.answers[end] = Reply(body=body)
    call = {
        "_search": lambda: shop.search(ask("red")),
        "_msearch": lambda: shop.search_many([ask("red"), ask("blue")]),
        "_count": lambda: shop.count(None),
    }[end]
    with pytest.raises(BadResponse, match=r"'shop' at .* answered something that is no"):
        await call()


@pytest.mark.parametrize("packed", [True, False])
async def test_of_an_answer_no_more_is_read_than_may_be_kept(
    server: Server, shop: Elasticsearch, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    monkeypatch.setattr(node, "MOST_BYTES", 1_000_000)
    plain = b'{"hits": "' + b"a" * 3_000_000 + b'"}'
    coding = {"Content-Encoding": "gzip"} if packed else {}
    server.answers["_search"] = Reply(body=gzip.compress(plain) if packed else plain, headers={**PRODUCT, **coding})
    with pytest.raises(BadResponse, match=r"'shop' at .* answered more than 1,000,000 bytes"):
        await shop.search(ask("red"))
    server.answers["_search"] = Reply()
    assert (await shop.search(ask("red"))).ids == ()


async def test_pages_that_are_too_much_are_asked_for_in_parts(
    server: Server, shop: Elasticsearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = [{"_id": str(i), "sort": [i], "_source": {"title": "t" * 1000}} for i in range(1200)]

    def page(text: str) -> Reply:
        asked = json.loads(text)
        begin = asked.get("search_after", [-1])[0] + 1
        return Reply(body={"hits": {"hits": stored[begin : begin + asked["size"]]}, "_shards": {"total": 1}})

    monkeypatch.setattr(node, "MOST_BYTES", 300_000)
    server.answers |= {"_pit": Reply(body={"id": "p"}), "_search": page}
    assert await shop.ids() == [str(i) for i in range(1200)]
    monkeypatch.setattr(node, "MOST_BYTES", 1000)
    with pytest.raises(BadResponse, match="more than 1,000 bytes"):
        await shop.ids()


async def test_only_the_core_retries(server: Server, shop: Elasticsearch) -> None:
    server.answers["_search"] = Reply(503, {"error": "busy"})
    before = len(server.calls)
    with pytest.raises(Unavailable):
        await shop.search(ask("red"))
    assert len(server.calls) == before + 1


async def test_no_answer_in_time(server: Server, shop: Elasticsearch) -> None:
    server.answers["_search"] = Reply(hang=True)
    with pytest.raises(ProviderTimeout, match="did not answer in time"):
        await shop.search(ask("red", timeout=0.05))


async def test_refused(services: TestServices) -> None:
    made = await backend(services, f"http://user:{SECRET}@127.0.0.1:{unused_port()}")
    with pytest.raises(Unavailable, match="cannot connect") as caught:
        await made.search(ask("red"))
    assert SECRET not in trusted(caught.value)
    assert SECRET not in made.endpoint
    assert not (await made.health()).ok
    await made.aclose()
    with pytest.raises(Closed):
        await made.search(ask("red"))


async def test_a_key_or_a_password_goes_with_every_request(services: TestServices, server: Server) -> None:
    for settings, header in (
        ({"api_key": SECRET}, f"ApiKey {SECRET}"),
        ({"username": "me", "password": SECRET}, "Basic " + base64.b64encode(f"me:{SECRET}".encode()).decode()),
    ):
        made = await backend(services, server.url, **settings)
        await made.search(ask("red"))
        assert server.calls[-1][2]["Authorization"] == header
        assert SECRET not in repr(made._settings)
        await made.aclose()


async def test_a_key_for_one_index_may_not_see_the_cluster(services: TestServices, server: Server) -> None:
    server.answers["/"] = Reply(403, {"error": {"reason": "action [cluster:monitor/main] is unauthorized"}})
    server.answers["_mapping"] = Reply(body=MAPPING)
    server.answers = {end: server.answers[end] for end in ("_mapping", "/")}
    server.answers["_count"] = Reply(body={"count": 3})
    made = await backend(services, server.url)
    assert (await made.search(ask("red"))).ids == ()
    found = await made.health()
    assert found.ok
    assert found.documents == 3
    await made.aclose()


async def test_a_client_that_does_not_fit_is_named_when_the_engine_opens(
    services: TestServices, server: Server
) -> None:
    if elasticsearch.__version__[0] < 9:
        pytest.skip("the client of 8.x serves both")
    server.version = "8.17.1"
    with pytest.raises(ProfileError, match=r"install 'elasticsearch>=8\.19,<9'"):
        await backend(services, server.url)
    reason = (
        "A compatible version is required on both Content-Type and Accept headers: Accept version must be either "
        "version 8 or 7, but found 9."
    )
    server.answers["/"] = Reply(400, {"error": {"root_cause": [{"reason": reason}], "reason": reason}, "status": 400})
    with pytest.raises(
        ProfileError, match=r"client elasticsearch 9\.x .* version 8: install 'elasticsearch>=8\.19,<9'"
    ):
        await backend(services, server.url)


async def test_one_bad_search_of_a_batch(server: Server, shop: Elasticsearch) -> None:
    good = {**NO_HITS, "hits": {"hits": [{"_id": "a", "_score": 2.0, "_source": {"title": "t"}}], "total": None}}
    server.answers["_msearch"] = Reply(body={"responses": [good, TOO_DEEP, good]})
    found = await shop.search_many([ask("a"), ask(""), ask("b"), ask("c")])
    assert [type(one).__name__ for one in found] == ["SearchResponse", "SearchResponse", "BadRequest", "SearchResponse"]
    assert "too large" in str(found[2])


async def test_a_batch_that_cannot_be_parsed_is_asked_one_by_one(server: Server, shop: Elasticsearch) -> None:
    server.answers["_msearch"] = Reply(400, {"error": {"reason": "unknown query [x]"}, "status": 400})
    server.answers["shop/_search"] = lambda text: (
        Reply(400, {"error": {"reason": "unknown query [x]"}}) if '"b"' in text else Reply()
    )
    found = await shop.search_many([ask("a"), ask("b"), ask("c")])
    assert [type(one).__name__ for one in found] == ["SearchResponse", "BadRequest", "SearchResponse"]
    (alone,) = await shop.search_many([ask("b")])
    assert isinstance(alone, BadRequest)


async def test_a_batch_of_another_length_is_an_error(server: Server, shop: Elasticsearch) -> None:
    server.answers["_msearch"] = Reply(body={"responses": []})
    with pytest.raises(BadResponse, match="0 of 2"):
        await shop.search_many([ask("a"), ask("b")])


async def test_warnings_of_the_server_are_not_pythons(server: Server, shop: Elasticsearch) -> None:
    server.answers["_search"] = Reply(headers={"Warning": '299 Elasticsearch-9 "deprecated"', **PRODUCT})
    assert (await shop.search(ask("red"))).ids == ()


async def test_an_index_of_somebody_elses_is_not_written_to(server: Server, shop: Elasticsearch) -> None:
    from qx.backend import Document

    for call in (shop.upsert([Document(id="a")]), shop.delete(["a"]), shop.prepare(fingerprint=None, dimensions=0)):
        with pytest.raises(NotAllowed, match="--adopt"):
            await call
    assert {method for method, path, _, _ in server.calls if "_search" not in path} <= {"GET", "HEAD"}


async def test_a_full_queue_asks_to_come_again(server: Server, shop: Elasticsearch) -> None:
    from qx.backend import Document

    meta = {"_meta": {"qx": {"layout": "foreign"}}, "properties": {}}
    server.answers["_mapping"] = Reply(body={"shop": {"mappings": meta}})
    rejected = {"index": {"_id": "a", "status": 429, "error": {"type": "es_rejected_execution_exception"}}}
    broken = {"index": {"_id": "b", "status": 400, "error": {"type": "x", "reason": "failed to parse"}}}
    fine = {"index": {"_id": "a", "status": 201}}
    await shop.prepare(fingerprint=None, dimensions=0)
    server.answers["_bulk"] = Reply(body={"errors": True, "items": [fine, broken]})
    report = await shop.upsert([Document(id="a"), Document(id="b")])
    assert (report.indexed, report.failed, report.again) == (1, (("b", "failed to parse"),), frozenset())
    server.answers["_bulk"] = Reply(body={"errors": True, "items": [rejected, fine]})
    report = await shop.upsert([Document(id="a"), Document(id="b")])
    assert (report.indexed, report.again) == (1, {"a"})
    server.answers["_bulk"] = Reply(body={"errors": True, "items": [{"delete": rejected["index"]}]})
    with pytest.raises(RateLimited):
        await shop.delete(["a"])
    server.answers["_bulk"] = Reply(body={"errors": True, "items": [rejected]})
    with pytest.raises(RateLimited):
        await shop.upsert([Document(id="a")])
    report = await shop.upsert([Document(id="n", metadata={"x": float("nan")})])
    assert report.failed[0][0] == "n"


@pytest.mark.parametrize(
    "settings",
    [
        {"hosts": ("http://a",), "cloud_id": "x:y"},
        {"username": "me"},
        {"username": "me", "password": "p", "api_key": "k"},
        {"search_analyzer": "x"},
        {"index": ""},
        {"unknown": 1},
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"hosts|password|api_key|analyzer|at least 1|unknown"):
        Elasticsearch.Settings.model_validate({"index": "i", **settings})


async def test_a_host_that_is_no_url(services: TestServices) -> None:
    with pytest.raises(ValidationError, match="no address such as http"):
        await backend(services, "es.example.com")


# ---- TLS ----


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """A CA file, and the server side of TLS with a certificate for localhost that it signed."""
    trustme = pytest.importorskip("trustme")
    ca = trustme.CA()
    folder = tmp_path_factory.mktemp("ca")
    ca.cert_pem.write_to_path(str(folder / "ca.pem"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ca.issue_cert("localhost").configure_cert(context)
    return folder / "ca.pem", context


async def test_tls(services: TestServices, authority: tuple[Path, ssl.SSLContext]) -> None:
    ca, context = authority
    (services.folder / "ca.pem").write_bytes(ca.read_bytes())
    async with Server(tls=context) as server:
        trusting = await backend(services, server.url, ca="ca.pem", api_key=SECRET)
        assert (await trusting.search(ask("red"))).ids == ()
        careless = await backend(services, server.url, verify=False)
        assert (await careless.search(ask("red"))).ids == ()
        careful = await backend(services, server.url, api_key=SECRET)
        with pytest.raises(ProviderError, match="certificate is not trusted") as caught:
            await careful.search(ask("red"))
        assert SECRET not in trusted(caught.value)
        for made in (trusting, careless, careful):
            await made.aclose()


async def test_a_ca_file_that_is_none(services: TestServices) -> None:
    (services.folder / "empty.pem").write_text("nothing")
    with pytest.raises(ProfileError, match="CA certificates"):
        await backend(services, "https://localhost:1", ca="empty.pem")
    with pytest.raises(NotAllowed):
        await backend(services, "https://localhost:1", ca="/etc/ssl/certs/ca-certificates.crt")


async def test_a_long_body_is_sent_whole_and_without_a_warning(server: Server, services: TestServices) -> None:
    made = await backend(services, server.url)
    titles = [f"{'x' * 200}{n}" for n in range(8000)]
    try:
        body = {"query": {"terms": {"title": titles}}}
        await made._connection.call(lambda client: client.search(index="shop", body=body), timeout=5)
    finally:
        await made.aclose()
    _, _, headers, sent = server.calls[-1]
    assert len(sent) > 1_500_000  # aiohttp warns from a megabyte on, and a warning is an error here
    assert headers["Content-Length"] == str(len(sent.encode()))
    assert headers["Content-Type"].startswith("application/")
    assert json.loads(sent) == body
