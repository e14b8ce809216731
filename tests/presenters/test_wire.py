"""The wire view: every word of a request stands there once, with where it comes from and why."""

from dataclasses import replace

import pytest

from chatapp.presenters.reasons import segment_reason
from chatapp.presenters.told import told_of, told_of_plan, wire_sources
from chatapp.presenters.wire import present_wire, wire_view
from statecore.requests import RequestMessage
from tests.statecore.builders import (
    chat,
    entry,
    planned,
    previous_of,
    remembered,
    spec,
    state,
)
from tests.web import memory_samples, samples, wire_samples

PLACES = {**memory_samples.places(), str(samples.sample_id(3)): memory_samples.place(3)}


def view(**changes):
    return wire_view(wire_samples.told(**changes), PLACES, "w")


def number_in(text):
    return int(text.removeprefix("≈ "))


def spans(message):
    return [(span.origin, span.text) for span in message.spans if span.id]


def test_the_words_of_each_message_are_whole_and_in_order():
    shown = [message for message in view().messages if message.role != "tools"]

    texts = ["".join(span.text for span in message.spans) for message in shown]
    assert texts == [message.text for message in wire_samples.messages()]


def test_each_part_of_the_notes_has_its_origin():
    notes = next(m for m in view().messages if m.label == "Notes of the application")

    assert spans(notes) == [
        ("workflow", 'step = "choose_train"'),
        ("fact", '"Lives in Казань, has a dog."'),
        ("summary", "Мы едем в Казань на выходные вдвоём."),
        ("rule", "Prices in euros, never in dollars."),
        ("summary", "The booking code is KZN-48371."),
        ("field", 'current_goal = "A quiet weekend in Kazan for two."'),
        ("anchor", "https://example.org/timetable?from=a&to=b"),
    ]


def test_contract_fields_stand_in_the_leading_message():
    first = view().messages[0]

    assert spans(first) == [("contract", "locale: ru"), ("contract", "tone: calm")]
    assert first.origin == "text"


def test_a_part_says_its_source_its_line_and_its_reason():
    notes = next(m for m in view().messages if m.label == "Notes of the application")

    rule = next(span for span in notes.spans if span.origin == "rule")
    assert (str(rule.group), str(rule.reason)) == ("Rules and prohibitions", "You pinned it.")
    assert [link.label for link in rule.sources] == ["turn 1", "turn 4"]
    anchor = next(span for span in notes.spans if span.origin == "anchor")
    assert [(link.turn_id, link.text) for link in anchor.sources] == [
        (samples.sample_id(2), anchor.text)
    ]


def test_the_phrase_that_points_back_is_marked_in_the_input():
    question = view().messages[-1]

    (pointing,) = [span for span in question.spans if span.id]
    assert (pointing.text, str(pointing.group)) == ("that link", "the answer of turn 2")
    assert str(pointing.reason) == "You point at a link."


def test_shortened_messages_say_so_and_whole_ones_do_not():
    notes = {message.note for message in view().messages if message.role == "tool"}

    assert notes == {"sent shortened"}
    assert view().messages[-1].note == ""


def test_calls_and_tools_are_shown_with_their_arguments():
    shown = view().messages

    calls = [call for message in shown for call in message.calls]
    assert [call.name for call in calls] == ["find_trains", "find_trains"]
    assert shown[1].role == "tools"
    assert "Казань" in calls[1].text


def test_the_legend_shares_out_every_token():
    legend = view().legend

    numbers = {item.origin: number_in(item.tokens) for item in legend}
    assert sum(numbers.values()) == sum(s["tokens"] for s in wire_samples.SEGMENTS) - 18_240
    assert {item.origin for item in legend if not item.tokens.startswith("≈")} == {"tool"}
    assert set(numbers) == {
        "message",
        "tool",
        "rule",
        "summary",
        "field",
        "fact",
        "anchor",
        "contract",
        "workflow",
        "text",
    }


def test_what_opens_the_answer_is_counted_with_the_text_of_the_application():
    counted = sum(s["tokens"] for s in wire_samples.SEGMENTS) - 18_240

    plain, whole = view(), view(tokens=counted + 3)

    assert (int(plain.tokens), int(whole.tokens)) == (counted, counted + 3)
    texts = [
        number_in(next(item.tokens for item in shown.legend if item.origin == "text"))
        for shown in (plain, whole)
    ]
    assert texts[1] == texts[0] + 3


