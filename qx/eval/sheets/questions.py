"""What raters are asked: each question with its scale, and the words of the sheet in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from qx.serial import empty, value

Tongue = Literal["zh", "en"]
Asking = Literal["queries", "answers"]


@value
class Question:
    """``scale`` from low to high; ``yes-no`` questions have the scale (0, 1)."""

    id: str
    label: Mapping[str, str]
    text: Mapping[str, str]
    scale: tuple[int, ...] = (1, 2, 3, 4, 5)
    ends: Mapping[str, tuple[str, str]] = field(default_factory=empty)

    @property
    def yes_no(self) -> bool:
        """Whether it is answered by yes or no."""
        return self.scale == (0, 1)

    def choices(self, tongue: Tongue) -> tuple[str, ...]:
        """Return what a rater may choose, as it is written in the sheet."""
        return YES_NO[tongue] if self.yes_no else tuple(map(str, self.scale))


YES_NO: Mapping[str, tuple[str, str]] = {"en": ("yes", "no"), "zh": ("是", "否")}

RELEVANCE = Question(
    id="relevance",
    label={"en": "relevance 1-5", "zh": "相关性 1-5"},
    text={
        "en": "Do the queries look for what the person wants, all of them?",
        "zh": "这些查询是否都在找这个人想要的东西？",
    },
    ends={"en": ("all miss the point", "all are to the point"), "zh": ("全都跑题", "全都切题")},
)
COVERAGE = Question(
    id="coverage",
    label={"en": "coverage 1-5", "zh": "覆盖度 1-5"},
    text={
        "en": "Taken together, do they cover the sides of the question that matter?",
        "zh": "合在一起，是否覆盖了问题中重要的各个方面？",
    },
    ends={"en": ("one side at most", "everything that matters"), "zh": ("至多一个方面", "所有重要的方面")},
)
USEFUL = Question(
    id="useful",
    label={"en": "useful yes/no", "zh": "有用 是/否"},
    text={
        "en": "Would you rather have this set of queries run for you than the original alone?",
        "zh": "与只搜原查询相比，您是否更愿意用这组查询去搜？",
    },
    scale=(0, 1),
)
ACCURACY = Question(
    id="accuracy",
    label={"en": "accuracy 1-5", "zh": "准确性 1-5"},
    text={"en": "Is what the answer says true?", "zh": "答案所说的是否属实？"},
    ends={"en": ("mostly wrong", "all true"), "zh": ("大多有误", "全部属实")},
)
COMPLETENESS = Question(
    id="completeness",
    label={"en": "completeness 1-5", "zh": "完整性 1-5"},
    text={"en": "Does it answer all that was asked?", "zh": "是否回答了所问的全部内容？"},
    ends={"en": ("hardly anything", "everything"), "zh": ("几乎没有回答", "全部回答了")},
)
ANSWER_RELEVANCE = Question(
    id="relevance",
    label=RELEVANCE.label,
    text={"en": "Does it keep to what was asked?", "zh": "是否紧扣所问？"},
    ends={"en": ("beside the point", "to the point throughout"), "zh": ("答非所问", "始终切题")},
)
FLUENCY = Question(
    id="fluency",
    label={"en": "fluency 1-5", "zh": "流畅性 1-5"},
    text={"en": "Does it read well?", "zh": "读起来是否通顺？"},
    ends={"en": ("hard to read", "reads very well"), "zh": ("难以读懂", "非常通顺")},
)

QUESTIONS: Mapping[Asking, tuple[Question, ...]] = {
    "queries": (RELEVANCE, COVERAGE, USEFUL),
    "answers": (ACCURACY, COMPLETENESS, ANSWER_RELEVANCE, FLUENCY),
}

HEADINGS: Mapping[str, Mapping[Tongue, str]] = {
    "id": {"en": "id", "zh": "编号"},
    "original": {"en": "original query", "zh": "原查询"},
    "queries": {"en": "queries", "zh": "这组查询"},
    "answer": {"en": "answer", "zh": "答案"},
    "results": {"en": "results", "zh": "搜索结果"},
    "comment": {"en": "comment", "zh": "备注"},
}
SHEETS: Mapping[Tongue, tuple[str, str]] = {"en": ("Rate", "Read me"), "zh": ("评分", "说明")}


def instructions(asking: Asking, tongue: Tongue) -> tuple[str, ...]:
    """Return the page that tells raters what to do, a line an entry."""
    lines = [*_BEFORE[asking][tongue], ""]
    for question in QUESTIONS[asking]:
        said = f"{question.label[tongue]}: {question.text[tongue]}"
        if question.ends:
            low, high = question.ends[tongue]
            said += f" (1: {low}; 5: {high})" if tongue == "en" else f"（1：{low}；5：{high}）"
        lines.append(said)
    return (*lines, "", *_AFTER[tongue])


_BEFORE: Mapping[Asking, Mapping[Tongue, tuple[str, ...]]] = {
    "queries": {
        "en": (
            "Each row shows what a person typed, and the set of queries that a system would run for it.",
            "The first query of a set is the original itself; a set may hold nothing else.",
            "The same original may come several times, with other sets. Rate every row by itself.",
        ),
        "zh": (
            "每一行是某人输入的查询，以及某个系统会为它运行的一组查询。",
            "每组的第一条是原查询本身；一组也可能只有这一条。",
            "同一个原查询可能多次出现，配不同的查询组。请逐行独立评分。",
        ),
    },
    "answers": {
        "en": (
            "Each row shows a question and an answer that a system gave.",
            "The same question may come several times, with other answers. Rate every row by itself.",
        ),
        "zh": ("每一行是一个问题和某个系统给出的答案。", "同一个问题可能多次出现，配不同的答案。请逐行独立评分。"),
    },
}
_AFTER: Mapping[Tongue, tuple[str, ...]] = {
    "en": (
        "Leave a cell empty if you cannot tell. You need not finish: rows without a rating do not count.",
        "Do not change the ids, do not talk about rows with other raters before everybody is done.",
        "Save the file under your own name.",
    ),
    "zh": (
        "无法判断时请留空。不必全部评完：没有评分的行不计入。",
        "请不要改动编号；在所有人完成之前，请不要与其他评分者讨论。",
        "请用您自己的名字另存文件。",
    ),
}
