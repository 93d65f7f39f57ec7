"""rerank by api, against a loopback server; by cross-encoder, with a tiny model that the test makes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web
from aiohttp.test_utils import TestServer
from rankings import FakeContext, hit, keys, listed, made

from qx.builtin.processors.rerank import Rerank
from qx.errors import NotAllowed, PluginError, ProfileError

HITS = [hit("a", text="garden"), hit("b", text="router router"), hit("c", text="a router")]


class Service:
    """Answers with ``answer`` (or ``status``) and keeps what was asked."""

    def __init__(self) -> None:
        self.bodies: list[Any] = []
        self.headers: list[Any] = []
        self.answer: Any = None
        self.status = 200
        self.url = ""

    async def handle(self, request: web.Request) -> web.Response:
        self.bodies.append(await request.json())
        self.headers.append(dict(request.headers))
        return web.json_response(self.answer, status=self.status)


@pytest_asyncio.fixture
async def service() -> AsyncIterator[Service]:
    found = Service()
    application = web.Application()
    application.router.add_post("/rerank", found.handle)
    async with TestServer(application) as server:
        found.url = str(server.make_url("/rerank"))
        yield found


COHERE = {
    "results": [
        {"index": 1, "relevance_score": 0.9},
        {"index": 2, "relevance_score": 0.4},
        {"index": 0, "relevance_score": 0.0},
    ]
}
TEI = [{"index": 2, "score": 0.8}, {"index": 0, "score": -0.3}, {"index": 1, "score": 0.1}]


@pytest.mark.parametrize(
    ("form", "answer", "order", "field"),
    [("cohere", COHERE, "b c a", "documents"), ("jina", COHERE, "b c a", "documents"), ("tei", TEI, "c b a", "texts")],
)
async def test_forms(services: Any, service: Service, form: str, answer: Any, order: str, field: str):
    service.answer = answer
    rerank = await made(Rerank, services, by="api", url=service.url, form=form, model="m", api_key="secret-key")
    context = FakeContext("router")
    done = await rerank.process_hits(listed(*HITS), context)
    assert (keys(done), context.degraded) == (order, [])
    assert service.bodies[0]["query"] == "router"
    assert service.bodies[0][field] == ["garden", "router router", "a router"]
    assert service.headers[0]["Authorization"] == "Bearer secret-key"


async def test_what_the_service_leaves_out_follows(services: Any, service: Service):
    service.answer = {"results": [{"index": 2, "relevance_score": 0.5}]}
    done = await (await made(Rerank, services, by="api", url=service.url)).process_hits(listed(*HITS), FakeContext())
    assert keys(done) == "c a b"
    assert done.notes == ("rerank by api: took 1 of 3 hits",)


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (500, {"message": "broken"}),
        (429, {}),
        (401, {"message": "bad key"}),
        (200, {}),
        (200, "x"),
        (200, {"results": []}),
        (200, {"results": [{"index": 9, "relevance_score": 1}]}),
        (200, {"results": [{"index": -1, "relevance_score": 1}]}),
        (200, {"results": [{"index": True, "relevance_score": 1}]}),
        (200, {"results": [{"index": 0, "relevance_score": "high"}]}),
        (200, {"results": [{"index": 0}]}),
        (200, [3]),
    ],
)
async def test_an_answer_that_is_none(services: Any, service: Service, status: int, answer: Any):
    service.status, service.answer = status, answer
    context = FakeContext("router")
    rerank = await made(Rerank, services, by="api", url=service.url, api_key="secret-key")
    assert keys(await rerank.process_hits(listed(*HITS), context)) == "a b c"
    assert len(context.degraded) == 1
    assert "127.0.0.1" in context.degraded[0][2]
    assert "secret-key" not in str(context.degraded)


async def test_a_service_that_is_not_there(services: Any):
    context = FakeContext("router")
    rerank = await made(Rerank, services, by="api", url="http://127.0.0.1:9/rerank")
    assert keys(await rerank.process_hits(listed(*HITS), context)) == "a b c"
    assert len(context.degraded) == 1


def tiny_model(folder: Path, *, outputs: int = 1) -> None:
    """A cross-encoder whose score is how often the token "router" occurs; with two outputs, as the second class."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    numpy = pytest.importorskip("numpy")
    helper, kinds = onnx.helper, onnx.TensorProto
    words = {"[PAD]": 0, "[UNK]": 1, "router": 2, "garden": 3, "a": 4}
    table = numpy.zeros((len(words), outputs), dtype=numpy.float32)
    table[2, outputs - 1] = 1.0
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["found"]),
            helper.make_node("Cast", ["attention_mask"], ["mask"], to=kinds.FLOAT),
            helper.make_node("Unsqueeze", ["mask", "last"], ["wide"]),
            helper.make_node("Mul", ["found", "wide"], ["kept"]),
            helper.make_node("ReduceSum", ["kept", "middle"], ["logits"], keepdims=0),
        ],
        "tiny",
        [helper.make_tensor_value_info(n, kinds.INT64, ["b", "t"]) for n in ("input_ids", "attention_mask")],
        [helper.make_tensor_value_info("logits", kinds.FLOAT, ["b", outputs])],
        [
            onnx.numpy_helper.from_array(table, "table"),
            onnx.numpy_helper.from_array(numpy.array([2], dtype=numpy.int64), "last"),
            onnx.numpy_helper.from_array(numpy.array([1], dtype=numpy.int64), "middle"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    folder.mkdir(parents=True)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))


