"""Rows of turns: moved by conditional updates, with counts and features of their messages."""

import pytest

from chatapp.ids import new_id
from chatapp.models import Feature, Message, TokenCount, Turn
from chatapp.services.commits import turn_interrupt
from chatapp.store import turns
from chatapp.store.turns import FeatureHeads
from statecore.messages import Message as CoreMessage
from statecore.tokens import Count, CountKey
from tests.support.people import accept, new_process, say

pytestmark = pytest.mark.django_db

LINK = "see https://example.invalid/a"


def message(text):
    return CoreMessage(str(new_id()), "user", text, 0)


def test_features_of_a_kind_are_numbered_and_linked_along_the_path():
    heads = FeatureHeads({})

    first = heads.link(message(f"{LINK} and https://example.invalid/b"))
    second = heads.link(message(LINK))

    links = [row for row in [*first, *second] if row.kind == "link"]
    assert [row.ordinal for row in links] == [1, 2, 3]
    assert [row.previous_id for row in links] == [None, links[0].id, links[1].id]
    assert heads.heads["link"] == [str(links[2].id), 3]


def test_a_message_without_features_moves_no_head():
    heads = FeatureHeads({"link": [str(new_id()), 4]})

    assert heads.link(message("Hi")) == []
    assert heads.heads["link"][1] == 4


def test_heads_go_on_from_turn_to_turn(cast):
    process = new_process()
    say(cast.access, LINK, f"or {LINK}", process)
    turn_id = say(cast.access, LINK, "yes", process)

    rows = Feature.objects.filter(kind="link").order_by("ordinal")
    assert [row.ordinal for row in rows] == [1, 2, 3]
    assert rows[2].previous_id == rows[1].id
    assert Turn.objects.get(pk=turn_id).feature_heads["link"] == [str(rows[2].id), 3]
    texts = {row.ordinal: row for row in rows}
    assert LINK[texts[1].start : texts[1].end] == "https://example.invalid/a"


def test_a_count_that_is_there_stays(cast):
    turn_id = accept(cast.access, "Hi", new_process()).turn_id
    message_id = Message.objects.get(turn=turn_id).id

    turns.insert_counts(
        {
            CountKey(str(message_id), "o200k_base"): Count(99, "estimated"),
            CountKey(str(message_id), "cl100k_base"): Count(1, "exact"),
        }
    )

    rows = TokenCount.objects.filter(message=message_id)
    assert {(row.tokenizer, row.tokens) for row in rows} == {("o200k_base", 1), ("cl100k_base", 1)}


def test_only_a_broken_turn_is_taken_over(cast):
    process, other = new_process(), new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    assert not turns.take_over(turn_id, other, "second")

    turns.request_stop(turn_id)
    turn_interrupt(turn_id, owner=process)

    assert turns.take_over(turn_id, other, "second")
    turn = Turn.objects.get(pk=turn_id)
    assert (turn.status, turn.owner_id, turn.model_name) == ("running", other, "second")
    assert (turn.reason, turn.stop_requested) == ("", False)


def test_a_committed_turn_is_never_moved_again(cast):
    process = new_process()
    turn_id = say(cast.access, "Hi", "Hello.", process)

    assert not turns.take_over(turn_id, process, "second")
    assert not turns.request_stop(turn_id)
    assert not turns.break_off(turn_id, None, status="failed", reason="late")
    assert not turns.break_off(turn_id, process, status="failed", reason="late")
    assert Turn.objects.get(pk=turn_id).status == "committed"


def test_only_the_owner_breaks_a_turn_off(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id

    assert not turns.break_off(turn_id, new_process(), status="failed", reason="network")
    assert turns.break_off(turn_id, process, status="failed", reason="network")
    turn = Turn.objects.get(pk=turn_id)
    assert (turn.status, turn.reason, turn.owner_id) == ("failed", "network", None)
