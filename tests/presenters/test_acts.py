"""The last act on memory in one line, with its undo."""

import pytest

from chatapp.presenters.acts import last_act
from statecore.state.operations import (
    Add,
    Delete,
    Edit,
    FieldSet,
    Pin,
    RemoveField,
    SetField,
    Target,
    Undo,
)
from tests.web import memory_samples
from tests.web.memory_samples import NOW_MS, memory, operation

TARGET = Target("e", (), "Цены в евро.")
FIELD = SetField(FieldSet("seat", "window"), 0)


def act_of(*actions, panel="summary", now_ms=NOW_MS):
    done = tuple(operation(seq, action) for seq, action in enumerate(actions, start=1))
    return last_act(memory(operations=done), panel, now_ms)


@pytest.mark.parametrize(
    ("action", "panel", "text"),
    [
        (Edit(TARGET, "Prices in crowns."), "summary", "Changed: “Prices in crowns.”"),
        (Delete(TARGET), "summary", "Deleted: “Цены в евро.”"),
        (Pin(TARGET, pinned=True), "summary", "Pinned: “Цены в евро.”"),
        (Pin(TARGET, pinned=False), "summary", "Unpinned: “Цены в евро.”"),
        (Add("rule", "简短。"), "summary", "Added: “简短。”"),
        (FIELD, "session", "Set: seat"),
        (RemoveField("seat"), "session", "Removed: seat"),
    ],
)
def test_each_act_is_said_on_its_own_panel(action, panel, text):
    other = "session" if panel == "summary" else "summary"

    assert act_of(action, panel=panel).text == text
    assert act_of(action, panel=other) is None


def test_what_reading_again_added_is_no_act_of_a_person():
    found = Add("rule", "简短。", memory_samples.span(), "model")

    assert act_of(Delete(TARGET), found).text == "Deleted: “Цены в евро.”"
    assert act_of(found) is None
    assert act_of(found, Undo(1)).text == "Taken back: Added: “简短。”"


def test_an_undo_stands_where_the_act_stood_and_can_be_done_again():
    act = act_of(FIELD, Delete(TARGET), Undo(2), Undo(3))

    assert act.text == "Taken back: Taken back: Deleted: “Цены в евро.”"
    assert (act.seq, act.is_undo) == (4, True)
    assert act_of(FIELD, Undo(1), panel="session").text == "Taken back: Set: seat"


def test_an_undo_of_what_is_not_known_is_said_too():
    assert act_of(Undo(99)).text == "Taken back: an earlier act"


def test_after_ten_minutes_the_line_is_gone():
    assert act_of(Delete(TARGET), now_ms=NOW_MS + 600_000) is None