@pytest.mark.parametrize("outputs", [1, 2])
async def test_cross_encoder(services: Any, tmp_path: Path, outputs: int):
    tiny_model(tmp_path / "models" / "tiny", outputs=outputs)
    for path in ("models/tiny", "models/tiny/model.onnx"):
        rerank = await made(Rerank, services, by="cross-encoder", path=path)
        context = FakeContext("router")
        done = await rerank.process_hits(listed(*HITS, *(hit(f"x{i}", text="garden") for i in range(20))), context)
        assert keys(done).startswith("b c a x0")
        assert context.degraded == []
        assert "took 23 of 23" in done.notes[0]


async def test_a_cross_encoder_stops_when_time_is_up(services: Any, tmp_path: Path):
    tiny_model(tmp_path / "tiny")
    rerank = await made(Rerank, services, by="cross-encoder", path="tiny")
    now = iter(range(0, 100, 3))
    hits = [*HITS, *(hit(f"x{i}", text="router router router") for i in range(30))]
    done = await rerank.process_hits(
        listed(*hits), FakeContext("router", seconds=10, monotonic=lambda: float(next(now)))
    )
    taken = int(done.notes[0].split("took ")[1].split()[0])
    assert 8 <= taken < len(hits)
    assert done.keys[-1] == "x29"


async def test_cross_encoders_that_cannot_be_loaded(services: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(ProfileError, match=r"model\.onnx"):
        await made(Rerank, services, by="cross-encoder", path="nowhere")
    with pytest.raises(NotAllowed):
        await made(Rerank, services, by="cross-encoder", path="../outside")
    tiny_model(tmp_path / "tiny")
    (tmp_path / "tiny" / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ProfileError, match="cannot be loaded"):
        await made(Rerank, services, by="cross-encoder", path="tiny")
    import qx.builtin.rerank.cross_encoder as module

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(module, "import_module", missing)
    with pytest.raises(PluginError, match="cross-encoder"):
        await made(Rerank, services, by="cross-encoder", path="tiny")


async def test_a_model_by_name_comes_from_the_hub(services: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    tiny_model(tmp_path / "hub")
    asked: list[tuple[str, str]] = []
    hub = pytest.importorskip("huggingface_hub", reason="huggingface-hub is not installed")

    def download(repository: str, name: str) -> str:
        asked.append((repository, name))
        if repository == "no/such":
            raise OSError("no such model")
        return str(tmp_path / "hub" / Path(name).name)

    monkeypatch.setattr(hub, "hf_hub_download", download)
    rerank = await made(Rerank, services, by="cross-encoder", model="some/reranker")
    assert keys(await rerank.process_hits(listed(*HITS), FakeContext("router"))) == "b c a"
    assert asked == [("some/reranker", "onnx/model.onnx"), ("some/reranker", "tokenizer.json")]
    with pytest.raises(ProfileError, match="no/such"):
        await made(Rerank, services, by="cross-encoder", model="no/such")
