import ssl
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from qx.errors import BadRequest, BadResponse, ProviderTimeout, Unavailable
from qx.http import Http, Reply, place
from qx.testing import ModelServer, Reaction
from qx.testing.server import unused_port


@pytest.fixture
async def http() -> AsyncIterator[Http]:
    made = Http()
    yield made
    await made.aclose()


async def post(http: Http, url: str, *, seconds: float = 5.0) -> bytes:
    return (await http.send("POST", f"{url}/chat/completions", json={"model": "m"}, timeout=seconds)).body


async def test_connections_are_kept_and_used_again(http: Http, model_server: ModelServer) -> None:
    for _ in range(5):
        await post(http, model_server.url)
    assert len(model_server.calls) == 5
    assert model_server.connections == 1


async def test_a_refused_connection_says_where(http: Http) -> None:
    with pytest.raises(Unavailable, match=r"cannot connect to http://127\.0\.0\.1:\d+/v1/.*: Connection refused"):
        await post(http, f"http://u:pw@127.0.0.1:{unused_port()}/v1")


async def test_the_client_librarys_exception_is_not_carried_along(http: Http) -> None:
    with pytest.raises(Unavailable) as caught:
        await post(http, f"http://127.0.0.1:{unused_port()}")
    assert type(caught.value.__cause__).__module__.startswith("qx.")
    assert caught.value.__context__ is None


async def test_a_dropped_connection_may_be_retried(http: Http, model_server: ModelServer) -> None:
    model_server.react(Reaction(kind="drop"))
    with pytest.raises(Unavailable, match="broke"):
        await post(http, model_server.url)
    assert b"ok" in await post(http, model_server.url)


async def test_no_answer_in_time_is_a_timeout_and_the_server_is_told(http: Http, model_server: ModelServer) -> None:
    model_server.react(Reaction(kind="hang"))
    with pytest.raises(ProviderTimeout, match=r"did not answer within 0\.05 s"):
        await post(http, model_server.url, seconds=0.05)
    await model_server.until(lambda: model_server.aborted)


async def test_redirects_are_not_followed(http: Http, model_server: ModelServer) -> None:
    model_server.react(Reaction(kind="redirect"))
    with pytest.raises(BadResponse, match=r"redirects to http://127\.0\.0\.1:9/elsewhere; ") as caught:
        await post(http, model_server.url)
    assert "key=x" not in str(caught.value)
    assert len(model_server.calls) == 1


async def test_a_body_above_the_limit_is_refused(model_server: ModelServer) -> None:
    small = Http(max_body=100_000)
    model_server.react(Reaction(kind="oversize"))
    with pytest.raises(BadResponse, match="more than 100,000 bytes"):
        await post(small, model_server.url)
    await small.aclose()


@pytest.mark.parametrize("url", ["ftp://x/y", "localhost:8080/v1", "file:///etc/passwd", "", "http://"])
async def test_only_http_urls_are_called(http: Http, url: str) -> None:
    with pytest.raises(BadRequest, match="not an http or https URL"):
        await http.send("GET", url, timeout=1)


async def test_the_proxy_of_the_environment_is_used_unless_it_says_no(
    http: Http, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", model_server.url.removesuffix("/v1"))
    monkeypatch.setenv("no_proxy", "direct.example")
    await post(http, "http://far.example/v1")
    assert model_server.calls[0][1]["Host"] == "far.example"
    with pytest.raises(Unavailable):
        await post(http, "http://direct.example/v1")


async def test_an_unreachable_proxy_is_named_as_such_without_its_password(
    http: Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://user:secret-pw@127.0.0.1:{unused_port()}")
    with pytest.raises(Unavailable, match=r"the proxy for http://far\.example/") as caught:
        await post(http, "http://far.example/v1")
    assert "secret-pw" not in repr(caught.value) + repr(caught.value.__cause__)


async def test_netrc_is_not_read(
    http: Http, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    from pathlib import Path

    netrc = Path(str(tmp_path)) / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password mine\n")
    monkeypatch.setenv("NETRC", str(netrc))
    await post(http, model_server.url)
    assert "Authorization" not in model_server.calls[0][1]


async def test_leaving_a_stream_early_closes_the_connection(http: Http, model_server: ModelServer) -> None:
    model_server.react(Reaction(kind="drip"))
    url = f"{model_server.url}/chat/completions"
    async with http.stream("POST", url, json={"stream": True}, timeout=5) as stream:
        async for line in stream.lines():
            assert line.startswith(b"data:")
            break
    await model_server.until(lambda: model_server.aborted)


async def test_a_stream_that_goes_on_too_long_is_a_timeout(http: Http, model_server: ModelServer) -> None:
    model_server.react(Reaction(kind="drip"))
    url = f"{model_server.url}/chat/completions"
    async with http.stream("POST", url, json={"stream": True}, timeout=0.1) as stream:
        with pytest.raises(ProviderTimeout):
            await stream.reply()


def test_a_place_is_shown_without_what_is_private() -> None:
    assert place("https://u:p@h.example/v1?key=k#f") == "https://h.example/v1"
    assert place("http://[::1]:8080/v1") == "http://[::1]:8080/v1"
    assert place("http://[broken") == "(not a URL)"
    assert place("http://h:notaport/") == "(not a URL)"
    assert place("api.example/v1") == "api.example/v1"
    assert place("file:///etc/passwd") == "file:…"
    assert place("user:secret@h.example") == "(not a URL)"


@pytest.mark.parametrize(
    "url",
    [
        *("ann:canary@h/x", "http:ann:canary@h/", "http:///ann:canary@h/", "http:\\\\ann:canary@h/", "?api_key=canary"),
        *("http://ann:canary@[::1", "http://ann:canary@h:99999/", "ftp://ann:canary@h/x", "//ann:canary@h/"),
        *("mailto:ann:canary@h", "data:text/plain,canary", "h/x?api_key=canary", " http://ann:canary@h/ "),
    ],
)
def test_a_place_that_is_no_url_shows_nothing_private_either(url: str) -> None:
    assert "canary" not in place(url)


async def test_the_ca_file_of_the_environment_is_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("QX_CA_BUNDLE", f"{tmp_path}/absent.pem")
    http = Http()
    with pytest.raises((FileNotFoundError, ssl.SSLError)):
        await http.open()


def test_importing_it_does_not_import_the_client() -> None:
    code = "import sys, qx.http, qx.calls.completer; sys.exit(any(m in sys.modules for m in ('aiohttp', 'tenacity', 'aiolimiter')))"
    subprocess.run([sys.executable, "-c", code], check=True)


async def test_the_proxies_of_ever_other_hosts_are_not_kept_for_ever(
    http: Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    for number in range(1500):
        assert http._proxy("http", f"host-{number}.example") == "http://proxy.example:3128"
    assert len(http._proxies) <= 1000


def test_a_byte_that_is_none_of_utf8_costs_a_character() -> None:
    body = b'{"queries": ["noise cancelling headphones", "b\xffd"]}'
    read = Reply(status=200, headers={}, body=body).json(place="a")
    assert read["queries"] == ["noise cancelling headphones", "b\ufffdd"]
    with pytest.raises(BadResponse, match="not JSON"):
        Reply(status=200, headers={}, body=b"\xff{").json(place="a")
