"""The words by which people ask about an earlier conversation, in Chinese and English."""

from __future__ import annotations

import re
from typing import Literal

Wanted = Literal["number", "date", "name"]
Certainty = Literal["possible", "certain"]

NEWEST = re.compile(
    r"最后|最近|最新|上(?:一)?次|上回|刚才|刚刚|现在的|目前"
    r"|\b(?:last time|the last|final(?:ly)?|in the end|latest|most recent(?:ly)?|recently|currently|these days|now)\b",
    re.IGNORECASE,
)
OLDEST = re.compile(
    r"最早|最初|第一次|头一次|首次|一开始|起初|当初|\b(?:earliest|the first|first time|at first|originally|initially)\b",
    re.IGNORECASE,
)
"""Words that choose an end of the log."""

WANTED: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        "number",
        re.compile(
            r"数字|金额|价格|多少|几(?=[个本台位人次块元万千百岁条件份章集页公里])|号码|比例|百分之几"
            r"|\b(?:how (?:many|much|old|long|far|tall|big|often)|(?:final|last|lowest|highest|first|opening) (?:number|figure|amount|price|offer|bid)|(?:what|which) (?:number|price|amount|figure|percentage|size)|(?:number|figure|amount|price) (?:that|of|he|she|i|we|you|they))\b",
            re.IGNORECASE,
        ),
    ),
    (
        "date",
        re.compile(
            r"什么时候|何时|哪(?:一)?天|几(?=[号点月日年])|哪年|哪个月|星期几|周几|什么日子|日期"
            r"|\b(?:when (?:did|do|does|is|was|were|are|will|has|have|had|would|should|can|could)|what (?:day|date|time|year|month)|which (?:day|date|year|month))\b|^when\b",
            re.IGNORECASE,
        ),
    ),
    (
        "name",
        re.compile(
            r"谁|叫什么|名字|哪(?:本|家|部|首|位|款|个|所|座|种)|什么(?:书|电影|歌|餐厅|公司|品牌|地方)"
            r"|\b(?:who|whose|whom|what(?:'s| is| was) (?:the |his |her |its |their )?(?:name|title)|(?:called|named)|which (?:book|film|movie|song|restaurant|company|place|person|brand|city|country))\b",
            re.IGNORECASE,
        ),
    ),
)
"""What a question wants to hear, and the words that say so; the first that is there counts."""

OWN = re.compile(
    r"我(?:们)?(?:自己)?(?:上次|之前|以前|先前|曾经|昨天|上周|上个月|那天|当时|刚才|刚刚|最早|最后|最近|第一次|\S{0,8}?)?(?:说|提|讲|问|反馈|抱怨|报告|反映|写|发|记|告诉|答应|决定|推荐)"
    r"|\b(?:i|we)(?: (?:first|last|originally|once|had|have|ever))? (?:said|say|mentioned?|told?|asked?|wrote|write|reported?|complained?|noted?|promised?|decided?|recommended?|talked?)\b",
    re.IGNORECASE,
)
"""The asker's own words are meant."""

OTHERS = re.compile(
    r"(?:工程师|客服|助手|助理|机器人|技术支持|你们?)(?:是|又|都|当时|之前|上次|后来|最后|那天|们|怎么|还)*(?:说|提|讲|答|回复|回答|建议|推荐|告诉|解释|处理|写|给|保证|答应)"
    r"|\b(?:you|the (?:assistant|engineers?|agent|bot|support(?: team)?)|support)(?: (?:first|last|then|later|finally|once|had|have))? (?:said?|says|mention(?:ed)?|tell|told|answer(?:ed)?|repl(?:y|ied)|suggest(?:ed)?|recommend(?:ed)?|explain(?:ed)?|promised?|advised?)\b",
    re.IGNORECASE,
)
"""The words of whoever answers in the log (role ``assistant``) are meant."""

THEN = re.compile(
    r"后来|之后|然后(?=怎|呢|他|她)|最终|结果(?=怎|呢|如)|解决了[吗没]|怎么解决|修好了[吗没]"
    r"|\b(?:afterwards?|after that|later on|in the end|eventually|and then|what happened|(?:was|were|is|has|did) (?:it|that|this)(?: \w+){0,3} (?:fixed|solved|resolved)|get (?:fixed|solved|resolved)|(?:fixed|solved|resolved) (?:in the end|after))\b",
    re.IGNORECASE,
)
"""What came after is asked for."""

EARLIER = re.compile(
    r"上次|上回|之前|以前|先前|曾经|那次|当时|那天|记得|提到|提过|说过|说的|讲过|聊过|谈过|问过|讨论|聊天|记录|后来|我们.{0,6}(?:说|聊|谈|定)|他说|她说|怎么说"
    r"|\b(?:last time|earlier|before|previous(?:ly)?|remember|recall|remind|mention(?:ed)?|said|told|talk(?:ed)? about|discuss(?:ed)?|we (?:agreed|decided|spoke|chatted)|did (?:i|you|he|she|we|they)|our (?:chat|conversation|discussion)s?|the other day|ago)\b",
    re.IGNORECASE,
)
"""The question speaks of what was said before."""

SAYING = re.compile(
    r"提到|提过|说|讲|聊|谈|反馈|告诉|问|写|发(?:的|过|给)|回复|\b(?:said|say|told|tell|mention\w*|talk\w*|discuss\w*|ask(?:ed)?|wrote|write|sent|report\w*|promis\w*)\b",
    re.IGNORECASE,
)
"""The question's time is that of what was said."""

