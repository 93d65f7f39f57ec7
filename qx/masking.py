"""Personal data of a request to a model: hidden in all that the conversation says, and put back in what comes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from qx.llm import Completion, CompletionRequest
from qx.text import redact


def masked(request: CompletionRequest, hidden: redact.Extra | None) -> tuple[CompletionRequest, Mapping[str, str]]:
    """Return ``request`` without personal data, and what each placeholder in it stands for.

    The system's message is the profile's own text and stays.  What a model called tools with is a part of the
    conversation like the rest.
    """
    said = [message for message in request.messages if message.role != "system"]
    texts = [text for message in said for text in (message.content, *(c.arguments for c in message.tool_calls))]
    changed, names = redact.mask_messages(texts, hidden)
    found = iter(changed)
    messages = tuple(
        message
        if message.role == "system"
        else replace(
            message,
            content=next(found),
            tool_calls=tuple([replace(call, arguments=next(found)) for call in message.tool_calls]),
        )
        for message in request.messages
    )
    return replace(request, messages=messages), names


def unmasked(completion: Completion, names: Mapping[str, str]) -> Completion:
    """Return ``completion`` with every placeholder replaced by what it stands for; arguments of tools stay JSON."""
    if not names:
        return completion
    written = {name: json.dumps(text, ensure_ascii=False)[1:-1] for name, text in names.items()}
    calls = tuple([replace(c, arguments=redact.unmask(c.arguments, written)) for c in completion.tool_calls])
    return replace(completion, text=redact.unmask(completion.text, names), tool_calls=calls)
