"""Requests that are not sent: the preview of the next one, and the strategies side by side."""

import html
import re

import pytest

from chatapp.models import Attempt, Message, Payload, TokenCount, Transition
from chatapp.runtime.pool import in_pool
from tests.support.lengthen import lengthen
from tests.support.queries import pool_queries
from tests.support.visitors import HTMX

__all__ = ["pool_queries"]

HOSTILE = """<script>alert(1)</script><img src=x onerror="alert(2)">"""
LINE = re.compile(r'<span id="preview-line">([^<]*)</span>')


async def preview_of(visitors, text, **more):
    fields = await visitors.draft(text)
    data = {"text": text, "branch": fields["branch"], **more}
    return await visitors.alice.post(visitors.url("preview"), data, headers=HTMX)


def rows():
    return [model.objects.count() for model in (Message, Attempt, Transition, Payload, TokenCount)]


async def test_the_preview_says_size_tier_and_share(visitors):
    await visitors.talk("Name one river.")

    answer = await preview_of(visitors, "And one lake?")

    (line,) = LINE.findall(answer.text)
    assert re.fullmatch(r"Next request: (≈ )?\d+ tokens \(\w+\), tier 0, \d+ %", line)
    assert "wire-message" not in answer.text


async def test_the_preview_is_the_request_that_is_then_sent(visitors, provider):
    await visitors.talk("Name one river.")

    answer = await preview_of(visitors, "Ещё одну? 再来一个 👋", whole="on")
    row = await visitors.talk("Ещё одну? 再来一个 👋")

    planned = int(re.search(r"(\d+) tokens \(", answer.text)[1])
    assert planned == row.attempts[-1].planned_tokens
    for message in provider.chats[-1].body["messages"]:
        assert message["content"] in html.unescape(answer.text)


async def test_a_preview_writes_nothing(visitors):
    await visitors.talk("Name one river.")
    before = await in_pool(rows)

    for text in ("And", "And one", "And one lake?"):
        await preview_of(visitors, text, whole="on")

    assert await in_pool(rows) == before


@pytest.mark.parametrize("text", ["", "  \n "])
async def test_nothing_typed_has_no_preview(visitors, text):
    answer = await preview_of(visitors, text)

    assert answer.status_code == 200
    assert "hidden" in answer.text
    assert not LINE.findall(answer.text)


async def test_a_branch_that_is_not_there_has_no_preview(visitors):
    branch = "01980000-0000-7000-8000-000000000000"

    answer = await preview_of(visitors, "Hello", branch=branch)

    assert answer.status_code == 200
    assert not LINE.findall(answer.text)


async def test_a_text_that_cannot_fit_names_its_largest_parts(visitors):
    answer = await preview_of(visitors, "word " * 60_000)

    assert "Does not fit" in answer.text
    assert "your message" in answer.text


async def test_a_text_that_may_not_be_sent_is_refused_in_one_sentence(visitors):
    answer = await preview_of(visitors, "x" * 400_001)

    assert answer.status_code == 422
    assert "too long" in answer.text


async def test_hostile_words_stay_words_in_a_preview(visitors):
    await visitors.talk(HOSTILE)

    answer = await preview_of(visitors, HOSTILE, whole="on")

    assert "<script>alert" not in answer.text
    assert "<img" not in answer.text
    assert answer.text.count("&lt;script&gt;") >= 2


async def test_the_strategies_stand_side_by_side(visitors):
    for text in ("Name one river.", "And one lake?"):
        await visitors.talk(text)

    answer = await visitors.alice.get(visitors.url("compare"))

    columns = answer.context["columns"]
    assert [column.code for column in columns] == ["full", "sliding", "summary", "elastic"]
    assert not any(column.overflow for column in columns)
    assert "“And one lake?”" in answer.text
    assert "For your newest message" in answer.text


async def test_an_older_message_is_compared_as_it_was_then(visitors):
    first = await visitors.talk("Name one river.")
    await visitors.talk("And one lake?")

    answer = await visitors.alice.get(visitors.url("compare"), {"turn": str(first.id)})

    assert "“Name one river.”" in answer.text
    assert "For this message" in answer.text
    assert str(first.id) in answer.text


async def test_a_message_that_did_not_fit_leads_to_what_takes_the_room(visitors):
    row = await visitors.talk("word " * 60_000)

    page = (await visitors.alice.get(visitors.url("conversation"))).text
    answer = await visitors.alice.get(visitors.url("compare"), {"turn": str(row.id)})

    assert row.reason == "context_overflow"
    assert f"{visitors.url('compare')}?turn={row.id}" in page
    elastic = answer.context["columns"][-1]
    assert "your message" in elastic.overflow


async def test_a_text_is_compared_as_if_it_were_asked_now(visitors):
    await visitors.talk("Name one river.")
    data = {"text": HOSTILE, "model": "second", "last_messages": "1"}

    answer = await visitors.alice.post(visitors.url("compare"), data)

    assert answer.context["is_typed"]
    assert "the last 1 messages" in answer.text
    assert "<script>alert" not in answer.text
    assert [model.name for model in answer.context["models"] if model.selected] == ["second"]


async def test_a_comparison_writes_nothing(visitors):
    await visitors.talk("Name one river.")
    before = await in_pool(rows)

    await visitors.alice.post(visitors.url("compare"), {"text": "And one lake?"})

    assert await in_pool(rows) == before


async def test_without_a_question_there_is_nothing_to_compare(visitors):
    answer = await visitors.alice.get(visitors.url("compare"))

    assert answer.status_code == 200
    assert "Nothing was asked yet" in answer.text


@pytest.mark.parametrize(
    "wrong",
    [{"model": "nobody"}, {"last_tokens": "0"}, {"last_messages": "x"}, {"turn": "nobody"}],
)
async def test_a_comparison_that_cannot_be_is_refused_in_one_sentence(visitors, wrong):
    answer = await visitors.alice.post(visitors.url("compare"), {"text": "kept", **wrong})

    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "kept</textarea>" in answer.text


async def test_a_long_conversation_costs_as_many_queries_as_a_short_one(visitors, pool_queries):
    await visitors.talk("Name one river.")
    counts = {}
    for length in (10, 200):
        await in_pool(lengthen, visitors.people.access, length)
        row = await visitors.talk("And one lake?")
        wire = visitors.url("attempt_wire", attempt_id=row.attempts[-1].id)
        calls = {
            "panel": lambda: visitors.alice.get(visitors.url("panel_context")),
            "wire": lambda wire=wire: visitors.alice.get(wire),
            "preview": lambda: preview_of(visitors, "And one sea?", whole="on"),
            "compare": lambda: visitors.alice.get(visitors.url("compare")),
        }
        counts[length] = {}
        for name, call in calls.items():
            pool_queries.clear()
            assert (await call()).status_code == 200
            counts[length][name] = len(pool_queries)

    assert counts[200] == counts[10]
    assert max(counts[10].values()) < 30
