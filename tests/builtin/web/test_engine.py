"""A profile with a web engine, from the file to the result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qx.engine import Engine
from qx.errors import ProfileError, ProviderError, UsageError
from qx.profiles import load_profile
from qx.serial import to_json

KEY = "canary-key-c81d42ab"


def profile(folder: Path, text: str) -> Any:
    path = folder / "web.yaml"
    path.write_text(text, encoding="utf-8")
    return load_profile(path, env={"SEARCH_KEY": KEY, "QX_HOME": str(folder / "home")})


def block(api: Any, more: str = "") -> str:
    return f"""
understand: {{mode: rules}}
search:
  backends:
    web:
      type: web
      preset: google-cse
      url: {api.url}/customsearch
      api_key: ${{SEARCH_KEY}}
      vars: {{cx: engine-1}}
{more}"""


async def test_three_lines_of_a_profile_are_enough(api: Any, tmp_path: Path) -> None:
    api.reply = lambda asked: {
        "searchInformation": {"totalResults": "1"},
        "items": [{"title": f"found {asked.params['q']}", "link": "https://e.org/a?utm_source=x", "snippet": "…"}],
    }
    async with Engine.opened(profile(tmp_path, block(api))) as engine:
        result = await engine.search("红茶 冲泡 after:2024-01-01")
    assert result.hits[0].url == "https://e.org/a?utm_source=x"
    assert result.hits[0].contributions
    assert "after:2024-01-01" in {a.params["q"].split(" ")[-1] for a in api.asked}
    assert {a.params["key"] for a in api.asked} == {KEY}
    assert KEY not in to_json(result)


async def test_a_refused_key_is_named_by_its_backend_and_never_shown(
    api: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    api.reply = (403, {"error": {"message": f"API key {KEY} not valid"}})
    async with Engine.opened(profile(tmp_path, block(api))) as engine:
        with pytest.raises(ProviderError, match="backend web at") as caught:
            await engine.search("红茶")
    assert KEY not in json.dumps([str(caught.value), caplog.text, repr(vars(caught.value))])


async def test_wrong_settings_are_a_profile_error_that_says_what_to_do(api: Any, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="did you mean 'google-cse'"):
        await Engine.open(profile(tmp_path, block(api).replace("google-cse", "google-csee")))
    with pytest.raises(ProfileError, match="dialect") as caught:
        await Engine.open(profile(tmp_path, block(api, "      dialect: klingon")))
    assert KEY not in str(caught.value)


async def test_a_callers_filter_that_the_api_cannot_say_is_never_left_out(api: Any, tmp_path: Path) -> None:
    from qx.filters import Compare
    from qx.types import Query

    api.reply = {"searchInformation": {}, "items": [{"link": "https://e.org/a"}]}
    async with Engine.opened(profile(tmp_path, block(api))) as engine:
        with pytest.raises(UsageError, match="price"):
            await engine.search(Query(text="tea", filters=Compare(field="price", op="lt", value=5)))
    assert not api.asked
