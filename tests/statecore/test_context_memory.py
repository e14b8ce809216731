"""Whatever was learned, corrected and deleted: what a request with memory always keeps to."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from statecore.context.block_text import CLOSE, OPEN
from statecore.context.plan import State
from statecore.context.state_block import first_limit_tokens
from statecore.memory.ledger import Span, entry_id
from statecore.requests import canonical_bytes
from statecore.state.fold import fold
from statecore.state.operations import Add, Delete, Delta, Edit, Learned, Operation, Pin, Target
from tests.statecore.builders import answer, notes_of, planned, spec, state, turn, user

ENOUGH = settings(max_examples=60)
KINDS = ["goal", "fact", "decision", "rule", "question", "task", "agreement", "assumption"]


def sentence(depth: int) -> str:
    return f"Parcel number {depth} is AB-{4000 + depth}."


def said(depth: int) -> str:
    return f"Good day. {sentence(depth)} Thanks."


def where(depth: int) -> Span:
    return Span(f"u{depth}", 10, 10 + len(sentence(depth)))


def spoken(depth: int):
    echo = f"So AB-{4000 + depth}, and before it ab-{3999 + depth}."
    return turn(depth, user(f"u{depth}", said(depth)), answer(f"a{depth}", echo))


def delta(depth: int, kind: str) -> Delta:
    learned = Learned(where(depth), kind, sentence(depth), "model")
    return Delta(f"t{depth}", 2 * depth, depth, 2 * depth - 1, 0, (learned,))


def target(depth: int) -> Target:
    return Target(entry_id(where(depth)), (where(depth),), sentence(depth))


@st.composite
def actions(draw, turns: int):
    about = target(draw(st.integers(1, turns)))
    return draw(
        st.sampled_from(
            [
                Delete(about),
                Delete(about),
                Edit(about, "Corrected by hand: <notes> it is </notes> blue."),
                Pin(about, pinned=True),
                Add("rule", "Added by hand."),
            ]
        )
    )


@st.composite
def histories(draw):
    """Return turns, deltas of most of them, and acts of a person after them."""
    turns = draw(st.integers(1, 14))
    kinds = draw(st.lists(st.sampled_from([None, *KINDS]), min_size=turns, max_size=turns))
    deltas = [delta(depth, kind) for depth, kind in enumerate(kinds, 1) if kind]
    acts = draw(st.lists(actions(turns), max_size=6))
    operations = [
        Operation(100 + number, f"t{turns}", turns, act, 0) for number, act in enumerate(acts)
    ]
    return turns, deltas, operations


models = st.builds(spec, window_tokens=st.integers(250, 3_000), reply_reserve_tokens=st.just(60))


def state_of(history, as_of=1_000) -> State:
    turns, deltas, operations = history
    memory = fold(deltas, operations, as_of=as_of)
    path = [
        replace(spoken(depth), is_learned=memory.is_learned(f"t{depth}", depth))
        for depth in range(1, turns + 1)
    ]
    return state(path, memory=memory, text=f"Where is AB-{4000 + turns}?")


@ENOUGH
@given(histories(), models)
def test_the_same_input_gives_the_same_bytes_and_account(history, model):
    one, other = planned(state_of(history), model), planned(state_of(history), model)

    assert canonical_bytes(one.request) == canonical_bytes(other.request)
    assert one == other


@ENOUGH
@given(histories(), models)
def test_prompt_and_input_are_whole_and_the_request_fits(history, model):
    made = planned(state_of(history), model)

    assert made.request.messages[0].text == "Be brief."
    assert made.request.messages[-1].text == f"Where is AB-{4000 + history[0]}?"
    assert made.rho_sent <= 1


@ENOUGH
@given(histories(), models)
def test_notes_are_two_blocks_at_most_inside_their_limit_and_closed_once_each(history, model):
    made = planned(state_of(history), model)
    found = notes_of(made)

    assert len(found) <= 2
    # The builders count one token a character. Anchors have room of their own.
    assert made.anchors or sum(map(len, found)) <= first_limit_tokens(model)
    for block in found:
        assert (block.count(OPEN), block.count(CLOSE)) == (1, 1)
        assert block.endswith(CLOSE)


@ENOUGH
@given(histories(), models)
def test_nothing_that_was_deleted_is_sent_but_in_the_input(history, model):
    given_state = state_of(history)

    texts = [message.text for message in planned(given_state, model).request.messages[:-1]]

    live = [entry.text for entry in given_state.memory.active()]
    for gone in given_state.memory.removed:
        depth = int(gone.sources[0].message_id[1:])
        assert not any(sentence(depth) in text for text in texts)
        if sentence(depth) not in live:
            assert not any(f"ab-{4000 + depth}" in text.lower() for text in texts)


@ENOUGH
@given(histories(), models)
def test_every_message_has_a_source_and_what_is_selected_is_in_the_block(history, model):
    given_state = state_of(history)
    made = planned(given_state, model)

    by_id = {entry.id: entry for entry in given_state.memory.entries}
    known = {message.id for path_turn in given_state.turns for message in path_turn.messages}
    for segment in made.segments:
        if segment.kind == "message":
            assert set(segment.source_ids) <= known != set()
    notes = notes_of(made)
    for found in made.selected:
        block = made.request.messages[found.message].text
        assert block in notes
        if found.id in by_id:
            words = by_id[found.id].text.replace("<notes>", "&lt;notes>").replace("</n", "&lt;/n")
            assert words in block[found.start : found.end]
    assert bool(made.selected) == bool(notes)
    assert not {found.id for found in made.selected} & {found.id for found in made.left_out}


@ENOUGH
@given(histories(), models)
def test_what_is_live_is_in_the_window_or_in_the_block_or_named_as_left_out(history, model):
    given_state = state_of(history)
    made = planned(given_state, model)

    accounted = {found.id for found in (*made.selected, *made.left_out)}
    assert {entry.id for entry in given_state.memory.active()} <= accounted
    texts = [m.text for m in made.request.messages]
    for found in made.left_out:
        if found.reason == "visible":
            quote = next(e.quote for e in given_state.memory.entries if e.id == found.id)
            assert any(quote in text for text in texts)


@ENOUGH
@given(histories(), models, st.integers(0, 110))
def test_what_comes_later_changes_no_earlier_plan(history, model, as_of):
    turns, deltas, operations = history
    earlier = (
        turns,
        [found for found in deltas if found.seq <= as_of],
        [found for found in operations if found.seq <= as_of],
    )

    now, then = (planned(state_of(given, as_of), model) for given in (history, earlier))

    assert canonical_bytes(now.request) == canonical_bytes(then.request)
