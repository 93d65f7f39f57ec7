"""The detector ``challenge``: not the page, but the question whether a person is asking for it."""

from __future__ import annotations

import re

from qx.builtin.spam.page import Page, found, phrases

_SHORT = 400
_TITLE = re.compile(
    r"^\W*(?:just a moment|attention required|robot check|security (?:check|verification)|are you (?:a )?(?:human|robot)"
    r"|human verification|ddos.guard|access denied|百度安全验证|安全验证|访问验证|访问过于频繁|滑动验证(?:页面)?|验证码|请稍候|人机验证)"
    r"(?:\W.{0,20})?$"
)


def challenge(page: Page) -> str | None:
    """Return why this is a challenge page, or None: title and text must both say so, or the text by itself twice."""
    if len(page.text) > _SHORT:
        return None
    said = found(phrases("challenge"), page.text, page.asked)
    titled = _TITLE.match(page.title)
    if (titled and (said or not page.text)) or len(said) > 1 or (said and len(page.text) < _SHORT // 4):
        return f"it asks for proof: “{said[0] if said else page.title[:60]}”"
    return None