def test_what_was_left_out_is_listed_with_its_reason():
    found = {(str(part.label), str(part.reason)): part.items for part in view().leftovers}

    gap = found["moved to the summary", str(segment_reason("outside_window"))]
    assert [(item.text, item.tokens) for item in gap] == [("turns 1 to 3", "18,240")]
    assert [link.label for link in gap[0].sources] == ["turn 3"]
    stale = found["sent shortened", "Stale: a newer result answers the same call."]
    assert [item.text for item in stale] == ["tool"]
    kept_out = found["not repeated in the notes", "It is paused, replaced or done."]
    assert [item.text for item in kept_out] == ["The budget is 1,200 euros."]


@pytest.mark.parametrize(
    "mark",
    [
        {"start": 5, "end": 5},
        {"start": 9, "end": 3},
        {"start": 0, "end": 10_000},
        {"message": 99},
        {"message": -1},
    ],
)
def test_a_mark_that_cannot_be_leaves_the_words_alone(mark):
    row = {"id": "rule-1", "group": "rule", "reason": "rule", "message": 5, "start": 0, "end": 4}

    notes = view(selected=[{**row, **mark}]).messages[6]

    assert [span.text for span in notes.spans] == [wire_samples.NOTES]


def test_marks_that_overlap_do_not_double_a_word():
    row = {"id": "rule-1", "group": "rule", "reason": "rule", "message": 5}
    marks = [{**row, "start": 0, "end": 9}, {**row, "start": 4, "end": 20}]

    notes = view(selected=marks).messages[6]

    assert "".join(span.text for span in notes.spans) == wire_samples.NOTES
    assert len(spans(notes)) == 1


def test_an_account_without_places_shows_the_words_all_the_same():
    old = [{"id": "rule-1", "group": "rule", "reason": "pinned"}]

    notes = view(selected=old).messages[6]

    assert [span.text for span in notes.spans] == [wire_samples.NOTES]


def test_messages_without_an_account_are_shown():
    shown = view(segments=wire_samples.SEGMENTS[:1]).messages

    assert len(shown) == len(wire_samples.messages())
    assert shown[-1].role == "user"


def test_the_roles_are_those_of_the_provider():
    roles = ("developer", *(message.role for message in wire_samples.messages()[1:]))

    assert view(roles=roles).messages[0].role == "developer"


def test_an_empty_message_has_no_part():
    messages = (RequestMessage("system", ""), *wire_samples.messages()[1:])

    assert view(messages=messages, selected=[]).messages[0].spans == ()


def test_the_sources_name_the_newest_turn_that_was_left_out_and_no_other():
    named = set(wire_sources(wire_samples.told()))

    assert str(samples.sample_id(3)) in named
    assert str(samples.sample_id(1)) not in named
    assert memory_samples.message_id(2, 1) in named


def test_an_attempt_is_told_in_the_words_of_its_provider():
    row = wire_samples.wire_row()

    told, shown = told_of(row), present_wire(row, PLACES, samples.sample_id(900))

    assert told.messages == wire_samples.messages()
    assert told.roles[0] == "system"
    assert shown["proven"] is True
    assert '"qwen2.5-coder-1.5b"' in shown["request_text"]
    assert shown["turn"].depth == 6
    assert shown["difference"] is not None


def test_settled_notes_and_those_of_the_turn_are_two_messages_with_their_own_parts():
    rule = entry("No flights.", "rule", said_in="u1")
    named = replace(entry("The harbour is closed.", said_in="u2"), pinned=True, author="user")
    turns = chat(*[(60, 60)] * 40)
    model = spec(window_tokens=4_000)
    first = planned(state(turns, memory=remembered(rule)), model)
    memory = remembered(rule, named)
    plan = planned(state(turns, memory=memory), model, previous=previous_of(first, model))

    notes = [
        message
        for message in wire_view(told_of_plan(plan, memory), {}, "w").messages
        if "Notes" in message.label or "notes" in message.label
    ]

    assert [(message.label, spans(message)) for message in notes] == [
        ("Settled notes of the application", [("rule", '"No flights."')]),
        ("Notes of the application", [("summary", '"The harbour is closed."')]),
    ]
    assert all(message.reason.endswith(".") for message in notes)
    assert notes[0].reason != notes[1].reason
