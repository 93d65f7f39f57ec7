"""Words: Chinese and English, their forms, operators, weights, highlights."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.backend import Boost, Document
from qx.builtin.local import expressions
from qx.builtin.local.analysis import Analysis
from qx.builtin.local.backend import LocalBackend
from qx.builtin.local.schema import analyzer
from qx.filters import Compare
from qx.syntax import Field, FileType, Not, Or, Range, Site, Terms
from qx.testing import TestServices
from qx.testing.conformance.backend import ask, hits, ids

DOCUMENTS = (
    Document(id="meeting", title="明天下午三点开项目评审会议"),
    Document(id="youer", text="修改youer服务端的计划"),
    Document(id="printer", title="打印机卡纸", text="拉出纸张"),
    Document(id="tw", title="印表機夾紙怎麼辦", text="滑鼠也壞了"),
    Document(id="ja", title="プリンターの紙詰まり"),
    Document(id="ko", title="프린터 용지 걸림"),
    Document(id="c", title="C++ templates", text="don't panic", url="https://www.zhihu.com/question/1/a.pdf?x=1"),
    Document(id="csharp", title="C# generics", url="https://github.com/python/cpython", metadata={"author": "Knuth, D. E."}),
    Document(id="c-plain", title="C programs", metadata={"author": "Ritchie", "published": "2023-05-01", "price": 5}),
    Document(id="gb", title="Laptop 16 GB", metadata={"brand": "HP", "color": "red"}),
    Document(id="gb2", title="Laptop 16GB", metadata={"brand": "Dell", "color": "blue", "price": 900}),
    Document(id="naive", title="Naïve Café crème"),
    Document(id="bare"),
)  # fmt: skip


@pytest_asyncio.fixture
async def backend(services: TestServices) -> AsyncIterator[LocalBackend]:
    fields = {"author": "author", "price": "metadata.price", "published": "metadata.published", "brand": "brand"}
    made = await LocalBackend.create(
        LocalBackend.Settings.model_validate({"name": "words", "path": "index", "fields": fields}), services
    )
    await made.prepare(fingerprint=None, dimensions=0)
    await made.upsert(DOCUMENTS)
    yield made
    await made.aclose()


async def test_words(backend: LocalBackend) -> None:
    for text, first in (
        ("会议", "meeting"), ("會議", "meeting"), ("评审", "meeting"), ("三点", "meeting"), ("審", "meeting"),
        ("youer", "youer"), ("ＹＯＵＥＲ", "youer"), ("服务端", "youer"),
        ("打印机卡纸", "printer"), ("印表機夾紙", "tw"), ("鼠标", "tw"), ("滑鼠", "tw"),
        ("紙詰", "ja"), ("プリンター", "ja"), ("용지", "ko"),
        ("c++", "c"), ("C#", "csharp"), ("cafe", "naive"), ("NAIVE", "naive"), ("program", "c-plain"),
    ):  # fmt: skip
        assert (await ids(backend, text))[:1] == [first], text
    assert set(await ids(backend, "夾紙")) == {"tw", "printer"}  # near words
    assert set(await ids(backend, "打印机")) == {"tw", "printer"}
    assert set(await ids(backend, "16GB")) == set(await ids(backend, "16 GB")) == {"gb", "gb2"}


async def test_stop_words_are_looked_for_only_alone(backend: LocalBackend) -> None:
    assert await ids(backend, "怎麼辦") == ["tw"]
    assert set(await ids(backend, "the laptop of a")) == {"gb", "gb2"}
    assert await ids(backend, "don't") == ["c"]


async def test_restrictions(backend: LocalBackend) -> None:
    for expression, wanted in (
        (Site(host="zhihu.com"), ["c"]),
        (Site(host="zhihu.com/question"), ["c"]),
        (Site(host="com"), ["c", "csharp"]),
        (Site(host="github.com/python"), ["csharp"]),
        (Site(host="hub.com"), []),
        (FileType(extension="PDF"), ["c"]),
        (FileType(extension="doc"), []),
        (Field(name="author", expression=Terms(words=("knuth",))), ["csharp"]),
        (Field(name="author", expression=Terms(words=("knut",))), []),
        (Field(name="intitle", expression=Terms(words=("templates",))), ["c"]),
        (Or(parts=(Range(field="price", high=10), Terms(words=("café",)))), ["c-plain", "naive"]),
        (Or(parts=(Range(field="published", low="2023-05"), Terms(words=("café",)))), ["c-plain", "naive"]),
    ):  # fmt: skip
        response = await backend.search(ask(expression))
        assert sorted(response.ids) == wanted, expression
        assert response.unexpressed == ()
    response = await backend.search(ask(Or(parts=(Range(field="weight", high=10), Terms(words=("café",))))))
    assert (response.ids, response.unexpressed) == (("naive",), ("weight:..10",))


async def test_a_request_of_too_many_words_says_what_it_left_out(backend: LocalBackend) -> None:
    response = await backend.search(ask(Terms(words=tuple(f"w{i}" for i in range(3000)))))
    assert "1976 more words" in response.unexpressed[0]


async def test_values_that_are_left_out_are_said(backend: LocalBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "MOST_PIECES", 0)
    response = await backend.search(ask(Field(name="author", expression=Terms(words=("knuth",)))))
    assert "1 more values of 'metadata.author' that hold 'knuth'" in response.unexpressed


async def test_boosts_multiply(backend: LocalBackend) -> None:
    plain = await backend.search(ask("laptop"))
    for weight, wanted in ((3.0, "gb"), (0.2, "gb2")):
        boosts = (Boost(field="metadata.brand", value="HP", weight=weight),)
        response = await backend.search(ask("laptop", boosts=boosts))
        assert response.ids[0] == wanted
        assert set(response.ids) == set(plain.ids)
    scores = dict(zip(plain.ids, plain.scores, strict=True))
    tripled = await backend.search(ask("laptop", boosts=(Boost(field="brand", value="HP", weight=3.0),)))
    assert dict(zip(tripled.ids, tripled.scores, strict=True))["gb"] == pytest.approx(3 * scores["gb"], rel=1e-4)


async def test_types_are_read_from_the_data(backend: LocalBackend) -> None:
    types = {name: field.type for name, field in backend.fields.items()}
    assert types == {
        "id": "keyword", "title": "text", "text": "text", "url": "keyword", "author": "keyword", "price": "number",
        "published": "date", "brand": "keyword",
    }  # fmt: skip


async def test_highlights_show_the_words(backend: LocalBackend) -> None:
    for text, wanted in (
        ("評審會議", "评审会议"),
        ("c++", "C++"),
        ("laptop", "Laptop"),
        ("cafe", "Café"),
        ("鼠标", "滑鼠"),
    ):
        hit = hits(await backend.search(ask(text)))[0]
        marked = [h.text[s:e] for h in hit.highlights for s, e in h.spans]
        assert wanted in marked or "".join(marked) == wanted, (text, marked)


async def test_a_long_text_is_shown_around_its_words(backend: LocalBackend) -> None:
    text = "Nothing here. " * 200 + "The omega valve broke. " + "Nothing here. " * 200
    await backend.upsert([Document(id="long", text=text)])
    (highlight,) = hits(await backend.search(ask("omega valve")))[0].highlights
    assert len(highlight.text) <= 240
    assert [highlight.text[s:e] for s, e in highlight.spans] == ["omega", "valve"]


async def test_identities(backend: LocalBackend) -> None:
    response = await backend.search(ask("laptop", identity="metadata.brand"))
    assert dict(zip(response.ids, response.identities, strict=True)) == {"gb": "HP", "gb2": "Dell"}
    assert (await backend.search(ask("laptop", identity=None))).identities == ()


async def test_id_title_and_text_are_filtered_too(backend: LocalBackend) -> None:
    for field, item in (("id", "gb"), ("title", "Laptop 16 GB"), ("url", "https://github.com/python/cpython")):
        for op in ("eq", "ne", "in"):
            tree = Compare(field=field, op=op, value=(item,) if op == "in" else item)
            found = await ids(backend, "", filter=tree)
            assert len(found) == (len(DOCUMENTS) - 1 if op == "ne" else 1), tree
    assert await ids(backend, "", filter=Compare(field="text", op="eq", value="拉出纸张")) == ["printer"]


async def test_a_new_word_of_the_lexicon_needs_no_new_index(backend: LocalBackend, services: TestServices) -> None:
    made = await LocalBackend.create(
        LocalBackend.Settings.model_validate({"name": "x", "path": "index", "lexicon": ["项目评审会议"]}), services
    )
    assert (await ids(made, "项目评审会议"))[0] == "meeting"
    await made.aclose()


ANALYSIS = Analysis(analyzer("english"))


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet=st.sampled_from("会议打印机a b1-'.C+#é語カー한\ud800\u200b😀"), max_size=30))
def test_no_text_breaks_the_analysis(text: str) -> None:
    indexed = ANALYSIS.indexed(text)
    tokens = analyzer("english").analyze(indexed.encode("utf-8", "replace").decode("utf-8"))
    for piece in ANALYSIS.pieces(text):
        assert len(piece.tokens) == len(piece.steps) > 0
        assert set(piece.tokens) <= set(tokens), piece
    sequence = ANALYSIS.sequence(text)
    assert [at for at, _ in sequence] == sorted({at for at, _ in sequence})
    for start, end in ANALYSIS.spans(text, frozenset(t for p in ANALYSIS.pieces(text) for t in (p.text, *p.tokens))):
        assert 0 <= start < end <= len(text)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="会议打印机项目评审纸", min_size=2, max_size=12), st.data())
def test_any_part_of_a_run_is_a_phrase_of_it(run: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(run) - 1))
    end = data.draw(st.integers(start + 1, len(run)))
    tokens = analyzer(None).analyze(ANALYSIS.indexed(run))
    sequence = ANALYSIS.sequence(run[start:end])
    assert any(
        all(at + step < len(tokens) and tokens[at + step] == token for step, token in sequence)
        for at in range(len(tokens))
    )


EMOJI = (
    Document(id="party", title="庆祝🎉活动", metadata={"color": "red"}),
    Document(id="joined", title="party🎉time", metadata={"color": "red"}),
    Document(id="heart", title="I ❤️ tea", metadata={"color": "red"}),
    Document(id="flag", title="made in 🇨🇳", metadata={"color": "red"}),
    Document(id="other", title="🇳🇨 a thumb 👍🏽 ★", metadata={"color": "red"}),
    Document(id="plain", title="party time", metadata={"color": "red"}),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("🎉", {"party", "joined"}),
        ("❤", {"heart"}),
        ("❤️", {"heart"}),
        ("🇨🇳", {"flag"}),
        ("👍🏿", {"other"}),
        ("★", {"other"}),
        ("🦆", set()),
        ("party🎉time", {"joined", "party", "plain"}),
        ('"庆祝🎉活动"', {"party"}),
        ("???", set()),
        ("。！", set()),
        ('"?!"', set()),
        ("?! -thumb", set()),
    ],
)
async def test_emoji_are_words_and_mere_marks_are_not_everything(services: TestServices, text: str, found: set[str]):
    made = await LocalBackend.create(LocalBackend.Settings(name="mine"), services)
    await made.prepare(fingerprint=None, dimensions=0)
    await made.upsert(EMOJI)
    red = Compare(field="color", op="eq", value="red")
    assert set(await ids(made, text, filter=red)) == found
    assert set(await ids(made, text)) == found
    without = Not(expression=Terms(words=("🎉",)))
    assert set(await ids(made, without, filter=red)) == {"heart", "flag", "other", "plain"}
    await made.aclose()


async def test_mere_marks_on_a_site_are_not_all_of_it(backend: LocalBackend):
    assert await ids(backend, "site:github.com") == ["csharp"]
    assert await ids(backend, "site:github.com ???") == []
    assert await ids(backend, "site:github.com generics ???") == ["csharp"]


def test_an_emoji_is_marked():
    found = Analysis(analyzer("english"))
    wanted = frozenset(token for piece in found.pieces("🎉 plans") for token in piece.tokens)
    assert found.spans("plan 🎉 x", wanted) == ((0, 4), (5, 6))
