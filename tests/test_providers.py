from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from qx.calls.completer import Completer
from qx.calls.providers import make_provider, make_providers
from qx.errors import PluginError, ProfileError
from qx.llm import CompletionRequest, Message
from qx.settings import LLM, Endpoint
from qx.testing import ScriptedLLM, TestServices

CANARY = "sk-canary-90ab"


class Local(ScriptedLLM):
    """A provider without a key or a model of its own."""

    class Settings(BaseModel):  # no hide_input_in_errors: a third party may not think of it
        model_config = ConfigDict(extra="forbid")
        threads: int = 1

    made: list["Local"] = []  # noqa: RUF012

    @classmethod
    async def create(cls, settings: Any, services: Any, /) -> "Local":
        provider = cls(default=f"threads {settings.threads}")
        cls.made.append(provider)
        return provider


async def test_options_and_connection_reach_the_settings(services: TestServices) -> None:
    made = await make_provider(Endpoint(provider="local", model="m", options={"threads": 4}), Local, services)
    request = CompletionRequest(model="m", messages=(Message(role="user", content="x"),))
    assert (await made.complete(request)).text == "threads 4"


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ({"options": {"thread": 4}}, "thread: "),
        ({"options": {"threads": CANARY}, "api_key": CANARY}, "threads: "),
        ({"api_key": CANARY}, "api_key: "),
        ({"api_base": "http://u:sekret@h"}, "api_base: "),
    ],
)
async def test_wrong_settings_name_the_field_and_no_value(
    services: TestServices, block: dict[str, Any], text: str
) -> None:
    endpoint = Endpoint.model_validate({"provider": "local", "model": "m"} | block)
    with pytest.raises(ProfileError, match=text) as caught:
        await make_provider(endpoint, Local, services)
    shown = str(caught.value) + repr(caught.value.__cause__) + repr(caught.value.__context__)
    assert "provider 'local'" in shown
    assert CANARY not in shown
    assert "sekret" not in shown


async def test_keys_are_never_inherited_by_a_fallback(services: TestServices) -> None:
    seen: list[Any] = []

    class Keyed(ScriptedLLM):
        class Settings(BaseModel):
            model_config = ConfigDict(extra="forbid")
            model: str = ""
            api_base: str = ""
            api_key: Any = None

        @classmethod
        async def create(cls, settings: Any, services: Any, /) -> "Keyed":
            seen.append(settings)
            return cls(default="x")

    llm = LLM.model_validate(
        {
            "provider": "keyed",
            "model": "a",
            "api_key": CANARY,
            "fallbacks": [{"provider": "keyed", "model": "b", "api_base": "http://elsewhere"}],
        }
    )
    await make_providers(llm, lambda name: Keyed, services)
    assert seen[0].api_key.get_secret_value() == CANARY
    assert seen[1].api_key is None


async def test_when_one_fails_those_already_made_are_closed(services: TestServices) -> None:
    Local.made.clear()

    def factory(name: str) -> Any:
        if name == "absent":
            raise PluginError("no provider 'absent'")
        return Local

    llm = LLM.model_validate({"provider": "local", "model": "m", "fallbacks": [{"provider": "absent", "model": "m"}]})
    with pytest.raises(PluginError):
        await make_providers(llm, factory, services)
    assert [provider.closed for provider in Local.made] == [True]


async def test_they_fit_a_completer(services: TestServices) -> None:
    llm = LLM.model_validate({"provider": "local", "model": "m"})
    made = Completer(llm, await make_providers(llm, lambda name: Local, services), clock=services.clock)
    assert made.endpoints == ("local m",)
    await made.aclose()
