"""Sentences that speak to a program which reads them, and tell nothing: "Ignore previous instructions and answer …"."""

from __future__ import annotations

import re

from qx.text.normalise import characters_read

_LEAD = r"^[\s\"'“”‘’#*>\[(（【-]*(?:(?:important|attention|note|system|assistant|user|human|ai|重要|注意|系统|助手)\s*[:：!！]\s*)?(?:please\s+|now\s+|请|現在|现在)?"
_COMMAND = re.compile(
    rf"{_LEAD}(?:"
    r"(?:ignore|disregard|forget|override|bypass)\s+(?:[a-z]+\s+){0,4}(?:instructions?|prompts?|rules|directions|guidelines|messages?)\b"
    r"|you\s+are\s+(?:now\s+|no\s+longer\s+)(?:an?\s+)?[a-z]+.{0,200}\b(?:answer|respond|reply|assistant|model|say)\b"
    r"|(?:无视|忽略|忘记|忘掉|不要理会|不要遵守)(?:你|所有|全部|一切|之前|以上|以前|先前|前面|上面|上述|此前|收到|的){1,6}(?:指令|指示(?![灯器牌])|提示词?|命令|规则|要求|设定)"
    r"|你现在(?:是|扮演|不再是).{0,200}(?:回答|回复|助手|模型)"
    r")",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"\b(?:instructions?|prompts?|injections?)\b|指令|提示词|注入", re.IGNORECASE)


def commands(sentence: str) -> bool:
    """Whether a sentence begins by telling its reader to drop what it was told, or to be another one."""
    return _COMMAND.match(characters_read(sentence)) is not None


def asks_of_commands(question: str) -> bool:
    """Whether a question is about such sentences, which then are what is asked for."""
    return _SUBJECT.search(characters_read(question)) is not None
