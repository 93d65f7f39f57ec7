"""What the pack reads: intents, terms, authors, venues, theories, identifiers, years."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from qx import Understanding
from qx.text.normalise import fold

Read = Callable[[str], Understanding]
INTENTS = [
    ("survey", "推荐系统公平性的文献综述", "a survey of fairness in recommender systems"),
    ("method", "怎么用强化学习训练机械臂", "methods for training robot arms with reinforcement learning"),
    ("dataset", "医学问答有什么公开数据集", "public datasets for medical question answering"),
    ("code", "求目标检测的开源代码", "github repository for object detection"),
    ("author", "何恺明写过哪些论文", "papers by Kaiming He"),
    ("latest", "量子纠错的最新突破", "recent advances in quantum error correction"),
    ("definition", "纳什均衡的定义", "what is a Nash equilibrium"),
    ("replication", "前景理论的实验能复现吗，有没有重复研究", "failed to replicate the ego depletion effect"),
]
ENTITIES = [
    ("图神经网络 综述", "图神经网络", "term", "图神经网络"),
    ("graph neural network survey", "graph neural network", "term", "graph neural network"),
    ("LLM 幻觉", "LLM", "term", "大语言模型"),
    ("LLM evaluation", "LLM", "term", "large language model"),
    ("李飞飞 ImageNet", "李飞飞", "author", "李飞飞"),
    ("papers by Barbara Liskov", "Barbara Liskov", "author", "Barbara Liskov"),
    ("what has Elinor Ostrom written about commons", "Elinor Ostrom", "author", "Elinor Ostrom"),
    ("Vaswani et al. transformer", "Vaswani et al.", "author", "Vaswani et al."),
    ("NeurIPS 2025 最佳论文", "NeurIPS", "venue", "NeurIPS"),
    ("articles in The Lancet on sepsis", "The Lancet", "venue", "The Lancet"),
    ("什么是认知负荷理论", "认知负荷理论", "theory", "认知负荷理论"),
    ("关于场域理论的文章", "场域理论", "theory", "场域理论"),
    ("prospect theory experiments", "prospect theory", "theory", "prospect theory"),
]
IDENTIFIERS = [
    ("10.1038/s41586-021-03819-2 的数据", "10.1038/s41586-021-03819-2"),
    ("results of doi:10.1126/science.aac4716", "doi:10.1126/science.aac4716"),
    ("https://doi.org/10.1145/3292500.3330701 code", "https://doi.org/10.1145/3292500.3330701"),
    ("arXiv:1706.03762 之后的改进", "arXiv:1706.03762"),
    ("improvements on arxiv 2005.11401v4", "arxiv 2005.11401v4"),
    ("follow-up of 2106.09685", "2106.09685"),
    ("arXiv:hep-th/9711200 review", "arXiv:hep-th/9711200"),
    ("PMID 31978945 的研究数据", "PMID 31978945"),
    ("dataset used in PMID: 30049270", "PMID: 30049270"),
    ("PMC7159299 full text", "PMC7159299"),
]
YEARS = [
    ("近三年大模型安全的综述", "ge", "2023-11-30"),
    ("近五年的教育公平研究", "ge", "2021-11-30"),
    ("survey of federated learning since 2021", "ge", "2021-01-01"),
    ("2020年以来的碳排放研究", "ge", "2020-01-01"),
    ("papers on graphene published after 2019", "ge", "2020-01-01"),
    ("PubMed 阿尔茨海默病 2022年后", "ge", "2022-01-01"),
    ("graph neural networks for recommendation since 2021", "ge", "2021-01-01"),
]


@pytest.mark.parametrize(("intent", "text"), [(i, t) for i, *texts in INTENTS for t in texts])
def test_each_intent_in_both_languages(read: Read, intent: str, text: str):
    assert read(text).intent[0] == intent


@pytest.mark.parametrize(("text", "name", "kind", "canonical"), ENTITIES)
def test_things_of_research_are_named(read: Read, text: str, name: str, kind: str, canonical: str):
    assert (name, kind, canonical) in {(e.text, e.type, e.canonical) for e in read(text).entities}


@pytest.mark.parametrize(("text", "identifier"), IDENTIFIERS)
def test_identifiers_are_kept_as_they_are(read: Read, text: str, identifier: str):
    found = [(e.text, e.verbatim) for e in read(text).entities if e.type == "identifier"]
    assert found == [(identifier, True)]


@pytest.mark.parametrize(("text", "op", "day"), YEARS)
def test_years_limit_when_it_was_published(read: Read, text: str, op: str, day: str):
    [limit] = [c for c in read(text).constraints if c.field == "published"]
    assert (limit.op, limit.value, limit.hard) == (op, day, True)


@pytest.mark.parametrize("text", ["10.5 kg", "version 10.4", "2024.01", "call 31978945", "3.14159 digits"])
def test_what_is_no_identifier(read: Read, text: str):
    assert not [e for e in read(text).entities if e.type == "identifier" and not e.text.isdigit()]


@given(st.text(alphabet="10./:arXivPMID DOI-理论什么是", max_size=50))
@example("O  O")
@settings(max_examples=40, deadline=None)
def test_entities_of_any_text_lie_where_they_say(read: Read, text: str):
    for entity in read(text).entities:
        if entity.start >= 0:
            assert fold(text[entity.start : entity.end]) == fold(entity.text)  # spaces in a row are one


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("不要综述，只要实验论文 视觉问答", "survey"),
        ("not a survey, only experimental papers on visual question answering", "survey"),
        ("不需要代码，想了解图神经网络的方法", "code"),
    ],
)
def test_what_is_not_wanted_is_no_intent(read: Read, text: str, denied: str):
    assert denied not in read(text).intent


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Hinton 2006 年的深度信念网络论文", "author"),
        ("NeurIPS 2023 扩散模型 论文", "research"),
        ("federated learning privacy not healthcare", "research"),
        ("how to cite arXiv preprints", "method"),
        ("怎么引用 arXiv 上的预印本", "method"),
        ("2026年最新的扩散模型论文", "latest"),
    ],
)
def test_a_year_alone_does_not_ask_for_what_is_newest(read: Read, text: str, intent: str):
    assert read(text).intent[0] == intent
    assert intent == "latest" or "latest" not in read(text).intent


def test_a_title_and_a_kind_of_study_are_names(read: Read):
    assert [e.text for e in read("attention is all you need pdf").entities if e.type == "term"] == [
        "attention is all you need"
    ]
    assert not [e for e in read("meta-analysis of exercise and depression").entities if e.type == "brand"]
