"""The detector ``sales``: links that pay a referrer, and text that does nothing but sell.

One phrase such as "free shipping" makes no spam: several different ones do, fewer in a short text; those that only
spam uses ("add me on WhatsApp", 代开发票) weigh double.
"""

from __future__ import annotations

import re

from qx.builtin.spam.page import Page, found, phrases

NEEDED = 3
"""Weight of phrases that makes a text spam."""
_SHORT = 160
_AFFILIATE = re.compile(
    r"[?&](?:aff(?:iliate)?_?id|affid|aff|aff_fcid|aff_sub|affiliate|clickid|irclickid)=[^&]"
    r"|amazon\.[a-z.]+/[^?#]*\?(?:[^#]*&)?tag=[\w-]+-2\d\b"
    r"|^https?://(?:[\w.-]+\.)?(?:linksynergy|shareasale|awin1|skimresources|anrdoezrs|jdoqocy|tkqlhce|prf\.hn|hop\.clickbank)\b"
    r"|^https?://(?:s\.click\.taobao\.com|uland\.taobao\.com|u\.jd\.com|union-click\.jd\.com|p\.pinduoduo\.com)/",
    re.IGNORECASE,
)
_CONTACT = re.compile(
    r"(?:加|联系|咨询|添加|同)(?:我的?|老师|客服)?\s?(?:微信|vx|v信|qq|薇信|扣扣|电报)|微信(?:号|同号|同步)?\s?[:：]?\s?[a-z][\w-]{5,}"
    r"|(?:whatsapp|telegram|dm|text)\s(?:us|me)\b|join (?:my|our) telegram"
)


def sales(page: Page) -> str | None:
    """Return why the hit is affiliate or sales text, or None."""
    if _AFFILIATE.search(page.url):
        return f"an affiliate link ({page.host})"
    text = f"{page.title}\n{page.text}"
    plain = found(phrases("sales"), text, page.asked)
    strong = found(phrases("sales_only"), text, page.asked)
    contact = found(_CONTACT, text, page.asked)
    weight = len(plain) + 2 * len(strong) + 2 * bool(contact)
    needed = NEEDED - 1 if len(text) < _SHORT and (strong or contact) else NEEDED
    if weight < needed or len(plain) + len(strong) + len(contact) < 2:
        return None
    shown = ", ".join(f"“{phrase}”" for phrase in (*strong, *contact, *plain)[:3])
    return f"sales text: {shown}"
