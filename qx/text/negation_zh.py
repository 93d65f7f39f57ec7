"""Chinese exclusions and negation words.  Offsets are of folded text."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int, int, int, str]
"""start, target_start, target_end, end, cue."""

_LEXICAL = (
    "不锈钢|不銹鋼|不错|不錯|不仅|不僅|不但|不过|不過|不管|不论|不論|不同|不断|不斷|不得不|不好意思|不知不觉|不一定|不然|不愧|不妨"
    "|不禁|不止|不少|不久|不计其数|不可思议|不动产|不動產|不等式|不倒翁|不老药|不二家|不等于|不丹|不可描述|不亦乐乎|不好意思|不由得|"
    "没问题|沒問題|没关系|没事|没错|没准|没戏|差不多|了不起|对不起|對不起|要不然|(?<![想需只])要不(?!要)|可不|不可数|不定积分|不定式|不变量|不育|不孕|"
    "非常|非洲|非法|非要|非得|非凡|非遗|非典|非议|非诚勿扰|非农|是非|除非|除此|并非常|莫非|无非|绯|无线|無線|无人机|无锡|无论|無論|无限|無限"
    "|无敌|无聊|无损|無損|无尽|无双|无疑|无所谓|无畏契约|无极|无穷|无花果|无忧|无缝|无障碍|无界|无印良品|未来|未必|未婚|未成年|没有之一"
    "|[识類类級级區区差分辨个個性鉴甄判派告离特]别|[識類級區差分辨個性鑑甄判派告離特]別|[别別](?:人|墅|名|处|處|致|的)"
)
_LEXICAL_RE = re.compile(_LEXICAL)
_A_NOT_A = re.compile(r"(.)[不没](?=\1)|([有没]没有)|(?<=[是会能好对行够])不\b")

_END = r"\s,。，、;；!！?？:：()（）【】\[\]\"“”'"
_TARGET = re.compile(
    rf"[ ]?(?:任何|一切|带有|含有|带|含|有|是|用|再|太|那种|那些|什么)?(?P<target>[^{_END}]{{1,12}}?)"
    rf"(?=的|地|[{_END}]|但|而|只|就|要|还|吗|呢|吧|了|啊|和|或|跟|与|以及|及|又|也|还是|怎么|如何|咋|也|可以|应该|吃什么|用什么|买什么|选什么|有什么|(?<![智功性节])能|最好|预算|价格|以外|之外|(?<![户海国室校境门课郊])外|附近|周边|周围|推荐|(?<=太.)[\d一二两三四五六七八九十几百千]|(?<![南北东西中是莫])也?非(?![洲常法遗典凡])|$)"
)
_NEXT = re.compile(
    rf"(?:(?:的)?\s?(?:和|或者|或|跟|与|以及|及|、)\s?(?!非|不|没有|无)|(?<![南北东西中是莫])(?:[和且、]|也)?非(?![洲常法遗典凡]))(?P<target>[^{_END}]{{1,8}}?)"
    rf"(?=的|[{_END}]|但|而|只|要|和|或|跟|与|以及|及|之外|以外|外(?:的|还|都|[{_END}]|$)|$)"
)
_BAD_TARGET = re.compile(
    r"什么|啥|做|怎|再|了|错过|慌|着急|急|怕|问|说|紧|脸|命|钱|以为|轻易|随便|忘|担心|超过|超出|低于|高于|少于|多于|小于|大于|那么|这么|太|很"
)
_DOING = (
    "(?:加班|出差|熬夜|倒班|轮班|坐班|打卡|应酬|值班|上夜班|陪酒|喝酒|掉毛|掉色|褪色|掉漆|掉渣|脱妆|起球|缩水|起皱|变形|卡顿|发烫|发热|漏水|漏光|闪退|"
    "伤手|伤胃|伤肤|伤眼|粘牙|粘锅|刺激|限号|限行|限速|排队|爬山|爬楼|爬坡|联网|充电|插电|打孔|打针|开刀|住院|动手术|开车|坐车|收费|花钱|加价|"
    "加热|加密|加载|放假|放权|喝水|吃苦|吃亏|吃灰)"
)
"""Doings that are words of their own: who wants work 不加班 rules out 加班, not 班."""
_CUES = re.compile(
    rf"(?P<doing>不(?={_DOING}的[^{_END}吗呢吧]))|"
    r"(?P<want>(?<![要需想])(?:(?:不要|别)(?:再|给我|跟我|老|总|只|光){0,3}推荐|不想要|不想买|不需要|不要求|不要|不买|别要|别买|别给我|别太(?!累|难过|担心|在意|当真|拼|紧张|着急|早|晚|快|久)|不考虑|不喜欢|不选|不接受|拒绝|讨厌)"
    r"|(?<![含带])(?:不包含|不包括|不含|不带|剔除|排除|而不是|但不是|且不是|但不能是|不能是|不可以是|不能有|不能含))"
    r"|(?P<eat>不(?:吃|加|放|喝)(?!东西|饭|药|下|了|水|奶|得|起)(?=[^\s,，。]{1,6}的)|(?:(?<=我)|(?<=[\s,，。])|^)不(?:吃|加|放|喝)(?!东西|饭|药|下|了|水|奶|得|起))"
    r"|(?P<be>(?:(?<=[要的\s,，。])|^)不是(?![我你他她它这那])(?=[^\s]{1,6}的)|(?<!是)不是(?![我你他她它这那])(?=[^\s]{1,6}的(?:[\s,，。]|$))"
    r"|(?<=[一几两买要找求][个款台部种只件双条本家张瓶辆])不是(?=[^\s]{1,8}的)"
    r"|(?:(?<=[找求买])|(?<=推荐)|(?<=推荐[个款台部种])|(?<=想要)|(?<=有没有)|(?<=有什么)|(?<=有哪些)|(?<=有啥))不是(?![我你他她它这那])(?=[^\s]{1,8}的)"
    r"|(?<=[\s,，])不是(?![我你他她它这那])(?=[^\s,，。吗呢么]{1,6}(?:[\s,，。]|$)))"
    r"|(?P<shun>避开|避免|受不了|看不上|不想碰|拉黑)"
    r"|(?P<latin>不(?:使用|借助|依赖|引入|用)(?=[ ]?[A-Za-z]))"
    r"|(?P<use>(?<!用)不用(?=[^\s]{1,10}的|[^\s,，。]{2,6}?(?:怎么|如何|咋|也能|也可以|就能|能不能|可以)))"
    r"|(?P<none>(?<!有)没有(?=[^\s,，。]{1,8}的(?!情况|时候|话|事|原因)[^\s]))"
    r"|(?P<besides>除了|除开|除去|除(?=[^\s]{1,10}(?:之外|以外))"
    rf"|除(?![湿濕草螨夕菌法尘塵甲臭霜锈味冰痘雪权名数皱疤毛虫此非])(?=[^{_END}]{{1,10}}(?<![户海国室校境门课郊])外(?:的|还|都|[{_END}]|$)))"
    r"|(?P<without>[无無零0](?=添加|糖|盐|鹽|油(?!烟)|广告|廣告|酒精|硅油|香精|防腐剂|麸质|乳糖|甲醛|毒|水印|弹窗|蔗糖|咖啡因|色素|氟|反式脂肪|激素))"
    rf"|(?P<non>(?:(?<=[{_END}要买])|^)非(?=[^{_END}]{{2,}}))"
    r"|(?P<spicy>(?<![一-龥])不(?=[辣甜贵重吵油咸酸腻苦冰]的))"
    rf"|(?P<state>不(?=(?:做旧|翻新|破洞|加绒|加厚|修身|紧身|印花|收腰|露脐|露肩|反光|烟熏|发酵(?=的)|油炸)(?:的|[{_END}]|$)))"
)
_WITHOUT = re.compile(
    "添加剂|添加|糖|盐|鹽|油|广告|廣告|酒精|硅油|香精|防腐剂|麸质|乳糖|甲醛|毒|水印|弹窗|蔗糖|咖啡因|色素|氟|反式脂肪|激素"
)
_REQUEST = re.compile(
    r"(?:再|老是|老|总是|总|一直|随便|轻易|只是|只|光)?(?:(?:跟|和|对|同|向|替|给)(?:我|我们|人|他|她|孩子))?"
    r"(?:让|叫|逼|催|劝|告诉|骗|打扰|问|说|讲|扯|谈|教|吓|怪|笑|骂|拿|浪费|假装|敷衍|糊弄|忽悠|自动回复)"
)
"""What one who helps is asked to leave: "不要让我换新的" wants no thing excluded."""
_CLAUSE_END = re.compile(r"[,，。;；!！?？\n]")
_ASKING = re.compile(r"(?:怎么|为什么|为何|为啥|干嘛|咋|如何|怎样|要|千万|能|可以)$")
_OUTSIDE = re.compile(
    rf"(?:(?<=[{_END}买要找个款台])|^)(?P<target>(?![除工境国海])[^{_END}除年月天岁元块]{{1,8}}?)(?:之外|以外)(?=的[^{_END}])"
)
"""苹果以外的平板, which no 除 begins."""
_AFTERWARDS = re.compile(
    rf"(?:(?<=[\s,，。；;!！?？:：()（）])|^)(?P<target>(?![^\s,，。；;!！?？:：()（）]{{0,13}}[什怎谁哪啥])[^\s,，。；;!！?？:：()（）]{{1,14}}?)(?:的|品牌|牌子)?"
    rf"(?P<cue>除外|免谈|(?<!什么)(?<!谁)(?<!一个)(?<!一点)也(?:不要|不考虑|不买|排除)|就算了|就免了|就别推荐了|就不考虑了|就不用了|就不要了|(?<![我你他她它这那]的)(?<=的)(?:不要|不考虑)|(?:都|一律|一概|统统|通通)(?<!什么都)(?:不要|不考虑|不买|排除|除外)(?=的[^{_END}吗呢])|(?:都|一律|一概|统统|通通)(?<!什么都)(?:不要|不考虑|不买|排除|除外))(?=[{_END}]|的[^{_END}吗呢]|吧|$)"
)
"""手机，苹果除外; 黑色和白色都不要: what is ruled out stands first."""
_WISHED = re.compile(
    rf"(?:(?<=[{_END}])|^)(?:不(?!错|锈|同|要)|没有?|无(?!线)|非(?!常))[^{_END}]{{1,8}}?的?(?:都|一律|一概|统统|通通|就)?(?:不要|不考虑|不买|免谈|算了|排除|除外)(?=[{_END}]|了|吧|$)"
)
"""不包邮的不要: what is not to be without a thing is to have it."""
_DOUBTFUL = frozenset({"避开", "避免", "受不了", "看不上", "不想碰", "拉黑", "就算了", "就免了", "就别推荐了", "就不考虑了", "就不用了", "就不要了"})  # fmt: skip
"""Cues that rule out only where what they name is known and something else is looked for."""
_LAST = re.compile(
    rf"(?<=[\s,，。；;])(?P<target>(?![请千可也都就真你您我他她它别])[^{_END}不别没]{{1,8}}?)(?<![要想需你我他们万可])(?P<cue>不要)(?=[{_END}]|了?$)"
)
"""推荐手机，苹果不要: a clause of its own that ends with its cue."""
_POSTPOSED = re.compile(
    "除外|免谈|就(?:算了|免了|别推荐了|不考虑了|不用了|不要了)|[都概律统通的也](?:不要|不考虑|不买|排除)"
)
_COORDINATED = re.compile(r"的?(?:和|或者|或|跟|与|以及|及|、)")
_TAIL = re.compile(r"(?:之外|以外|外)")

_NEGATION = re.compile(
    r"[打付开关登连接录载装上下进出找看听用吃睡扫识读写删保存收发搜加启点按刷充解验播显弹插拔退换修买做走动跑转停想]不(?:[开了上到起出来去进着动见掉完通住清懂行够满]){1,2}"
    r"|不(?:能|会|可以|可|要|用|想|需要|需|支持|显示|兼容|工作|响应|识别|亮|响|动|转|通|行|允许|含|带|包含|包括|是|出|到|了|让|给|吃|买|喜欢|应该|该)"
    r"|无法|無法|没有|沒有|没法|未能|从不|从未|并非|不|没|沒|未|非(?=[一-龥])|无(?=[一-龥])|無(?=[一-龥])|別|别(?=[一-龥])|勿|除了"
)


def is_doubtful(cue: str) -> bool:
    """Whether a cue rules out only where what it names is known and something else is looked for."""
    return cue in _DOUBTFUL


def exclusions(text: str) -> Iterator[Span]:
    """Yield what Chinese words exclude."""
    if text.isascii():
        return
    dead = _dead(text)
    if _POSTPOSED.search(text):
        for match in _WISHED.finditer(text):
            dead[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    for match in _OUTSIDE.finditer(text):
        if not dead[match.start()]:
            yield match.start("target"), match.start("target"), match.end("target"), match.end(), "以外"
    if _POSTPOSED.search(text):
        for match in _AFTERWARDS.finditer(text):
            if not any(dead[match.start("target") : match.end("cue")]):
                yield from _before(match)
    if "不要" in text:
        for match in _LAST.finditer(text):
            if not any(dead[match.start("target") : match.end("cue")]):
                yield from _before(match)
    for cue in _CUES.finditer(text):
        if dead[cue.start()] or (
            cue.lastgroup in ("want", "use", "none", "shun", "latin", "doing") and _asked(text, cue.start())
        ):
            continue
        if cue.lastgroup == "want" and _REQUEST.match(text, cue.end()):
            continue
        yield from _targets(text, cue)


_CLAUSE = re.compile(r"(?:请|麻烦|拜托|求求)?(?:你们?|您)?(?:千万|可)?(?:不要|别)")


_FAILING = re.compile(
    r"没有?(?:在|有|能|再|办法)?(?:更新|反应|响应|动静|动|显示|生效|发货|送到|送达|回复|回应|到账|出来|弹出|保存|同步|收到|下来|成功|结果|消息|人理|人管|人接"
    r"|人回|人处理|揽收|派送|签收|退|通过|启动|加载|识别|连上|充上|发酵|发起来|退烧|好转|效果|变化|起来|排卵|胃口|精神|力气|声|电|网|信号|画面|图像|热水)"
    r"(?!的)"
)


def failures(text: str) -> Iterator[tuple[int, int]]:
    """Yield where something does not do what it should: 三天没更新."""
    dead = _dead(text)
    for match in _FAILING.finditer(text):
        if not dead[match.start()] and text[max(0, match.start() - 1) : match.start()] not in ("有", "从"):
            yield match.span()


def requests(text: str) -> Iterator[tuple[int, int]]:
    """Yield the clauses that ask a helper to leave something: 请不要让我换新的."""
    for match in _CLAUSE.finditer(text):
        if _REQUEST.match(text, match.end()) and not _asked(text, match.start()):
            end = _CLAUSE_END.search(text, match.end())
            yield match.start(), end.start() if end else len(text)


def negations(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of Chinese negation words, faults included, lexical words (不错) not."""
    dead = _dead(text)
    for match in _NEGATION.finditer(text):
        inner = match.start() + max(0, *(match[0].find(c) for c in "不没无"))
        if not dead[inner] and not dead[match.start()]:
            yield match.span()


