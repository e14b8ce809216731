"""The request in its colours: on a page of its own and as a part of the panel."""

import html
import re
from uuid import uuid4

import pytest

from tests.support.scripted_provider import replies
from tests.support.visitors import HTMX

HOSTILE = """<script>alert(1)</script><img src=x onerror="alert(2)">"""
TEXT = re.compile(r'<div class="wire-text"[^>]*>(.*?)</div>', re.DOTALL)


async def wire_of(visitors, row, **more):
    url = visitors.url("attempt_wire", attempt_id=row.attempts[-1].id)
    answer = await visitors.alice.get(url, **more)
    assert answer.status_code == 200
    return answer


def shown_texts(answer):
    return [html.unescape(re.sub(r"<[^>]*>", "", text)) for text in TEXT.findall(answer.text)]


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "panel"])
async def test_the_wire_view_shows_what_the_provider_got_word_for_word(visitors, provider, headers):
    await visitors.talk("Name one river.")
    row = await visitors.talk("Ещё одну? 再来一个 👋")

    answer = await wire_of(visitors, row, headers=headers)

    sent = provider.chats[-1].body["messages"]
    assert shown_texts(answer) == [message["content"] for message in sent]
    assert ("<html" in answer.text) == (not headers)
    assert "byte for byte" in answer.text


async def test_what_memory_put_into_a_request_can_be_asked_about(visitors):
    entry = {"kind": "rule", "words": "Be brief 👋."}
    await visitors.alice.post(visitors.url("memory_add"), entry)
    row = await visitors.talk("Name one river.")

    answer = await wire_of(visitors, row, headers=HTMX)

    assert any("Be brief 👋." in text for text in shown_texts(answer))
    assert row.attempts[-1].selected[0]["group"] == "rule"


async def test_hostile_words_stay_words_on_the_page(visitors, provider):
    provider.enqueue(replies.answer_chunks([HOSTILE]))
    await visitors.talk(HOSTILE)
    await visitors.alice.post(visitors.url("memory_add"), {"kind": "rule", "words": HOSTILE})
    row = await visitors.talk(HOSTILE)

    answer = await wire_of(visitors, row)

    assert "<script>alert" not in answer.text
    assert "<img" not in answer.text
    assert sum(text.count("<script>") for text in shown_texts(answer)) >= 3


async def test_an_attempt_that_is_not_there_has_no_wire_view(visitors):
    answer = await visitors.alice.get(visitors.url("attempt_wire", attempt_id=uuid4()))

    assert answer.status_code == 404


async def test_the_panel_offers_the_wire_view_and_says_that_nothing_is_missing(visitors):
    row = await visitors.talk("Name one river.")

    panel = (await visitors.alice.get(visitors.url("panel_context"))).text

    assert visitors.url("attempt_wire", attempt_id=row.attempts[-1].id) in panel
    assert "every correction, refusal, rule and exact value is in this request" in panel
