"""One question to a memory model, against a provider over real HTTP."""

import asyncio
import json
import logging
from dataclasses import replace

import pytest

from chatapp.llm.labelling import ask_labels, label_request, limit_s
from chatapp.llm.openai_chat import AttemptFailed, Endpoint
from statecore.memory.labels import AskedSentence, LabelQuestion
from statecore.memory.ledger import Span
from statecore.models import ModelLimits
from statecore.routing.failures import FailureReason
from statecore.routing.stream import UsageSeen
from tests.support.people import MODEL
from tests.support.raw_server import raw_server
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.tokenizer import pieces

PLANTED = "xylophonewombat"
QUESTION = LabelQuestion(
    "label",
    1,
    "Label each sentence.",
    f"1. Мой заказ 4815, {PLANTED}.\n2. 谢谢。",
    (
        AskedSentence(1, Span("m", 0, 16), "Мой заказ 4815."),
        AskedSentence(2, Span("m", 17, 20), "谢谢。"),
    ),
)
SPEC = replace(MODEL, abilities=frozenset({"json_schema"}))
ANSWER = '{"1": "fact", "2": "skip"}'


@pytest.fixture
def endpoint(provider):
    return Endpoint(provider.base_url, "sk-test")


async def failure_of(endpoint, spec=SPEC):
    with pytest.raises(AttemptFailed) as caught:
        await ask_labels(QUESTION, spec, endpoint)
    return caught.value.reason


async def test_the_answer_comes_whole_with_its_usage(provider, endpoint):
    provider.enqueue(replies.answer(ANSWER, cached_tokens=7))

    answer = await ask_labels(QUESTION, SPEC, endpoint)

    assert answer.text == ANSWER
    assert answer.usage == UsageSeen(
        prompt=answer.usage.prompt, completion=len(pieces(ANSWER)), cached=7
    )
    assert answer.usage.prompt > 0


async def test_one_request_is_sent_as_it_is_made(provider, endpoint):
    provider.enqueue(replies.answer(ANSWER))

    await ask_labels(QUESTION, SPEC, endpoint)

    (chat,) = provider.chats
    assert chat.body == label_request(QUESTION, SPEC)
    assert chat.headers["authorization"] == "Bearer sk-test"


def test_a_model_that_keeps_to_a_schema_gets_it():
    body = label_request(QUESTION, SPEC)

    assert body["temperature"] == 0
    assert body["max_tokens"] == QUESTION.max_output_tokens
    assert not body.get("stream")
    form = body["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["schema"] == QUESTION.schema
    assert json.dumps(body)


def test_a_model_without_schemas_is_asked_by_words_alone():
    assert "response_format" not in label_request(QUESTION, MODEL)


def test_newer_models_have_names_of_their_own_for_role_and_limit():
    body = label_request(QUESTION, replace(SPEC, role_style="developer"))

    assert body["messages"][0]["role"] == "developer"
    assert body["max_completion_tokens"] == QUESTION.max_output_tokens
    assert "max_tokens" not in body


def test_a_slow_reader_and_a_long_question_get_more_time():
    quick = replace(SPEC, limits=ModelLimits(first_token_base_ms=1_000))
    slow = replace(quick, limits=replace(quick.limits, prefill_tokens_per_s=10.0))
    longer = replace(QUESTION, user=QUESTION.user * 10)

    assert 1.0 < limit_s(QUESTION, quick) < limit_s(QUESTION, slow) < limit_s(longer, slow)


async def test_a_provider_that_does_not_count_has_no_usage():
    body = json.dumps({"choices": [{"message": {"content": ANSWER}}]}).encode()
    async with raw_server(_response(body)) as url:
        answer = await ask_labels(QUESTION, SPEC, Endpoint(url, ""))

    assert (answer.text, answer.usage) == (ANSWER, None)


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": 10**30, "completion_tokens": 1},
        {"prompt_tokens": -1, "completion_tokens": 1},
        {"prompt_tokens": "many"},
        {"prompt_tokens": 1e999, "completion_tokens": 1},
        [],
    ],
)
async def test_a_usage_that_cannot_be_costs_no_answer(usage):
    body = {"choices": [{"message": {"content": ANSWER}}], "usage": usage}
    async with raw_server(_response(json.dumps(body).encode())) as url:
        answer = await ask_labels(QUESTION, SPEC, Endpoint(url, ""))

    assert (answer.text, answer.usage) == (ANSWER, None)


async def test_half_a_character_in_an_answer_can_be_stored():
    body = {"choices": [{"message": {"content": '{"1": "\ud83d"}'}}]}
    async with raw_server(_response(json.dumps(body).encode())) as url:
        answer = await ask_labels(QUESTION, SPEC, Endpoint(url, ""))

    assert answer.text.encode()


@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{"message": "hi"}]}']
)
async def test_what_is_no_completion_is_a_bad_format(body):
    async with raw_server(_response(body)) as url:
        assert await failure_of(Endpoint(url, "")) == FailureReason.BAD_FORMAT


def _response(body: bytes) -> bytes:
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
    return f"{head}\r\nconnection: close\r\n\r\n".encode() + body


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (replies.rate_limited(), FailureReason.RATE_LIMIT),
        (replies.server_error(), FailureReason.SERVER_ERROR),
        (replies.unauthorized(), FailureReason.AUTH),
        (replies.overflow(), FailureReason.CONTEXT_OVERFLOW),
    ],
)
async def test_a_refusal_has_its_reason_and_is_not_repeated(provider, endpoint, reply, reason):
    provider.enqueue(reply)

    assert await failure_of(endpoint) == reason
    assert len(provider.chats) == 1


async def test_a_server_that_is_not_there_is_a_network_failure():
    assert await failure_of(Endpoint("http://127.0.0.1:1/v1", "")) == FailureReason.NETWORK


async def test_a_provider_that_says_nothing_is_given_up(provider, endpoint, monkeypatch):
    monkeypatch.setattr("chatapp.llm.labelling.limit_s", lambda *_: 0.05)
    provider.enqueue(replies.silence())

    assert await failure_of(endpoint) in {
        FailureReason.CONNECT_TIMEOUT,
        FailureReason.FIRST_TOKEN_TIMEOUT,
    }


async def test_cancelling_closes_the_call(provider, endpoint):
    provider.enqueue(replies.silence())
    call = asyncio.create_task(ask_labels(QUESTION, SPEC, endpoint))
    (chat,) = await asyncio.to_thread(provider.wait_for_chats, 1)

    call.cancel()

    with pytest.raises(asyncio.CancelledError):
        await call
    await asyncio.to_thread(provider.log.wait_disconnected, chat)


def test_each_event_loop_has_connections_of_its_own(provider, endpoint):
    provider.enqueue(replies.answer(ANSWER), replies.answer(ANSWER))

    for _ in range(2):
        assert asyncio.run(ask_labels(QUESTION, SPEC, endpoint)).text == ANSWER


async def test_no_text_reaches_the_log(provider, endpoint, caplog):
    caplog.set_level(logging.DEBUG, logger="chatapp")
    provider.enqueue(replies.server_error(), replies.answer(PLANTED))

    await failure_of(endpoint)
    await ask_labels(QUESTION, SPEC, endpoint)

    assert PLANTED not in caplog.text
