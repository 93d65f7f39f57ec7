"""``Context.stream``: the same endpoints, limits and secrets as ``complete``, while it is written."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qx.testing.plugin
from engines import engine, profile
from qx import Engine
from qx.budget import Cost, RequestBudget
from qx.calls.streaming import Words
from qx.context import Context
from qx.errors import BadResponse, BrokenOff, BudgetExceeded, ProviderTimeout, Unavailable
from qx.llm import Capabilities, CompletionRequest, Delta, Message, Tool
from qx.plugins import Plugins
from qx.secrets import Redactor
from qx.settings import LLM
from qx.testing import Answer, ScriptedLLM
from qx.types import Usage

ASK = CompletionRequest(model="", messages=(Message(role="user", content="Say it."),))
PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin])


class Typed(ScriptedLLM):
    """Streams these pieces one second apart; an exception among them is raised."""

    def __init__(self, *pieces: str | BaseException, capabilities: Capabilities | None = None) -> None:
        super().__init__(default="whole", capabilities=capabilities)
        self.pieces = pieces
        self.closed_streams = 0

    async def stream(self, request: CompletionRequest, /) -> AsyncIterator[Delta]:
        self.requests.append(request)
        try:
            for piece in self.pieces:
                await asyncio.sleep(1)
                if isinstance(piece, BaseException):
                    raise piece
                yield Delta(text=piece)
            yield Delta(usage=Usage(calls=1, input_tokens=9, output_tokens=4), finish="stop")
        finally:
            self.closed_streams += 1


async def read(context: Context, request: CompletionRequest = ASK, *, into: list[Delta] | None = None) -> list[Delta]:
    found = [] if into is None else into
    async for delta in context.stream(request):
        found.append(delta)
    return found


def text(deltas: Sequence[Delta]) -> str:
    return "".join(delta.text for delta in deltas)


@pytest.mark.virtual_time
async def test_pieces_come_as_they_are_made():
    llm = Typed("Red ", "shoes, ", "红色", "的鞋")
    async with engine(llm) as opened:
        context, came = opened.begin("x", step="mine"), []
        clock = asyncio.get_running_loop().time
        began = clock()
        async for delta in context.stream(ASK):
            came.append((delta.text, round(clock() - began)))
        assert came == [("Red ", 1), ("shoes, ", 2), ("红色", 3), ("的鞋", 4), ("", 4)]
        assert (context.usage.calls, context.usage.output_tokens) == (1, 4)


@pytest.mark.parametrize("how", ["cannot", "tools"])
async def test_one_that_cannot_stream_gives_it_at_once(how: str):
    llm = Typed("no", capabilities=Capabilities(stream=how != "cannot"))
    request = (
        ASK
        if how == "cannot"
        else CompletionRequest(model="", messages=ASK.messages, tools=(Tool(name="t", description=""),))
    )
    async with engine(llm) as opened:
        found = await read(opened.begin("x", step="mine"), request)
    assert text(found) == "whole"
    assert found[-1].finish == "stop"
    assert found[-1].usage is not None


async def test_the_next_endpoint_answers_where_the_first_one_fails_before_it_begins():
    first, second = Typed(Unavailable("down")), ScriptedLLM(default="from the other")
    first.named("stream-first")
    second.named("stream-second")
    made = profile(first)
    other = {"provider": "scripted", "model": "n", "options": {"instance": "stream-second"}}
    llm = LLM.model_validate(made.llm.model_dump() | {"fallbacks": [other]})  # type: ignore[union-attr]
    async with Engine.opened(made.model_copy(update={"llm": llm}), plugins=PLUGINS) as opened:
        context = opened.begin("x", step="mine")
        assert text(await read(context)) == "from the other"
        assert [one.rung for one in context.degraded] == ["fallback scripted n"]


@pytest.mark.virtual_time
async def test_one_that_breaks_off_in_the_middle_is_not_asked_again():
    llm = Typed("The answer ", Unavailable("reset"))
    async with engine(llm) as opened:
        context, seen = opened.begin("x", step="mine"), list[Delta]()
        with pytest.raises(BrokenOff, match=r"broke off in the middle of its answer: .*reset") as caught:
            await read(context, into=seen)
        assert text(seen) == "The answer "
        assert not caught.value.retryable
        assert len(llm.requests) == 1


@pytest.mark.virtual_time
async def test_nor_is_one_that_takes_too_long():
    llm = Typed("The ", *(["word "] * 60))
    async with engine(llm, llm={}) as opened:
        with pytest.raises(BrokenOff, match="did not answer within"):
            await read(opened.begin("x", step="mine"))
        assert llm.closed_streams == 1


@pytest.mark.virtual_time
async def test_one_that_never_begins_is_a_timeout():
    llm = ScriptedLLM([Answer(text="late", delay=100)])
    async with engine(llm) as opened:
        with pytest.raises(ProviderTimeout):
            await read(opened.begin("x", step="mine"))


@pytest.mark.virtual_time
async def test_leaving_early_ends_the_call_and_leaves_no_task():
    llm = Typed(*(["word "] * 8))
    async with engine(llm) as opened:
        async with aclosing(opened.begin("x", step="mine").stream(ASK)) as deltas:  # type: ignore[type-var]
            async for _ in deltas:
                break
        assert llm.closed_streams == 1


@pytest.mark.virtual_time
async def test_a_slow_reader_does_not_use_up_the_answers_time():
    llm = Typed("a ", "b ", "c ")
    async with engine(llm) as opened:
        seen = ""
        async for delta in opened.begin(
            "x", step="mine", budget=RequestBudget(Cost(), asyncio.get_running_loop().time)
        ).stream(ASK):
            seen += delta.text
            await asyncio.sleep(30)
        assert seen == "a b c "


async def test_the_budget_counts_it():
    async with engine(ScriptedLLM(default="some words")) as opened:
        budget = RequestBudget(Cost(calls=1), asyncio.get_running_loop().time)
        context = opened.begin("x", step="mine", budget=budget)
        await read(context)
        assert budget.remaining().calls == 0
        with pytest.raises(BudgetExceeded):
            await read(context)


@pytest.mark.virtual_time
@pytest.mark.parametrize("raised", [ValueError("the end"), SystemExit("the end")])
async def test_what_breaks_its_contract_is_a_bad_response(raised: BaseException):
    async with engine(Typed(raised)) as opened:
        with pytest.raises(BadResponse, match="the end"):
            await read(opened.begin("x", step="mine"))


@pytest.mark.virtual_time
async def test_an_endpoint_that_does_not_count_is_counted():
    class Mute(Typed):
        async def stream(self, request: CompletionRequest, /) -> AsyncIterator[Delta]:
            yield Delta(text="four words of text")

    async with engine(Mute()) as opened:
        context = opened.begin("x", step="mine")
        await read(context)
        assert context.usage.output_tokens > 0


@pytest.mark.virtual_time
async def test_personal_data_is_masked_and_put_back_however_it_is_split():
    llm = Typed("Write to <EM", "AIL_1", ">, then", " wait.")
    request = CompletionRequest(model="", messages=(Message(role="user", content="Mail ann@example.org please"),))
    async with engine(llm, llm={}) as opened:
        masked = opened.profile.llm.model_copy(update={"mask": True})  # type: ignore[union-attr]
    async with Engine.opened(opened.profile.model_copy(update={"llm": masked}), plugins=PLUGINS) as opened:
        found = text(await read(opened.begin("x", step="mine"), request))
    assert found == "Write to ann@example.org, then wait."
    assert "ann@example.org" not in str(llm.requests)


def test_a_secret_is_taken_out_however_it_is_split():
    words = Words(Redactor(["sk-canary-1234567890"]).text)
    assert words.feed("the key sk-can") == "the key "
    assert words.feed("ary-12345") == ""
    assert words.feed("67890 is ") == "[redacted] is "
    assert words.rest() == ""


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(alphabet="ab <>_1\n红é", max_size=8), max_size=8))
def test_words_lose_and_add_nothing(pieces: list[str]):
    words = Words(lambda text: text)
    assert "".join([*(words.feed(piece) for piece in pieces), words.rest()]) == "".join(pieces)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(["k", "ke", "y", "key", " ", "红", "x"]), max_size=12))
def test_whole_words_are_changed_as_in_the_whole_text(pieces: list[str]):
    """Between spaces, that is: what is replaced holds none."""

    def change(text: str) -> str:
        return text.replace("key", "*")

    words = Words(change)
    assert "".join([*(words.feed(piece) for piece in pieces), words.rest()]) == change("".join(pieces))


def test_a_word_without_end_is_not_held_back_for_ever():
    words = Words(lambda text: text)
    assert len(words.feed("x" * 5000)) == 5000
