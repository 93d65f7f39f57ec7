"""Makes the providers of a profile: from an endpoint's block and the plugin that it names, to a live object."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from qx.calls.completer import endpoint_name, endpoints
from qx.errors import ProfileError
from qx.failures import redactor, secrets_of
from qx.hookspecs import Services
from qx.llm import LLMProvider
from qx.secrets import reveal
from qx.settings import LLM, Endpoint
from qx.validation import problems_of, told
from qx.yaml import Place


async def make_provider(endpoint: Endpoint, factory: Any, services: Services) -> LLMProvider:
    """Make the provider of one endpoint.

    ``factory.Settings`` gets the block's ``model``, ``api_base`` and ``api_key`` where they are given (``model`` only
    if it has such a field: every request carries it too), with the block's ``options`` beside them.

    Raises:
        ProfileError: the plugin does not accept these settings; the text names each, without its value.
    """
    given: dict[str, Any] = reveal(endpoint.options)
    if endpoint.model and "model" in factory.Settings.model_fields:
        given["model"] = endpoint.model
    if endpoint.api_base is not None:
        given["api_base"] = endpoint.api_base
    if endpoint.api_key is not None:
        given["api_key"] = endpoint.api_key
    found = problems_of(factory.Settings, given, locate=lambda loc: Place(), where=lambda loc: loc)
    if found:
        listed = redactor(secrets_of(endpoint))(told(found))
        raise ProfileError(
            f"provider {endpoint.provider!r} does not accept the settings of {endpoint_name(endpoint)}: {listed}"
        )
    return await factory.create(factory.Settings.model_validate(given), services)


async def make_providers(settings: LLM, factory: Callable[[str], Any], services: Services) -> tuple[LLMProvider, ...]:
    """Make one provider for each endpoint of ``settings``; if one fails, those already made are closed.

    Args:
        factory: Name of a provider -> its class (the registry's ``get``).

    Raises:
        ProfileError, PluginError: an endpoint's settings, or the plugin that it names.
    """
    made: list[LLMProvider] = []
    async with AsyncExitStack() as stack:
        for endpoint in endpoints(settings):
            made.append(await make_provider(endpoint, factory(endpoint.provider), services))
            stack.push_async_callback(made[-1].aclose)
        stack.pop_all()
    return tuple(made)
