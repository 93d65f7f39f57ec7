"""Addresses, headers, keys, numbers and durations that cannot be meant are refused with their place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qx.addresses import address_problem, has_control, header_name_problem, language_problem
from qx.profiles import explain_profile, load, shown
from qx.profiles.references import is_bare_address, is_public_header

from .conftest import Folder

ADDRESSES = {
    "not a url": "a space",
    "localhost:9200": "no address such as",
    "file:///etc/passwd": "file:// is not allowed",
    "FILE://x/y": "file:// is not allowed",
    "data:text/plain,x": "no address such as",
    "javascript://x": "javascript:// is not allowed",
    "ftp://h/x": "ftp:// is not allowed",
    "http://": "no host",
    "http:///path": "no host",
    "http://-/": "no host",
    "http://h:port/": "host or port",
    "http://h:99999/": "host or port",
    "http://[::1/": "host or port",
    "http://a%20b/": "a character that no host has",
    "h t t p://h": "a space",
    "://h": "no address such as",
}


@pytest.mark.parametrize("text", ADDRESSES)
@pytest.mark.parametrize(
    "profile",
    [
        "llm: {{model: m, api_base: {0}}}",
        "llm:\n  model: m\n  fallbacks:\n    - {{model: n, api_base: {0}}}",
        "llm: {{model: m, options: {{azure_base_url: {0}}}}}",
        "embedder: {{model: m, api_base: {0}}}",
    ],
)
def test_an_address_that_cannot_be_called_is_refused(folder: Folder, text: str, profile: str):
    error = folder.refused(profile.format(json.dumps(text)) + "\n")
    assert ADDRESSES[text] in str(error)
    assert error.file is not None
    assert error.file.endswith("acme.yaml")
    assert (error.line, error.hint) == (profile.count("\n") + 1, "write the whole address: https://host:port/path")


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ('search: {backends: {m: {type: x, url: "file:///etc/passwd"}}}', "file:// is not allowed"),
        ('search: {backends: {m: {type: x, hosts: ["http://a", "not a url"]}}}', r"hosts.1: it holds a space"),
        ('search: {processors: [{type: rerank, url: "nowhere"}]}', "no address such as"),
        ('cache: {type: redis, url: "file:///x"}', "file:// is not allowed"),
        ('cache: {type: redis, host: "a b"}', "a space"),
        ('observers: [{type: otel, endpoint: "http://"}]', "names no host"),
        ('expand: {processors: [{type: x, endpoint: "http://h:0x"}]}', "host or port"),
    ],
)
def test_so_is_one_in_the_settings_of_a_plugin(folder: Folder, block: str, said: str):
    assert said in str(folder.refused(block + "\n"))


@pytest.mark.parametrize(
    "block",
    [
        'search: {backends: {m: {type: x, hosts: ["http://a:9200", "https://b/p"]}}}',
        'cache: {type: redis, url: "redis://h:6379/0"}',
        'cache: {type: redis, host: "h:6379"}',
        'cache: {type: redis, url: "unix:///run/redis.sock"}',
        'llm: {model: m, api_base: "https://例子.测试/v1"}',
        'llm: {model: m, api_base: "http://[::1]:8080/v1"}',
        'llm: {model: m, options: {headers: {X-Url: "not a url", X-Tenant: "中文"}}}',
    ],
)
def test_addresses_that_are_right(folder: Folder, block: str):
    folder.profile(block + "\n")


def test_an_address_of_the_environment_is_checked_too(folder: Folder):
    folder.env |= {"BASE": "not a url", "LINK": "http://user:canary-pw@h:0x/"}
    assert "a space" in str(folder.refused("llm: {model: m, api_base: '${BASE}'}\n"))
    error = folder.refused("cache: {type: x, url: '${LINK}'}\n")
    assert "host or port" in str(error)
    assert "canary" not in str(error)
    folder.env |= {"OPENAI_API_BASE": "file:///x"}
    error = folder.refused("tenant: a\n")
    assert "file:// is not allowed" in str(error)
    assert "the environment" in str(error)


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ('{"X Tenant": a}', "a header's name"),
        ('{"X-Tenant:": a}', "a header's name"),
        ('{"X-组": a}', "a header's name"),
        (r'{"X-Tenant": "a\r\nX-Evil: b"}', "one line"),
        (r'{"X-Tenant": "a\0"}', "one line"),
        ('{Authorization: "${TOKEN}"}', "one line"),
    ],
)
def test_headers_are_names_and_single_lines(folder: Folder, headers: str, said: str):
    folder.env["TOKEN"] = "Bearer canary-1234\n"
    error = folder.refused(f"llm:\n  model: m\n  options:\n    headers: {headers}\n")
    assert said in str(error)
    assert error.line == 4
    assert "canary" not in str(error)


def test_a_key_with_a_line_break_is_refused_and_not_shown(folder: Folder):
    folder.env["KEY"] = "canary-0123456789\n"
    error = folder.refused("llm: {model: m, api_key: '${KEY}'}\n")
    assert "llm.api_key: it holds a line break" in str(error)
    assert "canary" not in str(error)
    folder.env["PEM"] = "-----BEGIN\nabc\n-----END\n"
    folder.profile("llm: {model: m, options: {private_key: '${PEM}'}}\n")


@pytest.mark.parametrize("key", [r'"a\nb"', r'"a\0"', r'"\e[31m"', r'"\u202eab"'])
def test_keys_with_control_characters_are_refused(folder: Folder, key: str):
    error = folder.refused(f"cache:\n  type: x\n  {key}: 1\n")
    assert "a key holds a control character" in str(error)
    assert (error.line, error.column) == (3, 3)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("language: klingon!!", "not a language tag"),
        ("language: zh_CN", "not a language tag"),
        ("language: english", "not a language tag"),
        ('language: ""', "not a language tag"),
        ("timezone: Mars/Olympus", "IANA"),
        ("timezone: ../../etc/passwd", "IANA"),
        ("timezone: Asia", "IANA"),
        ('timezone: ""', "IANA"),
        ("deadline: 0s", "greater than 0"),
        ("deadline: -1s", "a duration is"),
        ("deadline: 1e9d", "a duration is"),
        ("deadline: ²s", "a duration is"),
        ("deadline: 99999999d", "less than or equal"),
        ("deadline: 2d", "less than or equal to 86400"),
        ("deadline: -3", "greater than 0"),
        ("deadline: .inf", "a duration is"),
        ("deadline: inf", "a duration is"),
        ("cache: {ttl: 99999d}", "less than or equal"),
        ("budget: {cost: nan}", "finite"),
        ("budget: {cost: inf}", "finite"),
        ("budget: {calls: -1}", "greater than or equal to 0"),
        ("budget: {calls: 1000000000000000000000000}", "less than or equal"),
        ("expand: {similarity: nan}", "finite"),
        ("expand: {max_length: 1000000000}", "less than or equal"),
        ("llm: {model: m, concurrency: 1000000000}", "less than or equal"),
        ("llm: {model: m, timeout: 1e300}", "less than or equal"),
        ("llm: {model: m, requests_per_second: inf}", "finite"),
        ("llm: {model: m, prices: {input: nan, output: 1}}", "finite"),
        ("search: {backends: {m: {type: x, weight: inf}}}", "finite"),
    ],
)
def test_what_cannot_be_meant_is_refused(folder: Folder, line: str, said: str):
    error = folder.refused(f"tenant: acme\n{line}\n")
    assert said in str(error)
    assert (error.line, error.file is not None) == (2, True)
    assert error.hint


@pytest.mark.parametrize("tag", ["zh", "en", "zh-Hant", "zh-Hans-CN", "pt-BR", "es-419", "de-CH-1996", "no", "x" * 2])
def test_language_tags(tag: str):
    assert language_problem(tag) is None


def test_headers_are_masked_where_a_profile_is_shown(folder: Folder):
    folder.env["TOKEN"] = "canary-from-env-1"
    written = {
        "Authorization": "Bearer canary-authorization-2",
        "X-Api-Key": "canary-key-3",
        "Cookie": "id=canary-cookie-4",
        "X-House": "canary-house-5",
        "X-Env": "${TOKEN}",
    }
    headers = json.dumps(written | {"Accept-Language": "de", "User-Agent": "acme"})
    path = folder.write(
        "profiles/acme.yaml",
        f"llm:\n  model: m\n  options:\n    headers: {headers}\n"
        f"search: {{backends: {{m: {{type: x, headers: {headers}}}}}}}\n",
    )
    explained = {s.path: s.value for s in explain_profile(path, env=folder.env)}
    plain = shown(load(path, env=folder.env).profile)
    assert "canary" not in json.dumps([explained, plain])
    assert explained["llm.options.headers.Accept-Language"] == "de"
    assert explained["llm.options.headers.X-Env"] == "${TOKEN}"
    assert plain["search"]["backends"]["m"]["headers"]["User-Agent"] == "acme"
    assert plain["llm"]["options"]["headers"]["X-House"] == "**********"


@given(st.text())
def test_no_text_breaks_the_checks(text: str):
    address_problem(text)
    address_problem(f"http://{text}", web=False, bare=True)
    language_problem(text)
    is_bare_address(text)
    is_public_header(text)
    if header_name_problem(text) is None:
        assert text.isascii()
        assert not has_control(text)
