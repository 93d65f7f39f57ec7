from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import AuthError, BadRequest, ProviderError, QuotaExhausted, RateLimited
from qx.http import Reply
from qx.wire.refusal import refusal, retry_after

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:20 GMT"}, 20.0),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after-ms": "x"}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


def read(status: int, body: str) -> ProviderError:
    return refusal(Reply(status=status, headers={}, body=body.encode()), place="http://h/v1", model="m", now=NOW)


@pytest.mark.parametrize(
    ("status", "body", "kind", "text"),
    [
        (400, '{"code": "Arrearage", "message": "Access denied"}', QuotaExhausted, "Access denied"),
        (402, '{"error": {"message": "Insufficient Balance"}}', QuotaExhausted, "Insufficient Balance"),
        (403, '{"error": {"message": "账户余额不足"}}', QuotaExhausted, "余额不足"),
        (429, '{"error": {"type": "insufficient_quota", "code": null, "message": "x"}}', QuotaExhausted, "x"),
        (429, '[{"error": {"status": "RESOURCE_EXHAUSTED", "message": "Quota exceeded per minute"}}]', RateLimited, ""),
        (401, "<html><b>Unauthorized</b></html>", AuthError, "Unauthorized"),
        (404, '{"error": "model \'m\' not found"}', BadRequest, "not found"),
        (400, '{"object": "error", "message": "maximum context length is 4096"}', BadRequest, "too long"),
        (400, '{"error": {"type": "exceed_context_size_error", "message": "n"}}', BadRequest, "too long"),
        (422, '{"detail": [{"loc": ["body"], "msg": "field required"}]}', BadRequest, "field required"),
    ],
)
def test_the_shapes_of_compatible_servers(status: int, body: str, kind: type[ProviderError], text: str) -> None:
    error = read(status, body)
    assert type(error) is kind
    assert text in str(error)


@settings(max_examples=60, deadline=None)
@given(st.integers(400, 599), st.one_of(st.text(max_size=200), st.just("[[1]]"), st.just('{"error": null}')))
def test_any_body_gives_an_error_of_bounded_length(status: int, body: str) -> None:
    error = refusal(
        Reply(status=status, headers={}, body=body.encode("utf-8", "surrogatepass") * 20), place="p", model="m", now=NOW
    )
    assert isinstance(error, ProviderError)
    assert len(str(error)) < 500
