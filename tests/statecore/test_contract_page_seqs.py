"""Turns of a page stand where they must have stood among the seqs that it tells."""

import json

from hypothesis import given
from hypothesis import strategies as st

from statecore.contract.page_form import Page
from statecore.contract.page_seqs import TurnSeqs, turn_seqs


def page(turns, deltas=(), operations=(), entries=()):
    """Return a page of turns, with (depth, seq) of what was learned, done and said."""
    document = {
        "schema": "glassbox.page.2",
        "id": "c",
        "title": None,
        "model_name": "m",
        "older_before": None,
        "turns": [_turn(depth) for depth in range(1, turns + 1)],
        "memory": {
            "as_of": 99,
            "entries": [_entry(depth, seq) for depth, seq in entries],
            "fields": [],
            "rejected": [],
            "operations": [
                {"seq": seq, "turn": f"t{depth}", "kind": "pin", "action": {}}
                for depth, seq in operations
            ],
            "deltas": [
                {"turn": f"t{depth}", "seq": seq, "model": "", "note": ""} for depth, seq in deltas
            ],
        },
    }
    return Page.model_validate_json(json.dumps(document))


def _turn(depth):
    return {
        "id": f"t{depth}",
        "parent_id": None,
        "depth": depth,
        "status": "committed",
        "finish": "complete",
        "model_name": "m",
        "accepted_ms": 0,
        "committed_ms": 0,
        "input_text": "",
        "answer_text": "",
        "attempts": [],
        "seen": True,
    }


def _entry(depth, said_seq):
    return {
        "id": f"m{depth}:0-1",
        "kind": "fact",
        "text": "x",
        "quote": "x",
        "sources": [[f"m{depth}", 0, 1]],
        "author": "rules",
        "seq": 0,
        "said_seq": said_seq,
        "depth": depth,
        "superseded_by": None,
        "is_foreseen": False,
    }


def found(shown):
    return turn_seqs(shown, shown.turns)


def test_turns_of_which_nothing_is_told_follow_each_other():
    assert found(page(2)) == [TurnSeqs(1, 2), TurnSeqs(3, 4)]


def test_what_is_told_is_kept():
    assert found(page(2, deltas=[(1, 4)], entries=[(1, 2), (2, 7)])) == [
        TurnSeqs(2, 3),
        TurnSeqs(7, 8),
    ]


def test_a_turn_comes_after_what_was_done_before_it():
    assert found(page(2, operations=[(1, 9)])) == [TurnSeqs(1, 2), TurnSeqs(10, 11)]


def test_what_was_done_while_an_answer_was_written_leaves_room_before_it():
    shown = page(2, deltas=[(2, 8)], operations=[(1, 6)])
    assert found(shown) == [TurnSeqs(1, 2), TurnSeqs(5, 7)]


@given(st.lists(st.sampled_from("abbdo"), max_size=40), st.data())
def test_there_is_always_room(steps, data):
    """Draw what really happened, tell the page a part of it, and look for a place for the rest."""
    said, committed, deltas, operations = {}, 0, [], []
    for seq, step in enumerate(steps, start=1):
        waiting = {*range(1, committed + 1)} - {depth for depth, _ in deltas}
        if step == "a" and len(said) == committed:
            said[committed + 1] = seq
        elif step == "b" and len(said) > committed:
            committed += 1
        elif step == "d" and waiting:
            deltas.append((data.draw(st.sampled_from(sorted(waiting))), seq))
        elif step == "o" and committed:
            operations.append((committed, seq))
    told = data.draw(st.sets(st.sampled_from(range(1, committed + 1)))) if committed else set()
    entries = [(depth, said[depth]) for depth in sorted(told)]
    places = found(page(committed, deltas, operations, entries))
    order = [one for place in places for one in place]
    assert order == sorted(set(order))
    assert {one for _, one in (*deltas, *operations)}.isdisjoint(order)
    assert all(places[depth - 1].committed < one for depth, one in deltas)
    assert all(places[depth - 1].accepted == said[depth] for depth in told)
