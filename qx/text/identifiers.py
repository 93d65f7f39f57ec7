"""Identifiers in a query: what must stay letter for letter (error codes, model numbers, versions, addresses)."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from qx.serial import value
from qx.text.lexicons import load
from qx.text.remembered import remembered

_TLD = "com|org|net|edu|gov|io|cn|ai|dev|app|info|co|uk|de|fr|jp|ru|hk|tw|me|xyz|top|eu"
_FILE = (
    "py|java|cpp|hpp|rs|go|ts|tsx|jsx|rb|php|sh|bat|ps1|exe|dll|sys|msi|apk|ipa|dmg|iso|img|zip|rar|7z|gz|tar|"
    "pdf|docx?|xlsx?|pptx?|csv|json|xml|ya?ml|toml|ini|conf|cfg|log|sql|db|html?|css|md|txt|png|jpe?g|gif|svg|mp4|mkv|"
    "gguf|onnx|pth|ckpt|safetensors|ipynb|lock|env"
)
_URL_END = r"[^\s<>\"'“”‘’（）【】《》「」『』，。；：！？、\u3040-\u30ff\u3400-\u9fff]"
_VERSIONED = (
    r"python|java|jdk|jre|node(?:\.?js)?|php|ruby|perl|go(?:lang)?|rust|scala|kotlin|swift|django|flask|spring(?:\ boot)?|"
    r"vue|react|angular|mysql|mariadb|postgres(?:ql)?|redis|mongodb|elasticsearch|kafka|nginx|docker|kubernetes|k8s|"
    r"cuda|cudnn|pytorch|tensorflow|numpy|pandas|ubuntu|debian|centos|fedora|windows|win|macos|android|ios|harmonyos|"
    r"鸿蒙|linux|openssl|gcc|cmake|unity|unreal|typescript|opencv|spark|hadoop|flink|version|ver\.?|版本"
)
_UNIT = (
    r"(?:元|块|万|千|百|年|月|日|号|天|周|时|点|分|秒|岁|寸|英寸|度|个|台|款|部|种|只|件|双|份|人|次|倍|米|公里|厘米|斤|公斤|克|升(?![级級职職学學降温溫值高至到迁遷起任])|页|集|"
    r"%|％|gb|tb|mb|kb|mah|inch|hz|usd|dollars?|years?|days?|hours?|minutes?|weeks?|months?)"
)
_STANDARD = (
    r"(?:(?i:GB(?:/[TZ]|(?=\s?\d{4,5}(?!\d)))|(?:AQ|CJJ?|DL|GA|GY|HG|HJ|JB|JGJ|JR|JT[GJ]?|LY|MH|NB|NY|QB|QC|QX|SB|SH|SJ|SL|SN|SY|TB|WS|YB|YC|YD|YY|YZ)/[TZ]|"
    r"DB\d{2}(?:/T)?|T/[A-Z]{2,8}|ISO(?!\s?(?:50|64|1[02]?0{1,2}|125|160|250?|320?|[248]00|500|640|1250|[1-6][0-6]00|12800|25600)(?![\d:-]))(?:/(?:IEC|TR|TS|PAS))?(?:/IEEE)?|IEC(?:/TR|/TS)?|IEEE(?:\sStd)?|RFC|BCP|ANSI(?:/[A-Z]{2,5}){0,2}|"
    r"ASTM|ASME|AISI|DIN(?:\sEN)?(?:\sISO)?|BS\sEN(?:\sISO)?|EN\sISO|EN\sIEC|JIS|FIPS(?:\sPUB)?|NIST\sSP|ITU-[TR]|ETSI(?:\sEN)?|3GPP(?:\sTS)?|ECMA|MIL-STD|"
    r"SAE|PEP|BIP|EIP|ERC|JSR|JEP|IFRS|ASC)|EN|BS|UL|CJJ?|JGJ|HJ|QB)"
    r"[\s-]?[A-Z]{0,2}\s?\d{1,6}(?:\.\d{1,6}){0,3}[a-zA-Z]{0,4}(?:[-/:—–]\d{1,6}){0,3}"
)
"""Numbers of standards: GB/T 19001-2016, ISO 9001:2015, RFC 9110, IEEE 802.11ax; the ISO 400 of a film is none."""
_A = r"(?<![A-Za-z0-9_])"  # no letter or digit before (Han may touch)
_Z = r"(?![A-Za-z0-9_])"

# In order of precedence: where two overlap, the earlier pattern wins.  Beside the type stands what a text must have for
# the pattern to match at all (``0``: a digit, ``a``: a Latin letter): most patterns need not be tried on most texts.
_PATTERNS: tuple[tuple[str, str, str], ...] = (
    ("url", "a", rf"(?i:(?:https?|ftp|file)://{_URL_END}++|{_A}www\.{_URL_END}++)"),
    (
        "email",
        "@",
        r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9][A-Za-z0-9_.+%-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}",
    ),
    ("doi", "0/.", rf"{_A}(?i:doi:\s?)?10\.\d{{4,9}}/{_URL_END}++"),
    ("arxiv", "0.", rf"{_A}(?i:arxiv)[:\s]\s?\d{{4}}\.\d{{4,5}}(?:v\d{{1,2}})?{_Z}"),
    ("arxiv", "0.", r"(?<![\w.,])\d{2}(?:0[1-9]|1[0-2])\.\d{5}(?:v\d{1,2})?(?![\w.,%])"),
    ("uuid", "-", rf"{_A}[0-9a-fA-F]{{8}}-(?:[0-9a-fA-F]{{4}}-){{3}}[0-9a-fA-F]{{12}}{_Z}"),
    ("cve", "0-", rf"{_A}(?i:cve|cnvd|cwe)-\d{{2,4}}(?:-\d{{4,7}})?{_Z}"),
    ("isbn", "0a", rf"{_A}(?i:isbn)[:：\s]?\s?(?:97[89][-\s]?)?\d(?:[-\s]?\d){{8}}[-\s]?[\dXx]{_Z}"),
    (
        "hash",
        "0a",
        rf"{_A}(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)(?:[0-9a-f]{{128}}|[0-9a-f]{{64}}|[0-9a-f]{{40}}|[0-9a-f]{{32}}){_Z}",
    ),
    ("standard", "0a", rf"(?<![A-Za-z0-9_/])(?<!\d\s){_STANDARD}(?![A-Za-z0-9_])"),
    ("mac-address", "", rf"{_A}(?:[0-9A-Fa-f]{{2}}[:-]){{5}}[0-9A-Fa-f]{{2}}{_Z}"),
    (
        "ip-address",
        "0.",
        r"(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:/\d{1,2}|:\d{1,5})?(?![\w.])",
    ),
    ("ip-address", ":", rf"{_A}(?:[0-9a-fA-F]{{1,4}}:){{7}}[0-9a-fA-F]{{1,4}}{_Z}"),
    ("path", ":\\", r"(?<![\w\\])[A-Za-z]:\\[^\s\"'<>|?*，。；、]++"),
    ("path", "/", r"(?<![\w/.~\u3400-\u9fff])(?:~|\.{1,2})?/[\w.@+-]++(?>(?:/[\w.@+-]*+)+)|(?<![\w/])~/[\w.@+-]++"),
    ("path", ".", rf"{_A}[A-Za-z0-9_-]{{1,80}}(?:\.[A-Za-z0-9_-]{{1,40}}){{0,4}}\.(?i:{_FILE})(?![\w.])"),
    (
        "url",
        ".",
        rf"{_A}(?<![.@])(?!(?i:asp|vb|ado|ml)\.net)(?:[A-Za-z0-9-]{{1,63}}\.){{1,6}}(?i:{_TLD})(?![\w.-])(?:/{_URL_END}*+)?",
    ),
    (
        "exception",
        "a",
        rf"{_A}(?:[A-Za-z_]\w{{0,60}}\.){{0,8}}[A-Z][A-Za-z0-9]{{1,60}}(?:Exception|Error|Interrupt|Fault){_Z}",
    ),
    ("error-code", "0a", rf"{_A}0[xX][0-9A-Fa-f]{{1,16}}{_Z}"),
    (
        "error-code",
        "a",
        rf"{_A}E(?:CONN(?:REFUSED|RESET|ABORTED)|NOENT|ACCES|PERM|PIPE|TIMEDOUT|ADDRINUSE|INVAL|EXIST|MFILE|NOSPC|NOTFOUND|HOSTUNREACH|RESOLVE|AGAIN|BUSY){_Z}",
    ),
    ("error-code", "a", rf"{_A}SIG(?:SEGV|KILL|TERM|ABRT|FPE|ILL|BUS|INT|HUP){_Z}"),
    ("error-code", "0a", rf"{_A}(?i:http)\s?[1-5]\d\d{_Z}"),
    (
        "error-code",
        "0a",
        rf"{_A}(?i:nginx|apache|caddy|haproxy|iis|tomcat|gateway|ingress)\s(?P<code>[45]\d\d){_Z}(?!\s?(?i:{_UNIT}))",
    ),
    (
        "error-code",
        "0a",
        r"(?<![\w.,$-])(?P<code>[45]\d\d)(?=\s(?i:bad\ (?:gateway|request)|not\ found|forbidden|internal\ server|service\ unavailable|gateway\ time|unauthori[sz]ed|too\ many))",
    ),
    (
        "error-code",
        "0a",
        rf"{_A}(?:ORA|TNS|PLS|SQLSTATE|ERR|ERROR|WIN|KB|TS|CS|MSB|NU|LNK|HRESULT|STOP|CE|NW|SU|WS|PS)[-_ ]?(?=[\dA-F]*\d)[\dA-F]{{3,8}}{_Z}",
    ),
    ("error-code", "0a", rf"{_A}E-?\d{{1,5}}{_Z}(?!\s?\d)"),
    (
        "error-code",
        "0",
        r"(?i:(?:(?<![a-z])(?:error|status|exit|stop|fault|response|return)(?:\s(?:code|number|no\.?))?|(?:错误|报错|故障|状态|异常|返回|退出)(?:代码|码|号)?|代码|錯誤(?:代碼|碼)?)[:：#]?\s{0,2})(?P<code>-?\d{2,6})(?![\w.])(?!\s?"
        + _UNIT
        + ")",
    ),
    (
        "error-code",
        "_",
        rf"{_A}(?=[A-Z0-9_]{{0,80}}(?:ERR|FAIL|EXCEPTION|FAULT|DENIED|INVALID|TIMEOUT|REFUSED|VIOLATION|EQUAL|NOT_))[A-Z][A-Z0-9]{{0,40}}(?:_[A-Z0-9]{{1,40}}){{1,12}}{_Z}",
    ),
    ("symbol", "_", rf"{_A}[A-Z][A-Z0-9]{{0,40}}(?:_[A-Z0-9]{{1,40}}){{1,12}}{_Z}"),
    ("symbol", "-a", rf"(?<![\w-])--?(?:(?<=--)[a-z][a-z0-9]+(?:-[a-z0-9]+){{0,6}}){_Z}"),
    ("symbol", "(a", r"(?<![\w.])(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Za-z_]\w{0,60}\(\)"),
    ("symbol", "_", rf"{_A}_{{0,2}}[A-Za-z][A-Za-z0-9]{{0,40}}(?:_[A-Za-z0-9]{{1,40}}){{1,10}}_{{0,2}}{_Z}"),
    (
        "version",
        "0a",
        rf"{_A}[vV]\d{{1,4}}(?:\.\d{{1,6}}){{0,4}}(?:-?(?:alpha|beta|rc|dev|preview|a|b)\.?\d{{0,3}})?(?![\w.]*\d){_Z}",
    ),
    (
        "version",
        "0",
        rf"(?<![A-Za-z0-9_])(?i:{_VERSIONED})\s?\d{{1,5}}(?:\.(?:\d{{1,6}}|x)){{0,4}}(?:-?(?:alpha|beta|rc|lts)\.?\d{{0,3}})?(?!(?:\.?\d)|[A-Za-z_])(?!\s?(?i:{_UNIT}))",
    ),
    (
        "version",
        "0.",
        r"(?<![\w.,-])\d{1,4}(?:\.\d{1,6}){2,4}(?:-?(?:alpha|beta|rc|dev|post)\.?\d{0,3})?(?![\w,]|\.\d)",
    ),
    ("model-number", "0", "PRODUCTS"),
    (
        "number-code",
        "0-",
        rf"{_A}[A-Z]{{2,8}}-(?:[A-Z]{{1,6}}-)?\d{{3,12}}(?:-(?:\d{{1,8}}|[A-Z]{{1,3}}\d{{0,4}}(?![A-Za-z]))){{0,3}}{_Z}",
    ),
    ("number-code", "0", rf"(?<![A-Za-z0-9_.,+-])\d{{9,24}}(?![A-Za-z0-9_]|[.,-]\d)(?!\s?(?i:{_UNIT}))"),
    (
        "model-number",
        "0a",
        rf"{_A}(?=[A-Za-z-]{{0,12}}\d)(?=[\d-]{{0,12}}[A-Za-z])[A-Za-z0-9]{{1,16}}(?:-[A-Za-z0-9]{{1,16}}){{0,4}}(?![A-Za-z0-9_-]|\.\d)",
    ),
)
_SUFFIX = r"(?>(?:\s?(?i:ti|super|xtx|xt|pro\ max|pro|max|plus|ultra|mini|air|fe|se|gre|lite|promax|ti\ super))*)"

# Letter and digit, yet no name of a thing: measures, sizes, ordinals, common words.
_NOT_MODEL = re.compile(
    r"(?i:\d++[a-z]{1,2}|\d++(?:st|nd|rd|th|mah|kwh|kgs?|lbs?|inch|bit|rpm|fps|nits?|usd|cny|rmb|eur|gbp|mbps|gbps|"
    r"days?|hours?|hrs?|mins?|years?|months?|weeks?|pcs|in-1|x\d++|people|person|cores?|way|ghz|mhz|khz|mpa|dpi|ppi|oz)|"
    r"\d++-(?:[a-z]++)(?>(?:-[a-z]++)*)|top-?\d++|\d++-in-\d++|[a-z]{3,}-to-\d++|(?:covid)-?\d++|mp[34]|h5|b2[bc]|o2o|c2c|web[23]|"
    r"utf-?\d++|co2|h2o|[on]2|nh3|so2|no2|h\d++n\d++|b\d{1,2}|d[23]|k2|omega-\d|a[0-6]|[qh][1-4]|\d++[a-z]?-\d++[a-z]{0,3}|p2p|\d{4}-\d{2}-\d{2}t.*)"
)
_CHIP = re.compile(r"(?i:\d{3,5}(?:ti|xt|x3d|x|k|kf|ks|f|h|hx|u|g|hs|s|xtx))")
_UNITS = re.compile(
    r"(?i:\d++(?:gb|tb|mb|kb|g|t|m|k|w|v|a|h|s|l|d|hz|cm|mm|km|kg|mg|ml|ms|mp|nm|pm|am|px|pt|db|kw|wh|ah|in|ft|lb|oz|p|c|f|b|x|y|n|e|z|w\+))"
)
_MEASURED = re.compile(r"\s\d+(?:gb|tb|mb|mah|hz|wh|w|mm|cm|in)$", re.IGNORECASE)
"""A measure after the name of a line: the "air 16gb" of "macbook air 16gb" is no model."""
_TRAILING = ".,;:!?)]}'\""


@value
class Identifier:
    """An identifier of a text; ``start`` and ``end`` are code points of it, end exclusive.

    Attributes:
        type: ``error-code``, ``exception``, ``model-number``, ``number-code`` (DEC-0054), ``version``, ``uuid``,
            ``url``, ``email``, ``path``, ``doi``, ``arxiv``, ``isbn``, ``cve``, ``hash``, ``ip-address``,
            ``mac-address``, ``standard`` (ISO 9001:2015) or ``symbol`` (a name of program code).
    """

    text: str
    start: int
    end: int
    type: str


_SIGN = re.compile(r"[._/@:()\-A-Z\d]")
"""What every identifier has one of."""


@remembered
def find(text: str) -> tuple[Identifier, ...]:
    """Return the identifiers of ``text`` in order; none overlap.

    ``gpt-4``, ``RTX 3070``, ``v2.3.1`` and ``python 3.11`` are found; measures (``16GB``, ``2k``, ``38.5``) are not.
    """
    if _SIGN.search(text) is None:
        return ()
    taken = bytearray(len(text))
    found: list[Identifier] = []
    for kind, pattern in _applicable(_marks(text) & _needed()):
        for match in pattern.finditer(text):
            start, end = match.span("code") if "code" in pattern.groupindex else match.span()
            if kind in ("url", "doi"):
                end = _trimmed(text, start, end)
            if any(taken[start:end]) or (
                kind == "model-number" and (_is_measure(match[0]) or _MEASURED.search(match[0]))
            ):
                continue
            taken[start:end] = b"\x01" * (end - start)
            found.append(Identifier(text=text[start:end], start=start, end=end, type=kind))
    return tuple(sorted(found, key=lambda i: i.start))


def is_identifier(text: str) -> bool:
    """Return whether the whole of ``text`` is one identifier, so that nothing of it may be rewritten.

    Names that people search around (``iPhone 15``, ``PS5``, ``python 3.11``) are not: they can be expanded.
    """
    text = text.strip().strip("\"'“”。.？?！!，,")
    if not text or len(text) > 2000:
        return False
    for found in find(text):
        if found.start == 0 and found.end == len(text):
            return found.type not in ("model-number", "version") or _stands_alone(found.text)
    return False


def _stands_alone(text: str) -> bool:
    """Return whether a model number or version is a code rather than a name that people search around."""
    if any(c.isspace() or c > "\u2e80" for c in text):
        return False
    if "-" in text or "." in text:
        return True
    return len(text) > 4 and not _product().fullmatch(text)


def _is_measure(text: str) -> bool:
    if _CHIP.fullmatch(text) and len(text) > 4 and not re.fullmatch(r"(?i:\d++(?:k|h|s|g|f|x))", text):
        return False
    return bool(_NOT_MODEL.fullmatch(text) or _UNITS.fullmatch(text))


def _trimmed(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] in _TRAILING:
        if text[end - 1] == ")" and text.count("(", start, end) >= text.count(")", start, end):
            break
        end -= 1
    return end


@cache
def _product() -> re.Pattern[str]:
    names = "|".join(re.escape(n).replace(r"_", r"\ ?") for n in sorted(load("products"), key=len, reverse=True))
    number = rf"[\s-]?\d{{1,5}}(?i:[a-z]{{0,3}}){_SUFFIX}{_Z}(?!\.\d)(?!\s?(?i:{_UNIT}))"
    return re.compile(rf"{_A}(?i:{names}){number}")


@cache
def _compiled() -> tuple[tuple[str, frozenset[str], re.Pattern[str]], ...]:
    return tuple(
        (kind, frozenset(needs), _product() if p == "PRODUCTS" else re.compile(p)) for kind, needs, p in _PATTERNS
    )


@cache
def _needed() -> frozenset[str]:
    return frozenset(mark for _, needs, _ in _compiled() for mark in needs)


@lru_cache(maxsize=256)
def _applicable(marks: frozenset[str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The patterns that can match a text with these marks."""
    return tuple((kind, pattern) for kind, needs, pattern in _compiled() if needs <= marks)


def _marks(text: str) -> frozenset[str]:
    """Return the characters of ``text``, with ``0`` for any digit and ``a`` for any Latin letter."""
    marks = set(text)
    if any(c.isdigit() for c in marks):
        marks.add("0")
    if any(c.isascii() and c.isalpha() for c in marks):
        marks.add("a")
    return frozenset(marks)
