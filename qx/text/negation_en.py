"""English exclusions and negation words.  Offsets are of folded text."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int, int, int, str]
"""start, target_start, target_end, end, cue."""

_CUES = re.compile(
    r"(?<![\w-])(?:(?P<not>but\snot|(?:that(?:'s|\sis|\sare)|which\s(?:is|are))\snot|not)"
    r"|(?P<want>(?:i\s)?(?:don't|dont|do\snot)\s(?:want|need|like)|(?:don't|dont|do\snot)\s(?:recommend|suggest|show\sme)|no\sneed\sfor)"
    r"|(?P<without>without|w/o|excluding|exclude|except(?:\sfor)?|other\sthan|apart\sfrom|aside\sfrom"
    r"|(?:anything|everything|everyone|all)\sbut|instead\sof|minus)"
    r"|(?P<must>(?:(?:must|should|may)(?:n['’]t|\snot)|can(?:not|['’]t|\snot))\s(?:be|have|contain|include))"
    r"|(?P<no>no)|(?P<non>non-)|(?P<but>but)|(?P<neither>neither))(?=[\s-]|(?<=-)\w)",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"(?<![\w-])(?P<target>sugar|gluten|dairy|lactose|alcohol|fat|caffeine|nut|peanut|meat|egg|soy|wheat|fragrance|paraben"
    r"|sulfate|sulphate|silicone|oil|ad|ads|bpa|latex|plastic|drm|salt|grain|cruelty|smoke|lead)-free(?![\w-])",
    re.IGNORECASE,
)
DOERS = (
    r"(?:written|authored|made|composed|directed|edited|sung|told|sold|offered|published|owned|posted|taught|led|held|hosted|"
    r"coached|given|presented|produced|designed|drawn|painted|illustrated|narrated|performed|played|conducted|recorded|"
    r"translated|manufactured|built|brewed|baked|cooked|run|organi[sz]ed|photographed|filmed|read)"
)
"""What somebody does who makes a thing or gives it, before "by": a course not taught by one may be another's."""
WORD = r"[^\W_][\w.+#'/-]{0,30}(?<![.'/-])"
_IDLY = r"(?:sale|profit|long|now|free|real|me|us|you|him|her|it|them|this|that|everyone|everybody|anyone|lack|nothing|the\s)\b"
"""Behind "not for", where nobody is left out that something could be for."""
_ASKS_FOR_WHOM = re.compile(r"(?:is|are|was|were)\s(?!there\b)", re.IGNORECASE)
"""Before "not for": who asks so rules nobody out."""
_TARGET = re.compile(
    rf"\s*(?:(?:(?<=not\s)for(?=\s(?!{_IDLY}))|any|a|an|the|in|from|by|of|{DOERS}\sby|made\s(?:of|from|in)|containing|contain|with|using|being|too|those|these)\s+){{0,3}}"
    rf"(?P<target>{WORD})",
    re.IGNORECASE,
)
_MORE = re.compile(rf"\s+(?P<word>{WORD})")
_LIST = re.compile(
    r"(?P<joint>\s*,\s*(?:or|nor|and)\s+|\s+(?:or|nor|and|&)\s+"
    r"|\s*,\s*(?=(?:[a-z][a-z-]*\s*,\s*){0,4}[a-z][a-z-]*,?\s+(?P<last>n?or|and)\s+(?!more|less|fewer|better|above|below|under|over|so|at)[a-z])"
    r"|\s*,\s*(?P<bare>(?=[a-z][a-z-]*\s*(?:,|$))))"
    rf"(?:the\s+|a\s+|an\s+|any\s+|in\s+)?(?P<target>{WORD})",
    re.IGNORECASE,
)
_VALUES_TEXT = """
black white red blue navy green yellow pink purple grey gray silver gold golden brown beige khaki orange leather suede plastic
metal wood wooden glass cotton wool polyester nylon silk linen silicone rubber wired wireless used refurbished
"""
_VALUES = frozenset(_VALUES_TEXT.split())
"""Words of which two that "and" joins are of one kind, so that "not" rules out both: "not black and white"."""
_ANY = re.compile(r"\b(?:any|every|all)(?:\s+[\w'-]+){1,3}\s+$", re.IGNORECASE)
"""Before a "but" that excludes: "any phone but Samsung"."""
_SAYING = re.compile(
    r"\s+(?:i|it|he|she|we|you|they|that|this|there|nothing|none|no|nobody|still|can|could|do|does|did|will|would|should|is|are|was|has|have|had|"
    r"not|only|just|also|even|what|how|why|when|where|which|who|if|its|my|never|keeps?|gets?)\b|(?:\s+[\w'-]+){4}",
    re.IGNORECASE,
)
"""After a "but" that begins another clause."""
_ATTRIBUTE = re.compile(
    r"^(?:\s*(?:a|an|the|any|some|best|top|good|great|cheap|cheapest|affordable|easy|easiest|simple|quick|healthy|homemade|recommend|"
    r"recommended|looking|what|is|are|i|want|need|buy|find|me|which|new)\b)*\s*$|\b(?:for|of|a|an|the)\s+$",
    re.IGNORECASE,
)
"""Before a "no" that with its words describes what is looked for: "best no knead bread recipe"."""
_CLOSING = frozenset(["added", "fee", "fees", "transaction", "check", "card", "screen", "down"])
"""Words that go with the one before them: "no foreign transaction fee card"."""
_STOP_TEXT = """
for with in on under over and or nor but that which who to at below above please from near by as is are was be
than only just if when while because so it i my me you your we they this these those can will would should how
what where why best cheap budget around about between less more up within during after before since until
against of into via per either also not no without needed required necessary
"""
_STOP = frozenset(_STOP_TEXT.split())
_FAULTS = (
    r"cold|hot|warm|used|sharp|clear|stable|smooth|level|visible|spinning|rise|start|turn|charge|load|print|boot|respond|connect|fit|"
    r"drain|flush|open|close|sync|show|play|save|update|empty|full(?![\s-](?:size|sized|zip|sleeves?|length|auto|frame|fat|face|hd)\b)|live|online|paid|sent|shipped|delivered|there|here|"
    r"even|properly|fully|correctly|quite|exactly|actually|bad|only|just|sure|found|responding|enough|available|recogni[sz]ed|detected|able|yet|supported|same|equal|exists|between|null|necessarily|"
    r"allowed|defined|installed|connected|connecting|working|work|to|a|an|the|all|every|always|really|so|that|as|in|at|on|my|your|too|very|"
    r"like|know|have|going|sleeping|eating|good|great|fair|safe|showing|right|well|being|get|getting|be|it|valid|exist|possible|much|many"
)
_TONGUE = "english|french|german|spanish|italian|japanese|korean|chinese|russian|hindi|arabic|portuguese"
_WORN = re.compile(r"\s*(?P<target>(?:in|on|over)[\s-]ears?)\b", re.IGNORECASE)
"""How a thing is worn is one term: who wants earbuds "not in ear" has ears."""
_NOT_EXCLUDING = re.compile(
    rf"\s+(?!(?:in|on|over)[\s-]ears?\b|in\s(?:{_TONGUE})\b|{DOERS}\sby\s)(?:(?:{_FAULTS})\b|[a-z]{{3,20}}(?:ing|ed)\b)",
    re.IGNORECASE,
)
_STATES = (
    r"(?:un|re|pre-?)?(?:faded|ripped|distressed|scented|perfumed|sweetened|salted|roasted|peated|padded|lined|quilted|fried|frozen|"
    r"canned|smoked|painted|polished|varnished|lacquered|dubbed|abridged|remastered|furbished|conditioned|"
    r"patterned|striped|dotted|embroidered|fitted|tapered|oversized|curved|tinted|colou?red|dyed|bleached|flavou?red|breaded|"
    r"battered|pickled|caffeinated|carbonated|furnished|carpeted|guided|subtitled|wired|"
    r"second[- ]?hand|branded|sponsored|paved|tiled|laminated|waxed|hooded|belted|pleated|beaded|ribbed|brushed|stained|"
    r"rooted)"
)
"""What a thing is like when it is sold, not what befell it: "jeans not faded" excludes, "file not saved" complains."""
_BEFELL = (
    r"(?:connect|install|detect|recogni[sz]|support|deliver|shipp|load|charg|pa[iy]|receiv|allow|defin|enabl|activat|"
    r"regist(?:er)?|authori[sz]|permitt|resolv|fix|print|display|start|open|clos|complet|process|post|refund|answer|updat|sav|"
    r"syn(?:c|chroni[sz])|respond|work|finish|accept|execut|call|trigger|render|appli|match|return|trust|verifi|select|attach|"
    r"captur|record|moder|solv|show|play|approv|confirm|dispatch|cancel|credit|import|export|creat|delet|remov|initiali[sz]|found|"
    r"includ|need|requir|want|satisfi|interest|invit|relat|help|bother|convinc|impress|decid|marri|vaccinat|pleas)\w{0,3}ed|"
    r"need|based|used\s+(?:to|by|for|in|at|any|yet|when|since)|sent|paid|found|shown|seen|given|sold|done|built|bought|born"
)
_SOLD = re.compile(rf"(?:,\s*|\b(?:but|and)\s+)?not\s+(?:{_STATES})\b", re.IGNORECASE)
_APART = re.compile(rf"not\s+(?!(?:{_BEFELL})\b)(?:[a-z]{{3,20}}ed|used|worn|broken in)\b", re.IGNORECASE)
_BUYING = re.compile(
    r"\b(?:buy|buying|looking for|want|need|find me|recommend|best|cheap|affordable|for sale|under|below)\b|[$£€]",
    re.IGNORECASE,
)
_UNWANTED = re.compile(
    r"\s+(?:too\s+)?(?:more|less|longer|shorter|bigger|larger|over|under|above|below|smaller|"
    r"null|none|nil|zero|negative|blank|undefined|empty|found|the|a|an|be|done|bothered|sure|able|happier|better|trusted|true|right|"
    r"serious|this|that|it|used|seen|heard|reached|opened|both|any\s+(?:more|longer))\b|\s+(?!too\b)[a-z]{3,20}(?:ed|ing)\b",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"(?:\b(?:is|are|was|were|am|do|does|did|can|could|will|would|should|has|have|had|may|might|must|why|or|if|whether|what|when|how|it|"
    r"i'm|it's|he's|better|to))\s+$",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\s+(?:fan\s+of|one|way|longer|matter|sound|signal|internet|power|display|response|problem|doubt|reason|such|more|less|fewer|time|idea|"
    r"audio|video|connection|service|wifi|network|image|picture|output|data|space|boot|route|module|matching|results?|access|"
    r"permission|memory|entry|brainer|reply|hot water|go|wonder|worries|kidding|man|bluetooth|heat|water|pulse|update|need|place|answer|file|"
    r"attribute|device|operating|module|bootable|effect|appetite|energy|rules|fever|pain|cough|rash|nausea|bleeding|swelling|symptoms?|headache|diarrhea|dandruff|itching|vomiting|bruising|discharge|error\smessages?|warning\slights?|error\scodes?|to|in|on|at|is|for|and|or|of)\b",
    re.IGNORECASE,
)
_PART_LEFT_OUT = re.compile(r"\s+(?:bluetooth|wifi|wi-fi|internet|camera|display|app|memory)\s*$", re.IGNORECASE)
_GOODS = re.compile(
    r"\b(?:headphones?|earphones?|earbuds|headsets?|speakers?|keyboards?|mouse|mice|radios?|watch(?:es)?|clocks?|scales?|lamps?|"
    r"locks?|toothbrush(?:es)?|toys?|turntables?|players?|bulbs?|fridges?|microwaves?|thermostats?|baby\smonitors?)\s+$",
    re.IGNORECASE,
)
"""Goods that are sold without such a part; of a phone "no bluetooth" tells a fault."""
_IDIOM = re.compile(
    r"\s+(?:(?:an?|any|the)\s+)?(?:(?:slightest|single|moment['’]?s)\s+)?(?:doubt|fail|further|question|borders|exceptions?|hesitation|"
    r"warning|notice|reason|delay|hitch|end|limits?\b(?!\s+on))\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(r"\s+(?:asking|telling|making|forcing|letting|having\s+to|calling|bothering)\b", re.IGNORECASE)
"""What one who helps is asked to leave: "without telling me to reinstall" excludes no thing."""
_MANNER = re.compile(
    r"\s+(?:accidentally\s+)?(?:(?:losing|breaking|damaging|deleting|killing|hurting|ruining|changing|restarting|rebooting|reinstalling|reformatting|overwriting|"
    r"jailbreaking|rooting|scratching|tearing|staining|spilling|burning|waking|crashing|disturbing|affecting|violating|sacrificing|compromising|"
    r"knowing|leaving|going|getting|paying|spending|installing|removing|opening|closing|unlocking|signing|logging|registering|downloading|gaining|"
    r"moving|touching|destroying|exposing|noticing|blocking|interrupting|resetting|erasing|wiping|quitting)\b(?!\s*$)"
    r"|[a-z]{3,20}ing\s+(?:the|my|your|our|his|her|their|its?|this|that|everything|anything|anyone)\b)",
    re.IGNORECASE,
)
"""How something is done: "undo a commit without losing changes" is answered by pages that speak of just that."""
_OF_CONTENT = re.compile(
    r"\s+(?:using|containing|including|having|wearing|eating|adding|drinking|needing|wanting)\b", re.IGNORECASE
)
_CLAUSE = re.compile(
    r"(?:\b(?:and|but|so)\s+)?(?:\bplease\s+)?(?:(?:^|(?<=[\s,.;!?]))(?:don['’]?t|do not)\s+(?:you\s+)?(?:dare\s+)?"
    r"(?:tell|ask|make|force|let|give|send|bother|waste|start|lie)\b|\bwithout\s+(?:asking|telling|making|forcing)\s+me\b)[^,.;!?\n]*",
    re.IGNORECASE,
)
_NON = re.compile(
    r"(?:\w+-\w+|fiction|profit|linear|blocking|stick|stop|null|negative|binary|parametric|trivial|fungible|compete|native|slip|verbal)\b",
    re.I,
)
_CODE = re.compile(r"(?:\btry|python|raise|catch|git|sql|with\sor|with\sand|with/|javascript)\W{0,3}$", re.IGNORECASE)

_NEGATION = re.compile(
    r"(?<![\w-])(?:not|never|no|none|nothing|cannot|without|unable|neither|nor|except|(?:[a-z]{2,7}n't)|dont|doesnt|didnt|wont|cant|isnt)(?![\w-])"
    r"|(?<![\w-])non(?=-\w)",
    re.IGNORECASE,
)
_NOT_NEGATIVE = re.compile(r"\s+(?:only|just|one\b|doubt|matter|problem|worries)\b|\.\s?\d", re.IGNORECASE)


def exclusions(text: str) -> Iterator[Span]:
    """Yield what English words exclude."""
    for match in _FREE.finditer(text):
        yield match.start(), match.start("target"), match.end("target"), match.end(), "-free"
    for cue in _CUES.finditer(text):
        if not _harmless(text, cue):
            yield from listed(text, cue)


def negations(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of English negation words, faults included."""
    for match in _NEGATION.finditer(text):
        if _NOT_NEGATIVE.match(text, match.end()) is None:
            yield match.span()


_QUESTION = re.compile(r"\b(?:why|does|do|did|doesn't|can|could|will|would|should)\b[^,.;:!?]*$", re.IGNORECASE)


def _harmless(text: str, cue: re.Match[str]) -> bool:
    before, end = text[max(0, cue.start() - 16) : cue.start()], cue.end()
    match cue.lastgroup:
        case "must":
            words = cue[0].split()
            return bool(
                (words[-1].lower() in ("be", "have") and _UNWANTED.match(text, end)) or _asked(text, cue.start())
            )
        case "not":
            if _state(text, cue):
                return False
            if _ASKS_FOR_WHOM.match(text) and text[end : end + 5].lower() == " for ":
                return True
            return bool(
                _NOT_EXCLUDING.match(text, end)
                or (cue[0].lower() == "not" and (_AUXILIARY.search(before) or _asked(text, cue.start())))
            )
        case "no":
            title = cue[0][0].isupper() and re.compile(r"\s+[A-Z]").match(text, end)
            return bool(
                (_NOTHING.match(text, end) and not _sold_without(text, cue))
                or title
                or re.search(r"\b(?:or|is|there's|have|has|says|dr\.?|still|got|gotten|received)\s+$", before, re.I)
                or _MISSED.match(text, end)
            )
        case "non":
            return _NON.match(text, end) is not None
        case "but":
            return not _ANY.search(text[max(0, cue.start() - 60) : cue.start()]) or bool(_SAYING.match(text, end))
        case "neither":
            return _pair(text, end) is None
        case "without":
            return bool(
                _REQUEST.match(text, end)
                or (_MANNER.match(text, end) and not _OF_CONTENT.match(text, end))
                or _IDIOM.match(text, end)
                or _CODE.search(before)
                or (cue[0].lower() == "minus" and re.search(r"\d\s*$", before))
            )
        case _:
            return re.search(r"\b(?:why|they|you|we|who)\s+$", before, re.I) is not None


_MISSED = re.compile(
    r"\s+(?:[a-z]+\s+){1,2}(?:yet|so far|for (?:\d+|two|three|four|five|six|several|many|over) (?:hours|days|weeks|months))\b",
    re.IGNORECASE,
)
"""After a "no" that tells of what should have come: "no refund yet", "no delivery for two weeks"."""
_FAILING = re.compile(
    r"(?<!what )(?<!how )(?<!why )(?<!or )(?<!if )(?<!to )\bnot\s+(?:even\s+|fully\s+|properly\s+|correctly\s+|yet\s+)?"
    r"(?!(?:includ|count|be|hav|know|want|consider|mention|speak|interest|bas|relat|limit|eat|drink|smok|us|buy|car|talk|look|plann|try|ask|hop|expect|seek|search|shopp)ing\b)"
    r"(?!(?:interest|bas|relat|limit|allow|need|requir|recommend|advis|concern|involv|cover|includ|marri|licens|translat)ed\b)"
    r"(?:[a-z]{2,20}ing|[a-z]{3,20}ed|used|found|sent|shown|set|seen|cold|hot)\b",
    re.IGNORECASE,
)


_OTHER_DOING = re.compile(r"\b[a-z]{2,}ing,?\s+(?:and\s+|but\s+)?$", re.IGNORECASE)
"""Before a doing that is set against another, no fault: "for hiking not camping"."""
_NEITHER = re.compile(r"(?<![\w-])(?P<cue>neither)(?P<pair>(?:\s+[\w'-]+){1,4}\s+nor\s+)", re.IGNORECASE)


def failures(text: str) -> Iterator[tuple[int, int]]:
    """Yield where something does not do what it should: "index not used", "starter not rising"."""
    for match in _NEITHER.finditer(text):
        if _DOES.match(text, match.end("pair")):
            yield match.span("cue")
    for match in _FAILING.finditer(text):
        cue = _CUES.match(text, match.start())
        if match[0].endswith("ing") and _OTHER_DOING.search(text[: match.start()]):
            continue
        if cue is None or _harmless(text, cue):  # else it says what is unwanted: "jeans not faded"
            yield match.span()


def requests(text: str) -> Iterator[tuple[int, int]]:
    """Yield the clauses that ask a helper to leave something: "please don't tell me to buy a new one"."""
    for match in _CLAUSE.finditer(text):
        yield match.span()


def _state(text: str, cue: re.Match[str]) -> bool:
    """Whether "not" stands before how a thing is sold: behind a comma or where something is bought, any participle is that."""
    before = text[max(0, cue.start() - 60) : cue.start()]
    if cue[0].lower() != "not" or _AUXILIARY.search(before) or _asked(text, cue.start()):
        return False
    if _SOLD.match(text, cue.start()):
        return True
    apart = before.rstrip().endswith(",") or _BUYING.search(before) is not None
    return apart and _APART.match(text, cue.start()) is not None


def _sold_without(text: str, cue: re.Match[str]) -> bool:
    """Whether "no" leaves a part out of what is looked for: "noise cancelling headphones no bluetooth"."""
    before = text[: cue.start()]
    return bool(_PART_LEFT_OUT.match(text, cue.end()) and _GOODS.search(before)) and not re.search(
        r"\b(?:my|why|fix|our)\b", before, re.IGNORECASE
    )


def _asked(text: str, start: int) -> bool:
    return _QUESTION.search(text[max(0, start - 40) : start]) is not None


def listed(text: str, cue: re.Match[str]) -> Iterator[Span]:
    """Yield what stands behind a cue, each thing of a list by itself."""
    match = _WORN.match(text, cue.end()) or _TARGET.match(text, cue.end())
    if match is None or match["target"].lower() in _STOP:
        return
    end = _end(text, cue, match)
    yield cue.start(), match.start("target"), end, end, cue[0]
    for _ in range(8):
        before, match = match["target"], _LIST.match(text, end)
        if match is None or match["target"].lower() in _STOP or not _joined(cue, match, before):
            return
        end = _extend(text, match.end(), 0 if cue.lastgroup == "neither" else 1)
        yield match.start("target"), match.start("target"), end, end, cue[0]


def _end(text: str, cue: re.Match[str], first: re.Match[str]) -> int:
    """Where the first target ends."""
    end = first.end()
    match cue.lastgroup:
        case "non" | "neither":
            return end
        case "no" if first["target"].endswith("s"):
            return end
        case "no" if _ATTRIBUTE.search(text[: cue.start()]):
            return _described(text, end)
        case _:
            return _extend(text, end, 2)


def _described(text: str, end: int) -> int:
    """Where what "no" rules out ends before the thing that it describes: "no sugar added" of "no sugar added yogurt"."""
    for _ in range(3):
        more = _MORE.match(text, end)
        if more is None or more["word"].lower() not in _CLOSING:
            return end
        end = more.end()
    return end


def _joined(cue: re.Match[str], match: re.Match[str], before: str) -> bool:
    """Whether a list goes on: "and" and a mere comma end what "not" rules out, unless both sides are of one kind."""
    bare = match["bare"] is not None
    added = bare or "and" in f"{match['joint']}{match['last'] or ''}".lower() or "&" in match["joint"]
    if not added or (not bare and cue.lastgroup not in ("not", "non", "want", "but")):
        return True
    return _alike(before, match["target"])


def _alike(one: str, other: str) -> bool:
    return (one[0].isupper() and other[0].isupper()) or {one.lower(), other.lower()} <= _VALUES


_DOES = re.compile(
    r"(?:(?!and\b|but\b|or\b)[\w'-]+\s+){1,4}?(?:(?:works?|worked|working|connects?|charges?|responds?|loads?|starts?|turns?|boots\s(?:up|at|after|any)|helps?|helped|arrives?|arrived|came|comes?|"
    r"goes|gets?|got|spins?|drains?|syncs?|answers?|replies|replied|solves?|solved|fix(?:es|ed)|finds?|found|makes|made|is|are|was|were|has|have|"
    r"had|can|could|will|would|does|do|did|seems?)\b)",
    re.IGNORECASE,
)
"""Behind a pair, what neither of the two does: a fault, no exclusion."""
_PAIR = re.compile(rf"\s+(?:an?\s+|in\s+)?(?P<one>{WORD})\s+nor\s+", re.IGNORECASE)


def _pair(text: str, end: int) -> re.Match[str] | None:
    """The first of two things behind "neither"; what something neither does is a fault: "neither charges nor boots"."""
    pair = _PAIR.match(text, end)
    if pair is None or re.match(rf"(?:{_FAULTS})\b", pair["one"], re.IGNORECASE):
        return None
    told = pair["one"][0].islower() and re.search(r"(?<!s)s$|ed$|ing$", pair["one"])
    return None if told or _DOES.match(text, pair.end()) else pair


def _extend(text: str, end: int, words: int) -> int:
    for _ in range(words):
        more = _MORE.match(text, end)
        if more is None or more["word"].lower() in _STOP:
            break
        end = more.end()
    return end
