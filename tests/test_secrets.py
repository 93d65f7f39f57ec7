import base64
import io
import json
import logging
import traceback
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from qx.errors import AuthError, ProviderError
from qx.secrets import MASK, Redactor, reveal, secrets_of
from qx.settings import LLM, Endpoint, Named, Profile

CANARY = "sk-canary/+&='\"秘-0123456789"


@pytest.fixture
def redactor() -> Redactor:
    return Redactor([CANARY])


def shown(exc: BaseException) -> str:
    return "".join(traceback.format_exception(exc)) + repr(exc) + str(vars(exc))


def test_text(redactor: Redactor):
    assert redactor.text(f"key={CANARY}!") == f"key={MASK}!"
    assert redactor.text("nothing here") == "nothing here"


@pytest.mark.parametrize(
    "form",
    [
        quote(CANARY, safe=""),
        quote(CANARY, safe="").lower().replace("sk-", "sk-"),
        quote(CANARY),
        json.dumps(CANARY)[1:-1],
        json.dumps(CANARY, ensure_ascii=False)[1:-1],
        repr(CANARY)[1:-1],
        base64.b64encode(CANARY.encode()).decode().rstrip("="),
        base64.urlsafe_b64encode(CANARY.encode()).decode().rstrip("="),
    ],
)
def test_written_otherwise(redactor: Redactor, form: str):
    left = redactor.text(f"[{form}]")
    assert MASK in left
    assert "0123456" not in left


@settings(max_examples=60, deadline=None)
@given(st.text("abcXYZ0189-_.", min_size=12, max_size=40), st.text(max_size=7), st.text(max_size=7))
def test_inside_of_a_basic_authorization_header(secret: str, before: str, after: str):
    both = base64.b64encode(f"{before}:{secret}{after}".encode("utf-8", "replace")).decode()
    alone = base64.b64encode(f"{before}:".encode("utf-8", "replace") + b"?" * len(secret)).decode()
    left = Redactor([secret]).text(both)
    assert MASK in left
    assert len(left.replace(MASK, "")) <= len(alone) - len(secret) + 8 + 2 * len(after.encode("utf-8", "replace"))


def test_short_secrets_are_whole_words_and_placeholders_stay():
    redactor = Redactor(["hunter2", "abc", "ollama", "EMPTY"])
    assert redactor.text("hunter2 hunter23 (hunter2)") == f"{MASK} hunter23 ({MASK})"
    assert redactor.text("abc ollama EMPTY") == "abc ollama EMPTY"


def test_longer_secrets_go_first():
    assert Redactor(["secret-one", "secret-one-two"]).text("secret-one-two") == MASK


def test_values_of_any_shape(redactor: Redactor):
    pair = namedtuple("pair", "a b")
    endpoint = {"headers": {"Authorization": f"Bearer {CANARY}"}, CANARY: [CANARY.encode(), (1, CANARY)], "n": 3}
    found = redactor.value({"x": endpoint, "pair": pair(CANARY, 1), "set": {CANARY}})
    assert "canary" not in repr(found)
    assert found["pair"] == pair(MASK, 1)
    assert found["x"]["n"] == 3


def test_exceptions_with_their_whole_chain(redactor: Redactor):
    try:
        try:
            try:
                raise KeyError(CANARY)
            except KeyError:
                raise OSError(2, "no such file", f"/tmp/{CANARY}")  # noqa: B904 - a context, not a cause
        except OSError as exc:
            error = AuthError(f"refused {CANARY}", plugin=f"openai {CANARY}")
            error.add_note(f"the key was {CANARY}")
            raise error from exc
    except AuthError as exc:
        caught = exc
    clean = redactor.exception(caught)
    assert clean is caught
    assert isinstance(clean.__cause__, BaseException)
    assert clean.__cause__.__context__ is not None
    assert "canary" not in shown(clean) + shown(clean.__cause__) + shown(clean.__cause__.__context__)
    assert "test_exceptions_with_their_whole_chain" in shown(clean)


class Stubborn(ValueError):
    def __str__(self) -> str:
        return f"always {CANARY}"


def test_an_exception_that_cannot_be_changed_is_stood_in_for(redactor: Redactor):
    outer = ProviderError("outside")
    outer.__cause__ = Stubborn()
    clean = redactor.exception(outer)
    assert "canary" not in shown(clean)
    assert "Stubborn: always [redacted]" in shown(clean)


def test_groups_and_circles(redactor: Redactor):
    group = ExceptionGroup(f"g {CANARY}", [ValueError(CANARY), ExceptionGroup("inner", [Stubborn()])])
    clean = redactor.exception(group)
    assert "canary" not in shown(clean)
    assert isinstance(clean, ExceptionGroup)
    one, two = ValueError(CANARY), ValueError("two")
    one.__context__, two.__context__ = two, one
    assert "canary" not in shown(redactor.exception(one))


@contextmanager
def logger_to(stream: io.StringIO) -> Iterator[logging.Logger]:
    logger = logging.Logger("qx.test")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s %(extra)s", defaults={"extra": ""}))
    logger.addHandler(handler)
    yield logger


def test_log_records(redactor: Redactor):
    stream = io.StringIO()
    with logger_to(stream) as logger:
        redacting = redactor.attach(logger)
        logger.warning("key %s, %d times", CANARY, 3, extra={"extra": CANARY})
        try:
            raise ValueError(CANARY)
        except ValueError:
            logger.exception("failed")
        logger.warning(CANARY)
        assert "canary" not in stream.getvalue()
        assert "WARNING key [redacted], 3 times [redacted]" in stream.getvalue()
        assert "ValueError: [redacted]" in stream.getvalue()
        redactor.detach(redacting, logger)
        logger.warning(CANARY)
        assert "canary" in stream.getvalue()


def test_a_child_logger_is_redacted_at_the_handler(redactor: Redactor):
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    parent, child = logging.getLogger("qx-redaction-test"), logging.getLogger("qx-redaction-test.child")
    parent.addHandler(handler)
    parent.propagate = False
    try:
        redactor.attach(parent)
        child.warning("child %s", CANARY)
        assert stream.getvalue() == f"child {MASK}\n"
    finally:
        parent.removeHandler(handler)


def profile() -> Profile:
    llm = LLM(
        model="m",
        api_key=SecretStr(CANARY),
        options={"headers": {"X": SecretStr("second-canary-1")}},
        fallbacks=(Endpoint(model="f", api_key=SecretStr("third-canary-12")),),
    )
    observer = Named.model_validate({"type": "o", "url": SecretStr("redis://u:fourth-canary@h/0")})
    return Profile(llm=llm, observers=(observer,))


def test_the_secrets_of_a_profile():
    found = secrets_of(profile())
    assert found == {CANARY, "second-canary-1", "third-canary-12", "redis://u:fourth-canary@h/0", "fourth-canary"}
    assert Redactor.of(profile()).text("x second-canary-1 fourth-canary") == f"x {MASK} {MASK}"


def test_no_form_of_a_profile_shows_them():
    made = profile()
    for text in (repr(made), str(made), made.model_dump_json(), repr(made.model_dump())):
        assert "canary" not in text


def test_reveal_is_for_the_factory():
    made = profile()
    assert made.observers[0].settings == {"url": "redis://u:fourth-canary@h/0"}
    assert made.llm is not None
    assert reveal(made.llm.options) == {"headers": {"X": "second-canary-1"}}
    assert reveal(["a", SecretStr("b"), {"c": (SecretStr("d"),)}]) == ["a", "b", {"c": ["d"]}]