def _asked(text: str, start: int) -> bool:
    return _ASKING.search(text[max(0, start - 4) : start]) is not None


_WANTED = re.compile("不要(?!求)|别(?:要|买|推荐)|不(?:想要|想买|考虑|买)")


def _targets(text: str, cue: re.Match[str]) -> Iterator[Span]:
    start, at = cue.span()
    if cue.lastgroup == "without":
        match = _WITHOUT.match(text, at)
        if match:
            yield start, match.start(), match.end(), match.end(), cue[0]
        return
    match = _TARGET.match(text, at)
    if match is not None and (following := _WANTED.search(text, match.start("target") + 1, match.end("target") + 2)):
        match = _TARGET.match(text, at, following.start())  # 不要惠普不要华硕: two, without a comma between them
    if match is None or (
        cue.lastgroup not in ("besides", "state", "doing", "latin") and _BAD_TARGET.match(match["target"])
    ):
        return
    end = match.end()
    spans = [(start, match.start("target"), match.end("target"))]
    while (match := _NEXT.match(text, end)) and len(spans) < 8:
        first = match.start("target")
        again = first - 1 if match[0].startswith(("非", "也非", "和非", "且非", "、非")) else first
        spans.append((again, first, match.end("target")))
        end = match.end()
    tail = _TAIL.match(text, end) if cue.lastgroup == "besides" else None
    for i, (a, b, c) in enumerate(spans):
        yield a, b, c, (tail.end() if tail and i == len(spans) - 1 else c), cue[0]


def _before(match: re.Match[str]) -> Iterator[Span]:
    """What is ruled out by the cue behind it, each of several by itself."""
    at, last = match.start("target"), match.end("target")
    while at < last:
        joint = _COORDINATED.search(match.string, at + 1, last)
        end = joint.start() if joint else last
        stop = joint.end() if joint else last
        yield at, at, end, match.end() if stop == last else end, match["cue"]
        at = stop


def _dead(text: str) -> bytearray:
    """Mark the characters of words that are not negations, and of A-not-A questions (好不好, 有没有)."""
    dead = bytearray(len(text) + 1)
    for pattern in (_LEXICAL_RE, _A_NOT_A):
        for match in pattern.finditer(text):
            dead[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    return dead
