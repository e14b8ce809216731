"""A checkpoint keeps what counts most, within its bounds, and says how much it leaves out."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.state.codec import encode_path_memory
from statecore.state.fold import PathMemory, fold, path_fold
from statecore.state.hot import HISTORY, LIMIT_BYTES, LIMIT_ENTRIES, bounded
from statecore.state.operations import Add, FieldSet, Pin, Rejected, RemoveField, SetField
from tests.statecore.memory_builders import LATEST, delta, histories, learned, op, span, target


def path(*changes) -> PathMemory:
    deltas = [change for change in changes if hasattr(change, "learned")]
    operations = [change for change in changes if hasattr(change, "action")]
    whole = path_fold(deltas, operations, as_of=LATEST)
    # One deeper: what people did at the turn of a checkpoint is none of it.
    return whole.settled(whole.depth + 1, [])


def memory(kept: PathMemory):
    return fold((), (), as_of=LATEST, start=kept)


def texts(kept: PathMemory) -> set[str]:
    return {entry.text for entry in memory(kept).entries}


def one_of(kind: str, turn: int):
    return delta(turn, 100 + turn, learned(f"m{turn}:0-9", f"{kind} {turn}", kind))


KINDS = ("assumption", "fact", "task", "promise", "decision", "agreement", "goal", "rule")


def test_what_fits_is_kept_as_it_is():
    whole = path(*(one_of(kind, turn) for turn, kind in enumerate(KINDS, 1)))
    assert bounded(whole) == whole


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (1, {"rule 8"}),
        (2, {"rule 8", "goal 7"}),
        (3, {"rule 8", "goal 7", "agreement 6"}),
        (5, {"rule 8", "goal 7", "agreement 6", "decision 5", "promise 4"}),
        (7, {f"{kind} {turn}" for turn, kind in enumerate(KINDS, 1)} - {"assumption 1"}),
    ],
)
def test_entries_are_kept_by_kind(limit, expected):
    whole = path(*(one_of(kind, turn) for turn, kind in enumerate(KINDS, 1)))
    kept = bounded(whole, limit)
    assert texts(kept) == expected
    assert kept.left_out == len(KINDS) - limit
    assert bounded(kept, limit).left_out == kept.left_out


def test_the_newest_of_a_kind_are_kept():
    whole = path(*(one_of("fact", turn) for turn in range(1, LIMIT_ENTRIES + 11)))
    kept = bounded(whole)
    assert len(kept.deltas) == LIMIT_ENTRIES
    assert kept.left_out == 10
    assert min(it.depth for it in kept.deltas) == 11


def test_a_pinned_entry_comes_first_with_its_pin():
    pins = [op(900 + n, Pin(target("m1:0-9"), pinned=n % 2 == 1)) for n in range(10)]
    whole = path(one_of("assumption", 1), *(one_of("rule", turn) for turn in range(2, 9)), *pins)
    (entry,) = memory(bounded(whole, 1)).entries
    assert (entry.text, entry.pinned) == ("assumption 1", True)
    assert len(bounded(whole, 1).operations) == HISTORY


def test_an_addition_is_kept_like_any_other_entry():
    whole = path(one_of("fact", 1), op(900, Add("rule", "不要海鲜")))
    assert texts(bounded(whole, 1)) == {"不要海鲜"}
    assert texts(bounded(path(one_of("rule", 1), op(900, Add("fact", "Рим"))), 1)) == {"rule 1"}


def test_no_superseded_entry_outlives_the_one_that_took_its_place():
    chain = [
        delta(
            turn,
            100 + turn,
            learned(f"m{turn}:0-9", f"price {turn}", supersedes=[f"m{turn - 1}:0-9"]),
        )
        for turn in range(1, 9)
    ]
    for limit in range(9):
        kept = memory(bounded(path(*chain), limit))
        assert [it.text for it in kept.active()] == ["price 8"][:limit]
        assert len(kept.entries) == limit


def test_a_key_that_every_turn_sets_keeps_its_newest_values():
    turns = [
        delta(turn, 100 + turn, fields=(FieldSet("goal", f"g{turn}"),)) for turn in range(1, 40)
    ]
    acts = [op(300 + n, SetField(FieldSet("step", f"s{n}"), 1), 39) for n in range(20)]
    kept = bounded(path(*turns, *acts, op(900, RemoveField("step"), 39)))
    assert [it.fields[0].value for it in kept.deltas] == ["g36", "g37", "g38", "g39"]
    assert len(kept.operations) == HISTORY
    assert [(it.key, it.value, it.removed) for it in memory(kept).fields] == [
        ("goal", "g39", False),
        ("step", "s19", True),
    ]


def test_a_repetition_without_end_keeps_its_first_and_its_newest_sources():
    turns = [delta(turn, 100 + turn, learned(f"m{turn}:0-9", "Рим")) for turn in range(1, 40)]
    (entry,) = memory(bounded(path(*turns))).entries
    assert [it.message_id for it in entry.sources] == ["m1", "m36", "m37", "m38", "m39"]


def test_rejected_sentences_go_first():
    refusal = Rejected(span("m1:0-9"), "", "fact", "secret")
    whole = path(replace(one_of("fact", 1), rejected=(refusal,) * 50))
    kept = bounded(whole, limit_bytes=1000)
    assert len(kept.deltas[0].learned) == 1
    assert 0 < len(kept.deltas[0].rejected) < 50


def test_turns_that_are_not_settled_stay_learned():
    whole = path_fold([one_of("fact", 1), one_of("fact", 2)], (), as_of=LATEST).settled(1, [])
    kept = bounded(whole, 0)
    assert [it.turn_id for it in kept.deltas] == ["t2"]
    assert kept.is_learned("t1", 1)
    assert kept.is_learned("t2", 2)
    assert not kept.is_learned("t3", 3)


def test_the_bound_in_bytes_is_kept_and_used():
    long = "Мы договорились встретиться в Риме " * 4
    whole = path(
        *(
            delta(turn, 999 + turn, learned(f"m{turn}:0-9", f"{long} {turn}"))
            for turn in range(1, 400)
        )
    )
    kept = bounded(whole, limit_entries=400)
    assert LIMIT_BYTES * 0.9 < len(encode_path_memory(kept)) <= LIMIT_BYTES
    assert kept.left_out + len(memory(kept).entries) == 399


@given(histories(), st.integers(0, 6), st.integers(300, 3000))
def test_a_bounded_path_keeps_its_bounds_and_says_the_same_of_what_it_keeps(history, limit, size):
    whole = path_fold(history.deltas, history.operations, as_of=LATEST)
    whole = whole.settled(len(history.turns) + 1, [])
    kept = bounded(whole, limit, size)
    before, after = memory(whole), memory(kept)
    assert len(after.entries) <= limit
    assert len(encode_path_memory(kept)) <= size
    assert kept.left_out == len(before.entries) - len(after.entries)
    known = {it.id: it for it in before.entries}
    for entry in after.entries:
        assert (entry.text, entry.pinned) == (known[entry.id].text, known[entry.id].pinned)
        assert (entry.status == "superseded") == (known[entry.id].status == "superseded")
