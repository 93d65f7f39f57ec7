from typing import Any

import pytest
from pydantic import SecretStr

from qx.errors import ProfileError
from qx.profiles.references import Resolver, is_endpoint, is_secret, reference
from qx.secrets import reveal
from qx.yaml import Place

ENV = {"KEY": "canary-0123456789", "URL": "http://h/v1", "LINK": "redis://user:canary-pw@h/0"}


def resolve(data: dict[str, Any], **options: Any) -> dict[str, Any]:
    return Resolver(ENV, allowed=options.get("allowed"), locate=lambda loc: Place(file="p", line=1)).resolve(data)


@pytest.mark.parametrize(
    "name",
    ["api_key", "API-KEY", "apiKey", "X-Api-Key", "token", "access_token", "db_password", "dsn", "client_secret"],
)
def test_names_of_secrets(name: str):
    assert is_secret(name)


@pytest.mark.parametrize("name", ["max_tokens", "example_tokens", "key", "keyword", "tokenizer", "secretary", "type"])
def test_names_that_only_look_like_it(name: str):
    assert not is_secret(name)


def test_names_of_endpoints():
    assert all(map(is_endpoint, ["api_base", "url", "base_url", "hosts", "host", "proxy", "endpoint"]))
    assert not any(map(is_endpoint, ["model", "ghosts", "urls_seen", "path"]))


def test_a_reference_is_a_whole_value():
    assert reference("${A_1}") == "A_1"
    assert [reference(x) for x in ("${A} ", "x${A}", "${}", "$A", "${1A}", "${A}${B}", 3, None)] == [None] * 8


def test_secrets_are_wrapped_and_addresses_are_not():
    found = resolve({"a": {"api_key": "${KEY}", "url": "${URL}", "hosts": ["${URL}", "http://x"], "model": "m"}})["a"]
    assert isinstance(found["api_key"], SecretStr)
    assert (found["url"], found["hosts"], found["model"]) == ("http://h/v1", ["http://h/v1", "http://x"], "m")


def test_an_address_with_a_password_is_a_secret():
    found = resolve({"a": {"url": "${LINK}", "host": "http://token@h", "other": "http://u:p@h"}})["a"]
    assert isinstance(found["url"], SecretStr)
    assert isinstance(found["host"], SecretStr)
    assert reveal(found) == {"url": ENV["LINK"], "host": "http://token@h", "other": "http://u:p@h"}


def test_headers_may_name_variables():
    found = resolve({"o": {"headers": {"Authorization": "${KEY}", "X-Tenant": "acme", "X-Trace": "${URL}"}}})
    headers = found["o"]["headers"]
    assert isinstance(headers["Authorization"], SecretStr)
    assert isinstance(headers["X-Trace"], SecretStr)
    assert headers["X-Tenant"] == "acme"


def test_what_is_given_stays_as_it_was():
    data = {"a": {"api_key": "${KEY}", "list": [1, None, True, {"token": "${KEY}"}]}}
    found = resolve(data)
    assert data["a"]["api_key"] == "${KEY}"
    assert reveal(found["a"]["list"]) == [1, None, True, {"token": ENV["KEY"]}]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"a": {"model": "${KEY}"}}, "not allowed here"),
        ({"model": ["${KEY}"]}, "not allowed here"),
        ({"a": {"url": "http://${KEY}"}}, "whole value"),
        ({"a": {"token": "Bearer ${KEY}"}}, "whole value"),
        ({"a": {"token": "${KEYS}"}}, "did you mean 'KEY'"),
        ({"llm": {"api_base": "${LINK}"}}, "user or password"),
    ],
)
def test_what_is_refused(data: dict[str, Any], says: str):
    with pytest.raises(ProfileError) as caught:
        resolve(data)
    assert says in str(caught.value)
    assert "canary" not in str(caught.value)
    assert caught.value.line == 1


def test_an_operator_s_list():
    assert resolve({"a": {"token": "${KEY}"}}, allowed=["KEY"])
    with pytest.raises(ProfileError, match="not allowed for this tenant"):
        resolve({"a": {"token": "${KEY}"}}, allowed=[])
