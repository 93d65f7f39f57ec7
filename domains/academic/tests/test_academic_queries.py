"""What the pack makes of a query: forms, acronyms both ways, English beside Chinese, sites; identifiers stay."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from qx import Expansion

FORMS = [
    ("federated learning trends", ("federated learning", "survey")),
    ("state of the art in point cloud segmentation", ("point cloud", "review")),
    ("literature on perovskite solar cells: an overview", ("perovskite solar cells", "trends 2026")),
    ("联邦学习的研究现状", ("联邦学习", "综述")),
    ("联邦学习 文献综述", ("联邦学习", "发展趋势 2026")),
    ("papers by Yoshua Bengio on attention", ("Yoshua Bengio", "attention", "publications")),
    ("Hinton 关于胶囊网络的文章", ("Hinton", "胶囊网络", "代表作")),
    ("benchmark datasets for machine translation", ("machine translation", "corpus")),
    ("CLIP 有没有官方实现", ("CLIP", "GitHub")),
    ("recent advances in graphene", ("graphene", "papers 2026")),
]
ACRONYMS = [
    ("LLM hallucination in summarization", "large language model"),
    ("large language model agents for science", "LLM"),
    ("大语言模型 推理能力", "LLM"),
    ("RAG evaluation", "retrieval-augmented generation"),
    ("retrieval-augmented generation evaluation", "RAG"),
    ("GNN oversmoothing", "graph neural network"),
    ("graph neural networks oversmoothing", "GNN"),
    ("LLM 幻觉 检测", "large language model"),
    ("RCT of mindfulness", "randomized controlled trial"),
]
PAIRED = [
    ("图神经网络 过平滑", "graph neural network"),
    ("对比学习怎么构造负样本", "contrastive learning"),
    ("钙钛矿太阳能电池的稳定性", "perovskite solar cell"),
    ("双重差分法的平行趋势检验", "difference-in-differences"),
    ("自我决定理论 学习动机", "self-determination theory"),
    ("命名实体识别 小样本", "named entity recognition"),
]
SITES = [
    ("图神经网络 综述", "site:arxiv.org"),
    ("latest LLM agents papers", "site:arxiv.org"),
    ("systematic review of treatment for chronic pain patients", "site:pubmed.ncbi.nlm.nih.gov"),
    ("vision transformer official code", "site:github.com"),
    ("failed replication of the stereotype threat effect", "filetype:pdf"),
    ("什么是信息瓶颈理论", "filetype:pdf"),
]
KEPT = [
    ("can the results of 10.1038/s41586-021-03819-2 be reproduced", "10.1038/s41586-021-03819-2"),
    ("10.1126/science.aac4716 有没有复现研究", "10.1126/science.aac4716"),
    ("arXiv:1706.03762 之后的改进方法", "arXiv:1706.03762"),
    ("methods that improve on arxiv 2005.11401", "arxiv 2005.11401"),
    ("PMID 31978945 的研究数据在哪里下载", "PMID 31978945"),
    ("dataset used in PMID: 30049270", "PMID: 30049270"),
]
YEARS = [("近三年大模型幻觉检测的研究现状", "近三年"), ("survey of federated learning since 2021", "since 2021")]
ALONE = ["10.1038/s41586-021-03819-2", "arXiv:1706.03762"]
ALL = [*(row[0] for row in (*FORMS, *ACRONYMS, *PAIRED, *SITES, *KEPT, *YEARS)), *ALONE, "transformer architecture"]


@pytest.fixture(scope="module")
def expand(expanded: Callable[[Iterable[str]], dict[str, Expansion]]) -> Callable[[str], Expansion]:
    return expanded(ALL).__getitem__


def said(expansion: Expansion) -> list[str]:
    return [query.text for query in expansion.queries[1:]]


@pytest.mark.parametrize(("text", "words"), FORMS)
def test_forms(expand: Callable[[str], Expansion], text: str, words: tuple[str, ...]):
    found = said(expand(text))
    assert any(all(word.lower() in one.lower() for word in words) for one in found), found


@pytest.mark.parametrize(("text", "long"), [*ACRONYMS, *PAIRED])
def test_a_term_is_said_in_its_other_form(expand: Callable[[str], Expansion], text: str, long: str):
    found = said(expand(text))
    assert any(long in one for one in found), found


@pytest.mark.parametrize(("text", "site"), SITES)
def test_sites_and_file_types(expand: Callable[[str], Expansion], text: str, site: str):
    [own] = [query for query in expand(text).queries[1:] if query.strategy == "site"]
    assert own.text.endswith(f" {site}")
    assert own.target == "web"


@pytest.mark.parametrize(("text", "identifier"), KEPT)
def test_an_identifier_stands_in_every_query(expand: Callable[[str], Expansion], text: str, identifier: str):
    found = said(expand(text))
    assert len(found) >= 3
    assert all(identifier in one for one in found), found


@pytest.mark.parametrize("text", ALONE)
def test_a_query_that_is_an_identifier_is_left_alone(expand: Callable[[str], Expansion], text: str):
    assert expand(text).abstained
    assert said(expand(text)) == []


@pytest.mark.parametrize(("text", "years"), YEARS)
def test_a_limit_of_years_stands_in_every_query(expand: Callable[[str], Expansion], text: str, years: str):
    assert all(years in one for one in said(expand(text))), said(expand(text))


def test_a_bare_term_is_answered_from_several_sides(expand: Callable[[str], Expansion]):
    found = expand("transformer architecture")
    assert {"survey", "latest research", "code implementation"} <= set(found.understanding.implicit_needs)
    assert any("attention mechanism" in one for one in said(found))
    assert any("survey" in one for one in said(found))
