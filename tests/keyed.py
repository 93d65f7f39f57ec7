"""A scripted model that takes a key and remembers which one each call came with, as a plugin of its own."""

from __future__ import annotations

from pydantic import SecretStr

from qx.hookspecs import Contribution, Services, hookimpl
from qx.llm import Completion, CompletionRequest
from qx.testing import ScriptedLLM
from qx.testing.llm import Settings as Scripted


class Settings(Scripted):
    api_key: SecretStr | None = None


class KeyedLLM:
    """``provider: keyed``: asks the ``ScriptedLLM`` of its ``instance``, whose ``keys`` it fills."""

    Settings = Settings

    def __init__(self, inner: ScriptedLLM, key: str) -> None:
        self._inner = inner
        self._key = key
        self.capabilities = inner.capabilities

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> KeyedLLM:
        inner = await ScriptedLLM.create(Scripted(instance=settings.instance), services)
        return cls(inner, settings.api_key.get_secret_value() if settings.api_key else "")

    async def complete(self, request: CompletionRequest, /) -> Completion:
        KEYS.setdefault(id(self._inner), []).append(self._key)
        return await self._inner.complete(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


KEYS: dict[int, list[str]] = {}
"""The keys that each scripted model was called with."""


@hookimpl
def qx_llm_providers() -> list[Contribution[KeyedLLM]]:
    return [Contribution(name="keyed", target="keyed:KeyedLLM")]
