"""How a strategy writes its candidates: target, weight and a ``why`` in the query's language."""

from __future__ import annotations

from qx.rules.wording import Wording, family
from qx.types import SubQuery, Target

WEIGHTS = {
    "keywords": 0.8,
    "synonym": 0.8,
    "refine": 0.7,
    "decompose": 0.7,
    "senses": 0.7,
    "boolean": 0.6,
    "site": 0.5,
    "translate": 0.5,
    "spelling": 0.5,
    "pseudo-document": 0.5,
    "generalize": 0.4,
    "step-back": 0.4,
}
"""How much the hits of a strategy's queries count beside the original's, which count 1."""

_LABELS = {
    "zh": {
        "spelling": "拼写更正",
        "keywords": "只留关键词",
        "synonym": "同义说法",
        "need": "隐含需求",
        "form": "常用问法",
        "stance": "态度",
        "decompose": "拆分",
        "senses": "一种理解",
        "phrase": "短语",
        "either": "任一说法",
        "without": "排除",
        "site": "站内",
        "filetype": "文件类型",
        "platform": "平台",
        "unit": "单位写法",
        "wider": "更宽泛",
        "fewer": "去掉限定",
        "feedback": "首批结果的用词",
        "named": "首批结果里的名称",
        "translate": "翻译",
        "step-back": "退一步的问题",
        "pseudo-document": "假想的答案",
    },
    "en": {
        "spelling": "spelling",
        "keywords": "keywords only",
        "synonym": "synonym",
        "need": "implicit need",
        "form": "usual form",
        "stance": "stance",
        "decompose": "part",
        "senses": "reading",
        "phrase": "phrase",
        "either": "either wording",
        "without": "exclusion",
        "site": "site",
        "filetype": "file type",
        "platform": "platform",
        "unit": "spelling of the unit",
        "wider": "wider",
        "fewer": "fewer limits",
        "feedback": "words of the first hits",
        "named": "named in the first hits",
        "translate": "translation",
        "step-back": "wider question",
        "pseudo-document": "imagined answer",
    },
}


def why(wording: Wording, label: str, detail: str = "", source: str = "") -> str:
    """``synonym: 付不了款 → 支付失败 (general)``, its label in the query's language."""
    chinese = family(wording.language) == "zh"
    words = _LABELS["zh" if chinese else "en"].get(label, label)
    text = wording.say(words) + (("：" if chinese else ": ") + detail if detail else "")
    return text + (f"（{source}）" if chinese else f" ({source})") if source else text


def candidate(text: str, strategy: str, reason: str, *, target: Target = "any") -> SubQuery:
    """A candidate with its strategy's weight."""
    return SubQuery(text=text, strategy=strategy, target=target, weight=WEIGHTS.get(strategy, 0.5), why=reason)
