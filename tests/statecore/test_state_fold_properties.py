"""The fold gives what a naive replay gives, whatever the order, doubles, cuts and checkpoints."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from statecore.state.codec import decode_path_memory, encode_path_memory
from statecore.state.fold import PathMemory, fold, path_fold
from statecore.state.operations import scope_of
from tests.statecore.memory_builders import LATEST, History, histories
from tests.statecore.memory_model import NaiveMemory


def folded(history: History, as_of: int = LATEST, start: PathMemory | None = None):
    return fold(history.deltas, history.operations, as_of=as_of, start=start)


def seen(memory) -> list[tuple]:
    return sorted(
        (
            entry.id,
            entry.kind,
            entry.text,
            entry.quote,
            entry.status,
            entry.pinned,
            entry.said_seq,
            sorted(entry.sources),
        )
        for entry in memory.entries
    )


def fields(memory) -> dict:
    return {
        field.key: (None if field.removed else field.value, field.removed)
        for field in memory.fields
    }


def result(memory):
    """Return what a memory says, without what it was folded from."""
    return replace(memory, path=PathMemory())


def until(history: History, cut: int) -> History:
    return replace(
        history,
        deltas=[it for it in history.deltas if it.seq <= cut],
        operations=[it for it in history.operations if it.seq <= cut],
    )


@given(histories())
def test_the_fold_says_what_a_naive_replay_says(history):
    naive = NaiveMemory(history.deltas, history.operations)
    memory = folded(history)
    assert seen(memory) == naive.seen()
    assert fields(memory) == naive.fields


@given(histories(), st.data())
def test_order_and_doubles_do_not_matter(history, data):
    deltas = data.draw(st.permutations(history.deltas * 2))
    operations = data.draw(st.permutations(history.operations * 2))
    assert fold(deltas, operations, as_of=LATEST) == folded(history)


@given(histories(), st.integers(0, 25))
def test_what_came_later_is_not_seen(history, cut):
    assert folded(history, cut) == folded(until(history, cut), cut)
    naive = NaiveMemory(until(history, cut).deltas, until(history, cut).operations)
    assert seen(folded(history, cut)) == naive.seen()


@given(histories(), st.integers(0, 25), st.integers(0, 25))
def test_a_fold_from_an_earlier_moment_is_the_fold_of_all(history, one, other):
    cut, as_of = sorted((one, other))
    start = path_fold(history.deltas, history.operations, as_of=cut)
    assert folded(history, as_of, start) == folded(history, as_of)


@given(histories(), st.integers(0, 25), st.integers(0, 8))
def test_a_checkpoint_stands_in_for_the_turns_down_to_its_own(history, cut, depth):
    start = checkpoint(history, cut, min(depth, len(history.turns)))
    beyond = History(
        deltas=[it for it in history.deltas if it.depth > start.depth or it.seq > cut],
        operations=[
            it
            for it in history.operations
            if scope_of(it.action) == "conversation" or it.depth >= start.depth or it.seq > cut
        ],
    )
    whole = folded(history)
    for given_history in (beyond, history):
        memory = folded(given_history, start=start)
        assert result(memory) == result(whole)
        for number in range(1, len(history.turns) + 1):
            is_learned = number in history.learned_depths
            assert memory.is_learned(f"t{number}", number) == is_learned
            assert whole.is_learned(f"t{number}", number) == is_learned


def checkpoint(history: History, cut: int, depth: int) -> PathMemory:
    deltas = [it for it in history.deltas if it.depth <= depth]
    operations = [it for it in history.operations if it.depth <= depth]
    there = {it.depth for it in deltas if it.seq <= cut}
    waiting = [f"t{number}" for number in range(1, depth + 1) if number not in there]
    start = path_fold(deltas, operations, as_of=cut).settled(depth, waiting)
    return decode_path_memory(encode_path_memory(start))


@given(histories())
def test_what_is_removed_is_never_sent(history):
    memory = folded(history)
    for entry in memory.active():
        assert not any(memory.is_removed(span, "", LATEST) for span in entry.sources)
    for field in memory.fields:
        if field.setter != "user" and field.source is not None and not field.removed:
            assert not memory.is_removed(field.source, "", LATEST)


@given(histories(), st.integers(1, 22))
def test_folding_again_what_is_there_changes_nothing(history, cut):
    memory = folded(history, cut)
    again = fold(
        (*memory.path.deltas, *history.deltas),
        (*memory.operations, *history.operations),
        as_of=cut,
        start=memory.path,
    )
    assert again == memory


@given(histories())
def test_entries_stand_by_depth_and_place_under_ids_of_their_own(history):
    memory = folded(history)
    places = [(it.depth, it.sources[0].start if it.sources else -1) for it in memory.entries]
    assert places == sorted(places)
    assert len({it.id for it in memory.entries}) == len(memory.entries)
