"""The litellm library, loaded once with everything off that qx does itself or must not happen: retries, telemetry,
callbacks, a cost map from the network, an ``.env`` file of its own, help texts on standard output."""

from __future__ import annotations

import asyncio
import importlib
import importlib.metadata
import logging
import os
from typing import Any

from qx.errors import PluginError

COMPROMISED = ("1.82.7", "1.82.8")
"""Releases that were published with a credential stealer in them."""

_users = 0


def load() -> Any:
    """Import litellm (it takes seconds) and return the module.

    Raises:
        PluginError: a compromised release is installed; it is not imported.
    """
    installed = importlib.metadata.version("litellm")
    if installed in COMPROMISED:
        raise PluginError(
            f"litellm {installed} is a compromised release: uninstall it, change every key that this machine knew, "
            "and install another version",
            plugin="litellm",
        )
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")  # else it reads .env into the environment
    litellm: Any = importlib.import_module("litellm")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.num_retries = 0
    for name in ("callbacks", "success_callback", "failure_callback", "input_callback", "service_callback"):
        setattr(litellm, name, [])
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.ERROR)
    return litellm


def acquire() -> None:
    """Count one more user of litellm's clients, which it keeps for the whole process."""
    global _users
    _users += 1


async def release() -> None:
    """Count one user less; with the last, close litellm's clients and end its logging task."""
    global _users
    _users -= 1
    if _users > 0:
        return
    litellm: Any = importlib.import_module("litellm")
    await litellm.close_litellm_async_clients()
    litellm.in_memory_llm_clients_cache.flush_cache()
    worker: Any = importlib.import_module("litellm.litellm_core_utils.logging_worker").GLOBAL_LOGGING_WORKER
    await asyncio.sleep(0)  # the enqueuing of the last call's log has not run yet
    await worker.stop(discard_pending=True)
