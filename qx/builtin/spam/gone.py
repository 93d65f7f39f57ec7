"""The detector ``soft-404``: a page that says, with status 200, that it is not there."""

from __future__ import annotations

import re

from qx.builtin.spam.page import Page, found, phrases

_SHORT = 200
"""Longer texts are about missing pages rather than missing."""
_TITLE = re.compile(
    r"^\W*(?:error\s)?404\W*(?:\(?\s?(?:not found|page not found|找不到页面|页面不存在|页面未找到|页面走丢了)\s?\)?\W*\d?)?$"
    r"|^\W*(?:404\W+)?(?:oops\W+)?(?:(?:this |that |the )?page (?:not found|can(?:no|')t be found|does(?: not|n't) exist)|"
    r"页面不存在|页面找不到了?|找不到页面|页面未找到|您?访问的页面不存在|视频已失效|内容已删除|文章已被?删除)(?:\W.{0,40})?$"
    r"|^\W*(?:video|content|item|listing) (?:unavailable|not available|removed)\W*$"
)


def soft_404(page: Page) -> str | None:
    """Return why the page is missing, or None."""
    titled = _TITLE.match(page.title)
    if titled and len(page.text) < _SHORT and not (page.asked and page.asked in page.title):
        return f"its title says so: “{page.title[:60]}”"
    said = found(phrases("gone"), page.text[:_SHORT], page.asked)
    if said and len(page.text) < _SHORT and page.text.find(said[0]) < _SHORT // 4:
        return f"it says “{said[0]}”"
    return None
