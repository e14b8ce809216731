"""What memory gave back in a turn: words as they were then, with the reason of each."""

from typing import get_args

import pytest

from chatapp.presenters import memory_words
from chatapp.presenters.selected import present_selected, sources_of
from statecore.context.selection import Group, LeftOutReason, SelectedReason
from statecore.memory.ledger import Author, EntryKind, EntryStatus
from statecore.state.fold import Memory
from statecore.state.operations import RejectReason
from tests.web import memory_samples, samples

CONVERSATION = samples.sample_id(900)


def shown(looked, memory):
    return present_selected(looked, memory, memory_samples.places(), CONVERSATION)


def flat(codes):
    """Return the codes of a literal, or of several in one union."""
    for code in get_args(codes):
        yield from flat(code) if get_args(code) else [code]


def asked(selected, left_out=()):
    attempt = samples.attempt(1, selected=list(selected), left_out=list(left_out))
    return memory_samples.looked_at(turn=samples.turn(6, attempts=(attempt,)))


def test_what_went_back_stands_in_its_line_with_its_reason():
    context = shown(memory_samples.looked_at(), memory_samples.memory())

    lines = {
        str(group.label): [(item.text, str(item.reason)) for item in group.items]
        for group in context["groups"]
    }
    assert lines["Rules and prohibitions"] == [
        ("Prices in euros, never in dollars.", "You pinned it.")
    ]
    assert lines["Session state"] == [
        ("current_goal: A quiet weekend in Kazan for two.", "A live field that the model may see.")
    ]
    assert context["nothing"] == ""
    assert context["left_out_count"] == 3


def test_a_turn_that_was_not_read_in_time_is_named():
    turn = samples.sample_id(3)
    looked = asked([{"id": f"waiting:{turn}", "group": "waiting", "reason": "waiting"}])
    places = {**memory_samples.places(), str(turn): memory_samples.place(3)}

    context = present_selected(looked, memory_samples.memory(), places, CONVERSATION)

    assert context["groups"][0].items[0].text == "turn 3"
    assert str(turn) in set(sources_of(looked, None))


def test_what_is_not_there_any_more_says_so():
    rows = [
        {"id": name, "group": "other", "reason": "newest"}
        for name in ("nobody:0-1", "field:none", f"waiting:{samples.sample_id(77)}")
    ]

    (group,) = shown(asked(rows), memory_samples.memory())["groups"]

    assert [item.text for item in group.items] == [
        "(no longer there)",
        "(no longer there)",
        "an earlier turn",
    ]


def test_what_is_not_of_the_ledger_is_named_and_linked():
    rows = [
        {"id": "workflow:step", "group": "workflow", "reason": "workflow"},
        {"id": "contract:locale", "group": "contract", "reason": "contract"},
        {"id": "f-1", "group": "fact", "reason": "fact"},
        {"id": f"anchor:{memory_samples.message_id(2, 1)}", "group": "anchor", "reason": "link"},
        {"id": f"anchor:{memory_samples.message_id(3)}", "group": "anchor", "reason": "named"},
        {"id": "anchor:01980000-0000-7000-8000-00000000ffff", "group": "anchor", "reason": "step"},
    ]

    groups = shown(asked(rows), memory_samples.memory())["groups"]

    texts = [item.text for group in groups for item in group.items]
    assert texts == [
        "step",
        "locale",
        "a long-term fact",
        "the answer of turn 2",
        "your message of turn 3",
        "an earlier message",
    ]
    assert [len(item.sources) for item in groups[-1].items] == [1, 1, 0]


@pytest.mark.parametrize(
    ("looked", "memory", "words"),
    [
        (None, None, "Nothing was asked yet."),
        (asked([]), Memory(), "nothing was remembered yet"),
        (asked([]), memory_samples.memory(), "word for word"),
    ],
)
def test_that_nothing_went_back_is_explained(looked, memory, words):
    assert words in shown(looked, memory)["nothing"]


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (Group, memory_words.SELECTED_GROUPS),
        (SelectedReason, memory_words.SELECTED_REASONS),
        (LeftOutReason, memory_words.LEFT_OUT_REASONS),
        (RejectReason, memory_words.REJECTIONS),
        (EntryKind, memory_words.GROUPS),
        (EntryKind, memory_words.KINDS),
        (EntryStatus, memory_words.STATUSES),
        (Author, memory_words.AUTHORS),
        (Author, memory_words.SETTERS),
    ],
)
def test_every_code_of_memory_has_its_words(codes, words):
    assert set(flat(codes)) <= set(words)
    assert all(str(word) for word in words.values())