NO_NEED = re.compile(
    r"\s*(?:你好|您好|嗨|谢谢|多谢|再见|拜拜|早上好|晚上好|晚安|好的|嗯+|hi|hello|hey|thanks?(?: you)?|bye|good (?:morning|evening|night)|ok(?:ay)?)[\s!！。.~,，]*"
    r"|\s*(?:请|帮我|麻烦|please\s+)?(?:把.{1,400}?)?(?:翻译|translate\b).*"
    r"|\s*[\d\s+\-*/×÷().=%^]+(?:等于(?:多少|几)?|是多少|=)?[?？\s]*"
    r"|\s*(?:what(?:'s| is)\s+)?[\d\s+\-*/×÷().=%^]+\??\s*"
    r"|\s*(?:请|帮我)?写(?:一[首篇段个封])(?:.*)|\s*(?:please\s+)?write (?:me )?an? .*",
    re.IGNORECASE | re.DOTALL,
)
"""Whole requests that no log is needed for: greetings, arithmetic, translation, writing to order."""

_MOVED = (
    r"(?:(?<!\bi )(?<!\bwe )(?<!\bhe )(?<!\bshe )(?<!\bthey )moved|moved(?= (?:it|that|this|the) )|moved(?= (?:back )?(?:to|from|until)"
    r" (?:the )?(?:\d|mon|tues|wednes|thurs|fri|satur|sun|to(?:day|morrow|night)|next|noon)))"
)
"""Of a thing, and not of somebody who moves house: "I moved to Ghent" corrects nothing."""
CORRECTION = re.compile(
    r"改(?:到|成|为|在|期|天|了|回)|[变换挪调]回|恢复[到成为]|挪到|更正|纠正|说错了|搞错了|弄错了|不对[,，。]|(?<!是)不是[^，。,!！?？]{1,16}[,，]是|取消了?|作废|推迟到?|提前到|换成|调整[到为]|其实(?:是|应)|还是.{1,10}吧|以.{1,12}为准"
    r"|\b(?:actually|correction|i was wrong|my mistake|scratch that|instead|no longer|not .{1,30} but|(?:"
    + _MOVED
    + r"|changed|rescheduled|postponed|pushed|switched|brought forward) (?:it |that |this |the \w+ )?(?:back )?(?:to|from|until)|cancel(?:led|ed)|(?:went|gone|go|going|are|is) back to|make (?:it|that) (?:at |on |for )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|mon|tues|wednes|thurs|fri|satur|sun|to(?:day|morrow|night)|next|noon|half|the)|turns out)\b",
    re.IGNORECASE,
)
"""Words of a message that takes back or changes what was said before it."""

CERTAINTY: tuple[tuple[Certainty, re.Pattern[str]], ...] = (
    (
        "possible",
        re.compile(
            r"可能|也许|或许|大概|说不定|没准|不一定|未必|兴许|估计|恐怕|\b(?:may|might|maybe|perhaps|possibly|probably|could be|not sure|likely)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "certain",
        re.compile(
            r"必须|一定(?!程度)|务必|肯定|绝对|确定(?=[了是会要])|必然|非.{1,8}不可|\b(?:must|have to|has to|definitely|certainly|for sure|absolutely|guaranteed?|without fail)\b",
            re.IGNORECASE,
        ),
    ),
)
"""How sure a statement is, where it says so; doubt is looked for first, since 不一定 holds 一定."""

ASKING = re.compile(
    r"多少(?:块钱|[钱次个天块元岁斤])?|几(?:块钱|点钟?|[次个天块元岁号])|(?:第|最后|头|上|哪|这|那|每)一?次|一共|总共|到底|究竟",
    re.IGNORECASE,
)
"""What of a question asks and counts: 高尔夫卖了多少钱 speaks of no 钱 that a message would hold."""

_TALK = """
说 说过 说的 提 提到 提过 讲 讲过 聊 聊过 谈 谈过 谈到 告诉 问 问过 记得 上次 上回 之前 以前 先前 当时 那天 那次 后来 最后 最早 最近 最新 第一次 首次
时候 什么 怎么 怎样 怎么样 哪个 哪些 哪家 哪本 多少 那个 这个 那些 这些 那家 那本 数字 名字 金额 日期 事情 东西 一下 有没有 是不是 曾经
say said says tell told mention mentioned talk talked discuss discussed remember recall last first time latest recent recently earlier earliest
before previously when what which who whose where how many much did does thing things name number date day ever once finally
"""
TALK = frozenset(_TALK.split())
"""Words of asking about a log, which its messages need not hold."""
_LITTLE = """
定 成 谈 下来 定下 天 改 改到 改成 原因 发生 开始 结束 顿 趟 处理 解决 负责 怎么回事 回事 新 老 旧 价格 价钱
reason happened happen new old place cost price
"""
LIGHT = frozenset(_LITTLE.split())
"""Words that say too little to be looked for beside others: 定 is in 会议定在三点 and in 预算定了, 天 in every 今天."""


def certainty(text: str) -> Certainty | None:
    """Return how sure ``text`` says that it is; None: it does not say."""
    return next((name for name, pattern in CERTAINTY if pattern.search(text)), None)


def wanted(question: str) -> Wanted | None:
    """Return what a question wants to hear: a number, a date, a name; None: anything."""
    return next((kind for kind, pattern in WANTED if pattern.search(question)), None)
