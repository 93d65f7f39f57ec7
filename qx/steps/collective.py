"""Words that name what an index is made of, and say no more: ``books`` in a library, 文章 in a collection of them.

No document of a library says that it is a book.  So beside a condition that documents meet ("books published before
1970") such a word looks for nothing of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from qx.rules.terms import plain
from qx.syntax import And, Expression, Not, Terms, words
from qx.syntax.tree import NOTHING, conjunction
from qx.text.segment import is_content, keywords


def plurals(noun: str) -> tuple[str, ...]:
    """Return what may be an English noun's plural."""
    return (f"{noun}s", f"{noun}es", f"{noun[:-1]}ies") if noun.endswith("y") else (f"{noun}s", f"{noun}es")


DOCUMENTS = (
    "book", "novel", "story", "title", "work", "article", "essay", "paper", "publication", "document", "doc", "page",
    "post", "report", "file", "record", "entry", "item", "product", "good", "thing", "stuff", "result", "recipe", "dish",
    "meal", "movie", "film", "song", "album", "track", "game", "ticket", "issue", "case", "note", "message", "photo",
    "picture", "image", "video", "course", "lesson", "workshop", "lecture", "job", "event", "listing", "offer", "model", "option", "anything",
    "something", "everything", "one",
)  # fmt: skip
DOCUMENTS_ZH = (
    "书", "书籍", "图书", "小说", "作品", "著作", "文章", "论文", "文献", "文档", "文件", "资料", "页面", "网页", "帖子",
    "报告", "记录", "条目", "内容", "产品", "商品", "东西", "货", "物品", "结果", "菜谱", "食谱", "菜", "菜品", "电影",
    "影片", "片子", "歌", "歌曲", "专辑", "游戏", "工单", "问题", "笔记", "消息", "照片", "图片", "视频", "课程", "课", "讲座", "职位",
    "活动", "款", "型号", "全部", "所有", "一切",
)  # fmt: skip
ENDS = (
    r"(?![\w-])(?=\s*(?:$|[^\w\s])|\s+(?:\d|(?:about|on|in|from|for|with|without|and|or|but|not|published|written|released|made|"
    r"updated|modified|created|posted|added|before|after|since|until|under|over|below|above|less|more|cheaper|between|by|that|"
    r"which|who|where|to|near|at|as|than|please|only|except|set|you|i|we)\b))"
)
"""What a noun ends with that is no part of another one: "books about rings", not "book review"."""
ENDS_ZH = (
    r"(?=$|[^\u4e00-\u9fff]|推荐|有哪|有什|有几|有没|都|里|中|和|或|及|与|以|之|最|近|今年|去年|前|后|不|除|但|出版|发表|发布|写|"
    r"大全|排行|列表|清单|合集|全集|呢|吗|吧|啊|怎么样|好看|按|关于)"
)
"""The same in Chinese: 小说推荐, not 产品经理."""
_TOLD = (
    "published", "updated", "modified", "changed", "created", "edited", "uploaded", "added", "posted", "written", "released", "made", "issued", "printed", "costing", "priced", "available", "show", "list",
    "find", "give", "recommend", "all", "any", "every", "other",
    "更新", "修改", "编辑", "上传", "创建", "出版", "发表", "发布", "发行", "上映", "写", "写的", "出", "推荐", "列出", "找", "查", "查找", "看看", "哪些", "有哪些",
    "其他", "别的", "时间", "价格", "年", "年份",
)  # fmt: skip
"""What is said of such a thing without saying which."""


_NOUNS = frozenset((*(form for noun in DOCUMENTS for form in (noun, *plurals(noun))), *DOCUMENTS_ZH))
_KNOWN = _NOUNS | frozenset(_TOLD)


def names_documents(text: str) -> bool:
    """Whether any word of ``text`` names what an index is made of."""
    return any(plain(word) in _NOUNS for word in keywords(text))


def is_collective(expression: Expression) -> bool:
    """Whether an expression looks for nothing but what an index is made of; nothing at all is such, phrases are not."""
    parts = expression.parts if isinstance(expression, And) else (expression,)
    if not all(isinstance(part, (Terms, Not)) for part in parts):
        return False
    return _says_no_more(word for part in parts if isinstance(part, Terms) for word in words(part))


def without_words(expression: Expression) -> Expression:
    """Return such an expression without its words: what it rules out stays."""
    parts = expression.parts if isinstance(expression, And) else (expression,)
    return conjunction([part for part in parts if isinstance(part, Not)]) or NOTHING


def _says_no_more(texts: Iterable[str]) -> bool:
    content = [word for text in texts for word in keywords(text) if is_content(word)]
    return all(plain(word) in _KNOWN for word in content)


__all__ = ["is_collective", "names_documents", "without_words"]
