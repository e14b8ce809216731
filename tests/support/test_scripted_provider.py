"""The scripted provider, seen through the official client."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from urllib.request import Request, urlopen

import openai
import pytest
from openai import OpenAI

from tests.support.scripted_provider import replies
from tests.support.scripted_provider.replies import Reply
from tests.support.scripted_provider.steps import Done, Finish, Text
from tests.support.scripted_provider.thread import ProviderThread
from tests.support.scripted_provider.tokenizer import pieces

HELLO = [{"role": "user", "content": "Hello there"}]
CYRILLIC_AND_CHINESE = "Привет, 世界 🙂"


@pytest.fixture
def client(provider: ProviderThread) -> Iterator[OpenAI]:
    with OpenAI(base_url=provider.base_url, api_key="none", max_retries=0, timeout=5) as client:
        yield client


def stream(client: OpenAI, text: str = "Hello there", **more: object):
    messages = [{"role": "user", "content": text}]
    return client.chat.completions.create(model="scripted", messages=messages, stream=True, **more)


def text_of(chunks) -> str:
    return "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)


def test_it_echoes_when_nothing_is_scripted(client):
    assert text_of(stream(client)) == "You said: Hello there"


def test_it_sends_the_chunks_it_was_given(client, provider):
    provider.enqueue(replies.answer_chunks(["Hel", "lo", " you"]))

    chunks = [c.choices[0].delta.content for c in stream(client) if c.choices[0].delta.content]

    assert chunks == ["Hel", "lo", " you"]


def test_it_reports_usage_only_when_asked(client, provider):
    provider.enqueue(*[replies.answer("one two three")] * 2)

    with_usage = [c.usage for c in stream(client, stream_options={"include_usage": True})]
    without = [c.usage for c in stream(client)]

    assert with_usage[-1].completion_tokens == len(pieces("one two three"))
    assert with_usage[-1].prompt_tokens == 4 + len(pieces("Hello there"))
    assert without == [None] * len(without)


def test_it_can_ignore_the_wish_for_usage(client, provider):
    provider.enqueue(replies.answer("one", reports_usage=False))

    chunks = list(stream(client, stream_options={"include_usage": True}))

    assert all(chunk.usage is None for chunk in chunks)


def test_it_answers_whole_when_not_asked_to_stream(client, provider):
    provider.enqueue(replies.answer("not in pieces"))

    answer = client.chat.completions.create(model="scripted", messages=HELLO)

    assert answer.choices[0].message.content == "not in pieces"
    assert answer.choices[0].finish_reason == "stop"


def test_it_cuts_bytes_inside_characters(client, provider):
    provider.enqueue(replies.answer(CYRILLIC_AND_CHINESE, piece_bytes=1))

    assert text_of(stream(client)) == CYRILLIC_AND_CHINESE


def test_a_held_answer_goes_on_when_released(client, provider):
    provider.enqueue(replies.held("before ", "after"))
    chunks = iter(stream(client))
    first = [next(chunks) for _ in range(2)]
    provider.wait_held()

    provider.release()

    assert text_of(first) == "before "
    assert text_of(chunks) == "after"


def test_rules_come_before_the_queue_and_end_when_used_up(client, provider):
    provider.when(replies.answer("by rule"), contains="Hello", times=1)
    provider.enqueue(replies.answer("by queue"))

    answers = [text_of(stream(client)) for _ in range(2)]

    assert answers == ["by rule", "by queue"]


def test_a_rule_for_another_model_does_not_fit(client, provider):
    provider.when(replies.answer("other"), model="other")

    assert text_of(stream(client)) == "You said: Hello there"


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (replies.rate_limited(retry_after_s=7), openai.RateLimitError),
        (replies.server_error(), openai.InternalServerError),
        (replies.unauthorized(), openai.AuthenticationError),
        (replies.unknown_model(), openai.NotFoundError),
        (replies.overflow("openai"), openai.BadRequestError),
        (replies.overflow("llama.cpp"), openai.BadRequestError),
        (replies.overflow("vllm"), openai.BadRequestError),
    ],
)
def test_an_error_status_reaches_the_client(client, provider, reply: Reply, error):
    provider.enqueue(reply)

    with pytest.raises(error) as caught:
        stream(client)

    assert caught.value.response.headers.get("retry-after") == reply.headers.get("retry-after")


def test_an_error_inside_the_stream_reaches_the_client(client, provider):
    provider.enqueue(replies.error_in_stream("half an answer"))

    with pytest.raises(openai.APIError, match="The server had an error"):
        list(stream(client))


def test_a_stream_may_end_without_its_end_mark(client, provider):
    provider.enqueue(replies.without_done("all of it"))

    chunks = list(stream(client))

    assert text_of(chunks) == "all of it"
    assert [c.choices[0].finish_reason for c in chunks] == [None, None]


def test_malformed_json_reaches_the_client(client, provider):
    provider.enqueue(replies.malformed("half"))

    with pytest.raises(json.JSONDecodeError):
        list(stream(client))


def test_an_answer_may_be_empty(client, provider):
    provider.enqueue(replies.empty())

    assert text_of(stream(client)) == ""


def test_an_answer_may_only_reason(client, provider):
    provider.enqueue(replies.only_reasoning("Hm."))

    chunks = list(stream(client))

    assert text_of(chunks) == ""
    assert any(c.choices[0].delta.model_extra.get("reasoning_content") == "Hm." for c in chunks)


def test_a_tool_call_comes_in_pieces(client, provider):
    provider.enqueue(*[replies.tool_call("lookup", {"order": 48371})] * 2)

    deltas = [c.choices[0].delta.tool_calls for c in stream(client)]
    whole = client.chat.completions.create(model="scripted", messages=HELLO)

    arguments = "".join(calls[0].function.arguments for calls in deltas if calls)
    assert json.loads(arguments) == {"order": 48371}
    assert json.loads(whole.choices[0].message.tool_calls[0].function.arguments) == {"order": 48371}


def test_half_a_tool_call_is_not_json(client, provider):
    provider.enqueue(replies.half_tool_call())

    deltas = [c.choices[0].delta.tool_calls for c in stream(client)]

    arguments = "".join(calls[0].function.arguments for calls in deltas if calls)
    with pytest.raises(json.JSONDecodeError):
        json.loads(arguments)


def test_a_reset_breaks_the_connection(client, provider):
    provider.enqueue(replies.reset("half"))

    with pytest.raises(openai.APIConnectionError):
        list(stream(client))


def test_silence_is_noted_until_the_client_gives_up(provider):
    provider.enqueue(replies.silence())
    with (
        OpenAI(base_url=provider.base_url, api_key="none", max_retries=0, timeout=0.2) as client,
        pytest.raises(openai.APITimeoutError),
    ):
        stream(client)

    provider.log.wait_disconnected(provider.chats[0])


def test_leaving_in_the_middle_is_noted(client, provider):
    provider.enqueue(replies.held("half "))
    answer = stream(client)
    provider.wait_held()

    answer.close()

    provider.log.wait_disconnected(provider.chats[0])
    assert provider.chats[0].finished_at is None


def test_it_records_what_it_was_asked(client, provider):
    list(stream(client, temperature=0.5))

    request = provider.chats[0]
    assert request.body["messages"] == HELLO
    assert request.body["temperature"] == 0.5
    assert request.headers["authorization"] == "Bearer none"
    assert request.received_at <= time.monotonic()


def test_it_lists_its_models(client):
    assert [model.id for model in client.models.list()] == ["scripted"]


def test_it_counts_tokens_like_its_usage_says(client, provider):
    asked = client.post("/chat/completions/input_tokens", body={"messages": HELLO}, cast_to=object)
    ids = post(f"{provider.url}/tokenize", {"content": "Hello there"})["tokens"]

    assert asked == {"input_tokens": 4 + len(ids)}
    assert len(ids) == len(pieces("Hello there"))


def test_paced_tokens_carry_the_time_they_left_at(client, provider):
    provider.enqueue(replies.paced(20, per_second=200))

    sent_ns = [int(token) for token in text_of(stream(client)).split()]

    assert len(sent_ns) == 20
    # Never early: being late is the machine's matter.
    assert sent_ns[-1] - sent_ns[0] >= 0.09e9


def test_another_process_scripts_it_over_http(tmp_path):
    script = tmp_path / "script.json"
    script.write_text(
        json.dumps({"rules": [{"contains": "order", "reply": "answer", "text": "from the file"}]})
    )
    command = [sys.executable, "-m", "tests.support.scripted_provider", "--script", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        url = process.stdout.readline().strip()
        try:
            post(f"{url}/control/queue", {"reply": "answer", "text": "from the queue"})
            with OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
                answers = [text_of(stream(client, text)) for text in ("an order", "a chat")]
            requests = json.loads(urlopen(f"{url}/control/requests").read())
        finally:
            process.terminate()

    assert answers == ["from the file", "from the queue"]
    assert [request["path"] for request in requests] == ["/v1/chat/completions"] * 2


def test_two_streams_do_not_wait_for_each_other(client, provider):
    provider.enqueue(replies.held("slow "), Reply((Text("fast"), Finish(), Done())))
    slow = stream(client)
    provider.wait_held()

    assert text_of(stream(client)) == "fast"

    provider.release()
    assert text_of(slow) == "slow "


def test_a_connection_serves_one_request_after_the_other(provider):
    body = b'{"content": "a"}'
    request = b"POST /tokenize HTTP/1.1\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    with socket.create_connection(("127.0.0.1", provider.port), timeout=5) as connection:
        connection.sendall(request * 2)
        received = b""
        while received.count(b'{"tokens"') < 2:
            received += connection.recv(4096)

    assert received.count(b"HTTP/1.1 200 OK") == 2


def post(url: str, body: object):
    with urlopen(Request(url, json.dumps(body).encode())) as response:
        return json.loads(response.read())
