"""The detector ``sponsored``: a flag in the metadata, a label in the title, the markup or the link of an ad."""

from __future__ import annotations

import re

from qx.builtin.spam.page import Page, found

_FLAGS = ("sponsored", "is_sponsored", "ad", "is_ad", "isad", "advertisement", "promoted", "is_promoted", "paid")
_KINDS = ("type", "kind", "result_type", "label")
_YES = frozenset((True, 1, "1", "true", "yes", "sponsored", "ad", "promoted", "广告", "推广"))
_LABEL = re.compile(
    r"^\W{0,2}(?:sponsored|promoted|advertisement|广告|推广)(?:\W{0,2}\s?[·|:：\-—\]】]|\W{0,2}$)"
    r"|^\W{0,2}ad\s?[·|:\]]|[-|·_ ]\s?(?:推广|广告)$"
)
_MARKUP = re.compile(
    r"""(?:class|id)\s*=\s*["'][^"'>]{0,80}\b(?:sponsored|advert(?:isement)?|adsbygoogle|ad-(?:banner|slot|unit|box))"""
    r"""|rel\s*=\s*["'][^"'>]{0,40}\bsponsored\b|data-ad-(?:client|slot)""",
    re.IGNORECASE,
)
_CLICKS = re.compile(
    r"^https?://(?:[\w.-]+\.)?(?:googleadservices\.com/|doubleclick\.net/|google\.[a-z.]+/aclk|bing\.com/aclick"
    r"|baidu\.com/baidu\.php|cpro\.baidu\.com/|ad\.[\w.-]+/|so\.com/s/ad|sogou\.com/bill_cpc)",
    re.IGNORECASE,
)


def sponsored(page: Page) -> str | None:
    """Return why the hit is an ad, or None."""
    for name in (*_FLAGS, *_KINDS):
        told = page.metadata.get(name)
        if isinstance(told, (str, bool, int)) and _means_ad(name, told):
            return f"metadata says {name}: {told}"
    if _CLICKS.match(page.url):
        return f"a link of an ad network ({page.host})"
    if found(_LABEL, page.title, ""):
        return "its title is labelled as an ad"
    marked = "=" in page.raw or "-ad-" in page.raw.casefold()  # what all of it has, and most texts lack
    return "ad markup" if marked and _MARKUP.search(page.raw) else None


def _means_ad(name: str, told: str | bool | int) -> bool:
    said = told.casefold().strip() if isinstance(told, str) else told
    if name in _KINDS:
        return said in ("sponsored", "ad", "ads", "promoted", "advertisement", "广告", "推广")
    return said in _YES
