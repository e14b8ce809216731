"""What an answer was made from, in words: tool results, anchors, messages, things of no place."""

from uuid import UUID

import pytest

from chatapp.presenters.provenance import (
    LINKS_SHOWN,
    present_provenance,
    provenance_document,
    sources_of,
)
from chatapp.selectors.inspector import Place
from chatapp.selectors.provenance import Provenance
from statecore.state.fold import Memory
from tests.web import samples

CONVERSATION = samples.sample_id(900)


def message(number: int, role: str = "user", decision: str = "kept", **more):
    return {
        "kind": "message",
        "role": role,
        "source_ids": [str(samples.sample_id(number))],
        "tokens": 7,
        "quality": "exact",
        "decision": decision,
        "reason": "within_window",
    } | more


def place(number: int, role: str = "user") -> Place:
    return Place(samples.sample_id(1_000 + number), number, role)


def made(segments=(), selected=(), anchors=()) -> Provenance:
    attempt = samples.attempt(
        segments=list(segments), selected=list(selected), anchors=list(anchors), left_out=[]
    )
    turn = samples.turn(4, attempts=(attempt,))
    return Provenance(turn, attempt, Memory(entries=(), fields=()))


def places(*numbers: int) -> dict[str, Place]:
    return {str(samples.sample_id(number)): place(number) for number in numbers}


def groups(found, where=None):
    shown = present_provenance(found, where or {}, CONVERSATION)
    return {str(group.label): group.items for group in shown["groups"]}


def test_messages_are_counted_by_how_they_were_sent():
    found = made([message(1), message(2, "assistant", "digested"), message(3, decision="dropped")])
    one, other = groups(found, places(1, 2))["Messages"]
    assert (one.text, str(one.reason)) == ("1 message", "sent word for word")
    assert (other.text, str(other.reason)) == ("1 message", "sent shortened")
    assert [link.turn_id for link in one.sources] == [place(1).turn_id]


@pytest.mark.parametrize("count", [LINKS_SHOWN, LINKS_SHOWN + 1])
def test_of_many_turns_the_first_and_the_last_are_linked(count):
    found = made([message(number) for number in range(1, count + 1)])
    (line,) = groups(found, places(*range(1, count + 1)))["Messages"]
    numbers = range(1, count + 1) if count == LINKS_SHOWN else (1, count)
    assert [link.turn_id for link in line.sources] == [place(number).turn_id for number in numbers]


def test_each_tool_result_has_its_line_and_its_source():
    found = made([message(1), message(2, "tool", "digested", reason="tool_result_digest")])
    (line,) = groups(found, places(1, 2))["Tool results"]
    assert line.text == "what a tool returned, sent shortened"
    assert line.reason
    assert [link.turn_id for link in line.sources] == [place(2).turn_id]


def test_an_anchor_that_stands_in_the_window_is_listed_once():
    anchor = {"message_id": str(samples.sample_id(1)), "reason": "link"}
    beside = {"id": f"anchor:{samples.sample_id(1)}", "group": "anchor", "reason": "link"}
    for selected in ([], [beside]):
        found = made(anchors=[anchor], selected=selected)
        (line,) = groups(found, places(1))["Old messages that you point at"]
        assert (line.text, str(line.reason)) == ("your message of turn 1", "You point at a link.")
    assert str(samples.sample_id(1)) in set(sources_of(found))


def test_what_was_said_nowhere_leads_to_its_panel():
    found = made(
        selected=[
            {"id": "field:step", "group": "field", "reason": "field"},
            {"id": "op:7", "group": "rule", "reason": "added"},
            {"id": "contract:tone", "group": "contract", "reason": "contract"},
        ]
    )
    panels = [line.panel for lines in groups(found).values() for line in lines]
    assert panels == ["", "summary", "session"]


def test_a_turn_that_no_model_was_asked_for_says_so():
    found = Provenance(samples.turn(4, attempts=()), None, None)
    shown = present_provenance(found, {}, CONVERSATION)
    assert (shown["groups"], shown["has_attempt"]) == ((), False)
    assert list(sources_of(found)) == []
    assert provenance_document(found, {})["attempt"] is None


def test_the_document_holds_codes_and_ids():
    told = provenance_document(made([message(1), message(2, "tool")]), places(1))
    assert told["messages"][0] == {
        "message_ids": [str(samples.sample_id(1))],
        "role": "user",
        "decision": "kept",
        "reason": "within_window",
        "tokens": 7,
        "quality": "exact",
        "turn": str(place(1).turn_id),
        "depth": 1,
    }
    assert "turn" not in told["tool_results"][0]
    assert UUID(str(told["attempt"]))
