"""Everything that was said: all branches, word for word, for the owner alone."""

import re

import pytest

from chatapp.models import Message, Turn
from chatapp.runtime.pool import in_pool
from chatapp.selectors import raw_messages
from chatapp.services.commits import Broken, Measured, turn_fail
from chatapp.services.conversations import conversation_rename
from chatapp.services.importing import state_import_new
from statecore.messages import ToolCall
from tests.statecore.contract_builders import contract, said, turn
from tests.support.people import MODEL, accept, prepare, say
from tests.support.tamper import guards_down

HOSTILE = "<script>alert(1)</script>"
SPACED = "\n  two  spaces\t\r\nand 最后一行  \n\n"
NOTHING = Measured(None, None, None, None, "estimated")
NAMES = ("conversation_raw", "conversation_raw_json", "conversation_raw_text")


@pytest.fixture
async def talked(visitors, runtime):
    """A conversation with an answer and a turn that broke off after some words."""
    access = visitors.people.access

    def talk():
        say(access, SPACED, f"Answer {HOSTILE}", runtime.process_id)
        turn_id = accept(access, "This one breaks.", runtime.process_id).turn_id
        attempt_id = prepare(turn_id, runtime.process_id).attempt_id
        broken = Broken("network", "", "It be", NOTHING)
        turn_fail(turn_id, attempt_id, broken, owner=runtime.process_id, model=MODEL)

    await in_pool(talk)
    return visitors


async def raw(visitors, **query):
    answer = await visitors.alice.get(visitors.url("conversation_raw_json"), query)
    assert answer.status_code == 200
    return answer.json()


def told(document):
    return [(one["role"], one["state"], one["text"]) for one in document["messages"][1:]]


async def test_all_that_was_said_stands_there_in_the_order_of_the_log(talked):
    document = await raw(talked)
    assert document["messages"][0]["role"] == "system"
    assert told(document) == [
        ("user", "whole", SPACED),
        ("assistant", "whole", f"Answer {HOSTILE}"),
        ("user", "whole", "This one breaks."),
        ("assistant", "broken_off", "It be"),
    ]
    seqs = [one["seq"] for one in document["messages"]]
    assert seqs == sorted(seqs)
    assert document["next_after"] is None
    assert {one["branch"]["label"] for one in document["messages"][1:]} == {"Main line"}
    assert [one["depth"] for one in document["messages"]] == [None, 1, 1, 2, 2]


async def test_the_page_keeps_every_space_and_runs_nothing(talked):
    page = await talked.alice.get(talked.url("conversation_raw"))
    assert page.status_code == 200
    assert HOSTILE not in page.text
    assert "Answer &lt;script&gt;" in page.text
    # A parser drops the first end of a line in a `pre`, and makes all others the same.
    kept = SPACED.replace("\r", "&#13;")
    assert f">\n{kept}</pre>" in page.text
    assert "whatever is compacted or rolled back" in page.text
    assert page.text.count("broken off: it did not become the answer") == 1


async def test_the_plain_text_holds_it_word_for_word(talked):
    answer = await talked.alice.get(talked.url("conversation_raw_text"))
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"].startswith("attachment; ")
    text = answer.content.decode()
    assert SPACED in text
    assert "Main line, turn 2 · broken off" in text


async def test_the_log_panel_leads_there(talked):
    panel = await talked.alice.get(talked.url("panel_log"))
    assert talked.url("conversation_raw") in panel.text


@pytest.mark.parametrize("name", NAMES)
async def test_only_the_owner_sees_it(talked, name):
    url = talked.url(name)
    assert (await talked.mallory.get(url)).status_code == 404
    assert (await talked.anonymous.get(url)).status_code == 302
    assert (await talked.alice.head(url)).status_code == 200
    assert (await talked.alice.post(url)).status_code == 405


@pytest.mark.parametrize("after", ["x", "-1", "٣", "9" * 19])
@pytest.mark.parametrize("name", NAMES[:2])
async def test_what_is_no_place_of_the_log_is_not_there(talked, name, after):
    assert (await talked.alice.get(talked.url(name), {"after": after})).status_code == 404


async def test_pages_follow_each_other_and_leave_nothing_out(talked, monkeypatch):
    whole = (await raw(talked))["messages"]
    for size in (1, 2, 3):
        monkeypatch.setattr(raw_messages.raw_page, "__kwdefaults__", {"size": size})
        found, after = [], 0
        while after is not None:
            page = await raw(talked, after=after)
            found += page["messages"]
            after = page["next_after"]
        assert found == whole


async def test_a_page_names_the_next_one(talked, monkeypatch):
    monkeypatch.setattr(raw_messages.raw_page, "__kwdefaults__", {"size": 2})
    page = await talked.alice.get(talked.url("conversation_raw"))
    after = (await raw(talked))["next_after"]
    assert f"?after={after}" in page.text
    second = await talked.alice.get(talked.url("conversation_raw"), {"after": after})
    assert "From the beginning" in second.text


async def test_turns_of_all_branches_are_there(talked):
    def aside():
        branch = talked.people.access.conversation.branches.create(
            origin="edit", created_seq=99, created_ms=1
        )
        Turn.objects.filter(depth=1).update(branch=branch)

    await in_pool(aside)
    labels = [(one["branch"] or {}).get("label") for one in (await raw(talked))["messages"]]
    assert labels == [None, "Alternative 1", "Alternative 1", "Main line", "Main line"]


async def test_what_was_taken_out_or_is_damaged_is_marked(talked):
    def harm():
        rows = Message.objects.filter(turn__depth=1)
        with guards_down():
            rows.filter(position=0).update(body=b"", redacted_ms=5)
            rows.filter(position=1).update(body=b"x")

    await in_pool(harm)
    assert told(await raw(talked))[:2] == [
        ("user", "redacted", ""),
        ("assistant", "damaged", ""),
    ]
    page = await talked.alice.get(talked.url("conversation_raw"))
    assert "words taken out" in page.text
    assert "damaged: it cannot be opened" in page.text


async def test_tools_are_shown_with_what_they_were_asked(visitors):
    spoken = turn(
        1,
        said("a", "user", "What time is it?"),
        said("b", "assistant", "", tool_calls=(ToolCall("c1", "now", '{"in": "<b>"}'),)),
        said("c", "tool", "12:00", tool_call_id="c1"),
        said("d", "assistant", "Noon."),
    )
    owner = visitors.people.owner
    conversation_id = await in_pool(state_import_new, owner, contract(spoken))
    page = await visitors.alice.get(f"/c/{conversation_id}/raw")
    assert "<code>now</code>" in page.text
    assert "{&quot;in&quot;: &quot;&lt;b&gt;&quot;}" in page.text
    assert re.search(r"Result of the call\s*<code>c1</code>", page.text)
    told = (await visitors.alice.get(f"/c/{conversation_id}/raw.json")).json()["messages"]
    assert [one["role"] for one in told][-3:] == ["assistant", "tool", "assistant"]
    assert told[-2]["tool_call_id"] == "c1"


async def test_the_title_is_escaped(talked):
    await in_pool(conversation_rename, talked.people.access, HOSTILE)
    page = await talked.alice.get(talked.url("conversation_raw"))
    assert HOSTILE not in page.text
