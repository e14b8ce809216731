"""An error is read in every form in which servers give one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.routing.errors import ErrorSaid, error_said, stream_error_said
from statecore.routing.stream import ChatReader, StreamError

FORMS = [
    (
        {"error": {"message": "no", "type": "bad", "code": "why", "param": None}},
        ErrorSaid("why", "bad", "no"),
    ),
    ({"error": "no"}, ErrorSaid("", "", "no")),
    ("no", ErrorSaid("", "", "no")),
    ({"code": "why", "error": "no"}, ErrorSaid("why", "", "no")),
    ({"error": "no", "error_type": "validation"}, ErrorSaid("", "validation", "no")),
    (
        {"object": "error", "message": "no", "type": "bad", "code": 400},
        ErrorSaid("400", "bad", "no"),
    ),
    ({"errors": [{"code": "why", "message": "no"}], "trace": "x"}, ErrorSaid("why", "", "no")),
    ({"detail": "no"}, ErrorSaid("", "", "no")),
    (
        {"detail": [{"loc": [], "msg": "no"}, {"msg": "never"}]},
        ErrorSaid("", "", "no; never"),
    ),
    ({"error_code": 336103, "error_msg": "no"}, ErrorSaid("336103", "", "no")),
    ({"base_resp": {"status_code": 2013, "status_msg": "no"}}, ErrorSaid("2013", "", "no")),
    ({"header": {"code": 10907, "message": "no", "sid": "s"}}, ErrorSaid("10907", "", "no")),
    ([{"error": {"code": 400, "message": "no", "status": "BAD"}}], ErrorSaid("400", "BAD", "no")),
    (
        {"error": {"message": "Provider returned error", "metadata": {"raw": "no"}}},
        ErrorSaid("", "", "Provider returned error no"),
    ),
    (
        {"error": {"code": 400, "message": "no", "n_prompt_tokens": 5000, "n_ctx": 4096}},
        ErrorSaid("400", "", "no (n_prompt_tokens: 5000, n_ctx: 4096)"),
    ),
    ({"type": "error", "error": {"type": "bad", "message": "no"}}, ErrorSaid("", "bad", "no")),
]


@pytest.mark.parametrize(("body", "expected"), FORMS)
def test_every_form_says_the_same(body, expected):
    assert error_said(body) == expected


@pytest.mark.parametrize("body", [None, {}, [], 3, {"error": None}, {"choices": []}, {"code": 0}])
def test_what_is_no_error_says_nothing(body):
    assert error_said(body).is_empty


@pytest.mark.parametrize("body", [form for form, _ in FORMS if isinstance(form, dict)])
def test_every_form_is_an_error_inside_a_stream_and_instead_of_one(body):
    for data in (
        b"data: " + json.dumps(body).encode() + b"\n\n",
        json.dumps(body, indent=1).encode(),
    ):
        reader = ChatReader()
        events = [*reader.feed(data), *reader.close()]
        assert [type(event) for event in events] == [StreamError]
        assert "no" in events[0].message


@pytest.mark.parametrize(
    "chunk",
    [
        {"choices": [], "usage": {"prompt_tokens": 1}},
        {"choices": [], "base_resp": {"status_code": 0, "status_msg": ""}},
        {"code": 0, "message": "Success", "choices": []},
        {"id": "x", "object": "chat.completion.chunk", "choices": []},
        {"error": None},
    ],
)
def test_a_part_without_an_answer_is_no_error(chunk):
    assert stream_error_said(chunk).is_empty


def test_figures_beside_the_words_reach_whoever_plans_again():
    error = {"message": "too long", "type": "exceed_context_size_error", "n_ctx": 4096}
    reader = ChatReader()

    (said,) = reader.feed(b"data: " + json.dumps({"error": error}).encode() + b"\n\n")

    assert said.code == "exceed_context_size_error"
    assert "n_ctx: 4096" in said.message


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["error", "errors", "message", "code", "detail", "type", "metadata"]),
            inner,
            max_size=4,
        )
    ),
)


@given(json_values)
def test_whatever_is_sent_can_be_asked(body):
    assert isinstance(error_said(body).message, str)
    if isinstance(body, dict):
        assert isinstance(stream_error_said(body).code, str)
