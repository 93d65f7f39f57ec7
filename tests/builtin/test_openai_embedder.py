import array
import math
from typing import Any

import pytest

from qx.builtin.openai_embedder import OpenAIEmbedder, Settings
from qx.embedder import Embedder, EmbedRequest
from qx.errors import AuthError, BadResponse
from qx.testing import EmbedderConformance, FakeEmbedder, ModelServer, Reaction, TestServices


async def embedder(services: TestServices, server: ModelServer, **options: Any) -> OpenAIEmbedder:
    return await OpenAIEmbedder.create(
        Settings.model_validate({"model": "e5", "api_base": server.url} | options), services
    )


def texts(*given: str, kind: Any = "query") -> EmbedRequest:
    return EmbedRequest(texts=given, kind=kind, timeout=5.0)


async def test_prefixes_by_kind_and_dimensions_go_along(services: TestServices, model_server: ModelServer) -> None:
    prefixes = {"query": "query: ", "document": "passage: "}
    made = await embedder(services, model_server, prefixes=prefixes, dimensions=8)
    await made.embed(texts("red shoes"))
    await made.embed(texts("红鞋", kind="document"))
    assert [body["input"] for body in model_server.bodies] == [["query: red shoes"], ["passage: 红鞋"]]
    assert model_server.bodies[0]["dimensions"] == 8
    assert made.dimensions == 8


@pytest.mark.parametrize("encoding", ["base64", "float"])
async def test_both_encodings_give_the_same_vectors(
    services: TestServices, model_server: ModelServer, encoding: str
) -> None:
    made = await embedder(services, model_server, encoding=encoding)
    found = await made.embed(texts("red shoes", "blue hat"))
    assert model_server.bodies[0]["encoding_format"] == encoding
    for got, want in zip(found.vectors, FakeEmbedder(dimensions=16).vectors(("red shoes", "blue hat")), strict=True):
        assert list(array.array("f", got)) == pytest.approx(list(array.array("f", want)), abs=1e-6)


async def test_a_server_that_does_not_know_base64_is_asked_for_floats_from_then_on(
    services: TestServices, model_server: ModelServer
) -> None:
    made = await embedder(services, model_server)
    model_server.react(
        default=lambda body: Reaction(refuses="encoding_format" if body["encoding_format"] == "base64" else "(nothing)")
    )
    await made.embed(texts("a"))
    await made.embed(texts("b"))
    assert [body["encoding_format"] for body in model_server.bodies] == ["base64", "float", "float"]


async def test_batches_keep_the_order(services: TestServices, model_server: ModelServer) -> None:
    made = await embedder(services, model_server, batch=3)
    many = tuple(f"text {i}" for i in range(8))
    found = await made.embed(texts(*many))
    assert [len(body["input"]) for body in model_server.bodies] == [3, 3, 2]
    single = [(await made.embed(texts(text))).vectors[0] for text in many]
    assert list(found.vectors) == single
    assert (found.usage.calls, found.usage.input_tokens) == (3, 8)


async def test_answers_out_of_order_are_put_in_order(services: TestServices, model_server: ModelServer) -> None:
    data = [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]
    model_server.react(Reaction(body={"data": data}))
    found = await (await embedder(services, model_server)).embed(texts("a", "b"))
    assert [list(array.array("f", v)) for v in found.vectors] == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    "data",
    [
        [],
        None,
        [{"index": 0, "embedding": [1.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}],
        [{"index": 0, "embedding": ["x"]}, {"index": 1, "embedding": [1.0]}],
        [{"index": 0, "embedding": "!!"}, {"index": 1, "embedding": [1.0]}],
        [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}],
        [{"index": 0}, {"index": 1}],
    ],
)
async def test_a_broken_answer_is_an_error(services: TestServices, model_server: ModelServer, data: Any) -> None:
    model_server.react(Reaction(body={"data": data}))
    with pytest.raises(BadResponse):
        await (await embedder(services, model_server)).embed(texts("a", "b"))


async def test_vectors_are_brought_to_length_one(services: TestServices, model_server: ModelServer) -> None:
    answer = Reaction(body={"data": [{"index": 0, "embedding": [3.0, 4.0]}]})
    model_server.react(answer, answer)
    found = await (await embedder(services, model_server)).embed(texts("a"))
    assert math.hypot(*array.array("f", found.vectors[0])) == pytest.approx(1.0)
    found = await (await embedder(services, model_server, normalise=False)).embed(texts("a"))
    assert list(array.array("f", found.vectors[0])) == [3.0, 4.0]


async def test_what_changes_the_vectors_changes_the_fingerprint(
    services: TestServices, model_server: ModelServer
) -> None:
    options: list[dict[str, Any]] = [
        {},
        {"model": "other"},
        {"dimensions": 8},
        {"normalise": False},
        {"prefixes": {"query": "q: "}},
        {"api_base": "http://elsewhere.example"},
    ]
    found = {(await embedder(services, model_server, **o)).fingerprint for o in options}
    assert len(found) == len(options)
    key = await embedder(services, model_server, api_key="secret")
    assert key.fingerprint == (await embedder(services, model_server)).fingerprint


async def test_refusals_are_errors_of_qx(services: TestServices, model_server: ModelServer) -> None:
    model_server.react(Reaction(kind="wrong-key"))
    with pytest.raises(AuthError):
        await (await embedder(services, model_server)).embed(texts("a"))


class TestConformance(EmbedderConformance):
    @pytest.fixture
    async def embedder(self, services: TestServices, model_server: ModelServer) -> Embedder:
        return await embedder(services, model_server)
