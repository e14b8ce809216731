"""Settled notes: what is chosen at a step, stays until the next one, and leaves at once."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from statecore.context.block_text import Item
from statecore.context.filling import estimate
from statecore.context.note_items import NoteItems
from statecore.context.offering import Limits
from statecore.context.plan import ContextPlan, State
from statecore.context.settled import SHARE_PERCENT, chosen_anew, settled_tokens
from statecore.context.state import Previous, previous_in
from statecore.context.state_block import block_limit_tokens
from statecore.context.strategies import Strategy
from statecore.memory.session import Expiry, Field
from statecore.templates import NoteTexts
from tests.statecore.builders import (
    answer,
    chat,
    entry,
    notes_of,
    planned,
    previous_of,
    remembered,
    spec,
    state,
    turn,
    user,
)
from tests.statecore.context_builders import cases

MODEL = spec(window_tokens=4_000, reply_reserve_tokens=100)
NOTES = NoteTexts()
TEAS = tuple(
    entry(f"Tea {number} is green.", said_in=f"u{1 + number}", seq=number) for number in range(4)
)
RULE = entry("No flights.", "rule", said_in="u5")
TURNS = 40


def talk(*entries, turns: int = TURNS, text: str = "now", **more) -> State:
    """Return a conversation whose first turns the window has lost."""
    memory = remembered(*entries, **more)
    return state(chat(*[(60, 60)] * turns), text=text, memory=memory)


def settled_of(made: ContextPlan) -> str | None:
    found = [s.reason for s in made.segments if s.kind == "state_block"]
    return notes_of(made)[0] if "settled_notes" in found else None


def current_of(made: ContextPlan) -> str | None:
    found = [s.reason for s in made.segments if s.kind == "state_block"]
    return notes_of(made)[-1] if "memory" in found else None


def following(made: ContextPlan, given_state: State, **more) -> ContextPlan:
    return planned(given_state, MODEL, previous=previous_of(made, MODEL), **more)


# What stands where.


def test_notes_of_what_the_window_lost_stand_between_prompt_and_history():
    made = planned(talk(RULE, *TEAS), MODEL)

    assert made.tier == 2
    assert [s.kind for s in made.segments[:4]] == ["system", "state_block", "gap", "message"]
    assert made.segments[1].reason == "settled_notes"
    assert made.request.messages[1].text == settled_of(made)
    assert 'Rules: "No flights."' in settled_of(made)
    assert current_of(made) is None
    assert made.settled == (RULE.id, *(one.id for one in reversed(TEAS)))
    reasons = [found.reason for found in made.selected]
    assert reasons == ["rule", *["settled"] * 4]
    assert {found.message for found in made.selected} == {1}


def test_where_all_is_shown_nothing_is_settled():
    turns = [turn(1, user("u1", "I like tea."), answer("a1", "Fine."))]
    pinned = replace(entry("I like tea.", said_in="u1"), pinned=True)

    made = planned(state(turns, memory=remembered(pinned)), MODEL)

    assert (made.tier, made.settled, settled_of(made)) == (0, (), None)
    assert '"I like tea."' in current_of(made)


def test_without_history_all_notes_are_one_block():
    made = planned(talk(RULE, *TEAS), MODEL, strategy=Strategy("summary"))

    assert settled_of(made) is None
    assert len(notes_of(made)) == 1
    assert made.request.messages[-2].text == current_of(made)


def test_a_field_that_the_window_says_is_not_said_again_beside_settled_notes():
    wish = Field("wish", "u" * 60, "rules", 1, 0, Expiry("idle", 99), RULE.sources[0])
    shown = replace(wish, source=RULE.sources[0]._replace(message_id=f"u{TURNS}"))

    lost = planned(talk(RULE, fields=(wish,)), MODEL)
    made = planned(talk(RULE, fields=(shown,)), MODEL)

    assert "wish = " in current_of(lost)
    assert current_of(made) is None
    assert ("field:wish", "visible") in made.left_out


# Until the next step.


def test_they_stay_byte_for_byte_until_the_window_makes_a_step():
    made = planned(talk(RULE, *TEAS), MODEL)
    texts = {}
    for turns in range(TURNS + 1, TURNS + 40):
        asked = f"What about tea {turns % 4}?"
        made = following(made, talk(RULE, *TEAS, turns=turns, text=asked))
        texts.setdefault(made.window_start_depth, set()).add(settled_of(made))

    assert len(texts) > 2
    assert all(len(found) == 1 for found in texts.values())


def test_what_the_input_names_comes_beside_them():
    dogs = [entry(f"Dog {n} is at home with its own red ball.", seq=50 + n) for n in range(12)]
    old = entry("The harbour is closed.", seq=1)
    made = planned(talk(*dogs, old), MODEL)
    assert old.id not in made.settled

    asked = following(made, talk(*dogs, old, text="Is the harbour closed?"))

    assert settled_of(asked) == settled_of(made)
    assert '"The harbour is closed."' in current_of(asked)
    (named,) = [found for found in asked.selected if found.id == old.id]
    assert (named.reason, named.message) == (
        "named_by_input",
        len(asked.request.messages) - 2,
    )


def test_what_is_new_and_comes_first_stands_in_front_of_the_input():
    made = planned(talk(RULE, *TEAS), MODEL)
    added = replace(entry("Call me Ann.", "rule", seq=99), author="user")

    after = following(made, talk(RULE, *TEAS, added))

    assert settled_of(after) == settled_of(made)
    assert '"Call me Ann."' in current_of(after)


def test_what_is_new_and_ranks_low_waits_for_the_next_step():
    made = planned(talk(RULE, *TEAS), MODEL)

    after = following(made, talk(RULE, *TEAS, entry("The sky is blue.", seq=99)))

    assert after.request == planned(talk(RULE, *TEAS), MODEL).request
    assert ("The sky is blue.:0-16", "over_limit") in after.left_out


# What leaves at once.


@pytest.mark.parametrize("status", ["deleted", "superseded", "resolved", "paused"])
def test_what_does_not_hold_any_more_leaves_at_once(status):
    made = planned(talk(RULE, *TEAS), MODEL)
    gone = replace(TEAS[1], status=status)

    after = following(made, talk(RULE, TEAS[0], gone, *TEAS[2:]))

    assert TEAS[1].text not in "".join(m.text for m in after.request.messages)
    assert after.settled == (RULE.id, TEAS[3].id, TEAS[2].id, TEAS[0].id)


def test_what_was_edited_is_sent_in_its_new_words_only():
    made = planned(talk(RULE, *TEAS), MODEL)
    edited = replace(TEAS[1], text="Tea 1 is black.")

    after = following(made, talk(RULE, TEAS[0], edited, *TEAS[2:]))

    sent = "".join(m.text for m in after.request.messages)
    assert TEAS[1].text not in sent
    assert sent.count('"Tea 1 is black." (corrected by the user)') == 1


def test_they_give_way_to_what_comes_first_and_finds_no_room():
    many = [entry(f"Dog {n} is at home with its own red ball.", seq=50 + n) for n in range(9)]
    made = planned(talk(*many), MODEL)
    rules = [
        replace(entry(f"Rule {n}: " + "never do this. " * 4, "rule", seq=90 + n), pinned=True)
        for n in range(3)
    ]

    after = following(made, talk(*many, *rules))

    inside = {found.id for found in after.selected}
    assert {rule.id for rule in rules} <= inside
    assert settled_of(after) != settled_of(made)
    assert rules[2].id in after.settled


# What is chosen at a step.


def items(name: str, lengths, group="rule"):
    return tuple(
        Item(f"{name}{n}", group, "rule" if group == "rule" else "newest", "x" * length)
        for n, length in enumerate(lengths)
    )


lengths = st.lists(st.integers(1, 500), max_size=6)


@given(lengths, lengths, lengths, st.integers(0, 600))
def test_nothing_of_lower_rank_takes_the_room_of_what_comes_first(first, now, rest, limit):
    offered = NoteItems(
        items("first", first), items("now", now, "field"), items("rest", rest, "other")
    )

    limits = Limits(notes_tokens=limit)
    alone = chosen_anew(replace(offered, rest=()), limits, NOTES)
    found = chosen_anew(offered, limits, NOTES)

    assert found.first_ids == alone.first_ids
    assert found.items[: len(alone.items)] == alone.items
    size = estimate("".join(item.text for item in found.items))
    assert size <= settled_tokens(limit) <= limit * SHARE_PERCENT // 100


# What a plan before hands on.


def test_a_plan_before_is_read_from_json_of_any_planner():
    old = {"tier": 2, "window_start_depth": 3, "window_tokens": 9, "tokenizer": "t"}
    old |= {"template_hash": "h", "planned_tokens": 5}

    assert previous_in(old) == Previous(2, 3, 9, "t", "h")
    assert previous_in(old | {"settled": ["a", "b"]}).settled == ("a", "b")


@pytest.mark.parametrize("change", [{"tier": 1}, {"window_start_depth": 7}, {"settled": ()}])
def test_notes_of_another_window_are_chosen_anew(change):
    made = planned(talk(*TEAS), MODEL)
    before = replace(previous_of(made, MODEL), settled=(TEAS[0].id,))

    kept = planned(talk(*TEAS), MODEL, previous=before)
    anew = planned(talk(*TEAS), MODEL, previous=replace(before, **change))

    assert kept.settled == (TEAS[0].id,)
    assert anew.settled == made.settled


# Whatever a state holds.


def ids_of(given_state: State) -> st.SearchStrategy[tuple[str, ...]]:
    known = [one.id for one in given_state.memory.entries]
    return st.permutations([*known, "gone:0-1"]).flatmap(
        lambda found: st.integers(0, len(found)).map(lambda many: tuple(found[:many]))
    )


@settings(max_examples=120)
@given(cases(), st.data())
def test_whatever_was_settled_before_the_rules_of_notes_hold(case, data):
    given_state, model, strategy, previous = case
    if previous is not None:
        previous = replace(previous, settled=data.draw(ids_of(given_state)))
    made = planned(given_state, model, previous=previous, strategy=strategy)
    assume(isinstance(made, ContextPlan))

    assert made.prompt_tokens + model.reply_reserve_tokens <= model.window_tokens
    assert made == planned(given_state, model, previous=previous, strategy=strategy)
    inside = [found.id for found in made.selected]
    assert len(inside) == len(set(inside))
    live = {one.id for one in given_state.memory.active()}
    assert set(made.settled) <= live
    entries = {one.id for one in given_state.memory.entries}
    assert set(inside) & entries <= live
    again = planned(given_state, model, previous=previous_of(made, model), strategy=strategy)
    if isinstance(again, ContextPlan) and made.settled and places(again) == places(made):
        assert settled_of(again) == settled_of(made)
        assert sum(map(len, notes_of(again))) <= sum(map(len, notes_of(made))) + block_limit_tokens(
            model
        )


def places(made: ContextPlan) -> tuple[int, int, int]:
    return made.tier, made.window_start_depth, made.judged_depth


# The last resort.


def hard(turns: int, *entries, text: str = "now") -> State:
    """Return a conversation of which not even five turns fit."""
    return state(chat(*[(390, 390)] * turns), text=text, memory=remembered(*entries))


def test_in_the_last_resort_they_stay_and_what_left_since_comes_beside_them():
    made = planned(hard(9, RULE, *TEAS), MODEL)
    left = entry("The sky is blue.", seq=99)

    after = following(made, hard(10, RULE, *TEAS, left))

    assert made.tier == after.tier == 3
    assert after.window_start_depth > made.window_start_depth
    assert settled_of(after) == settled_of(made)
    assert '"The sky is blue."' in current_of(after)


# A walk along a path.

acts = st.lists(
    st.tuples(
        st.sampled_from(["nothing", "nothing", "learn", "rule", "delete", "edit", "pin", "name"]),
        st.integers(0, 50),
    ),
    min_size=1,
    max_size=14,
)


@settings(max_examples=60)
@given(acts, st.sampled_from([1_500, 2_500, 4_000, 6_000]), st.sampled_from([60, 200]))
def test_along_a_path_they_change_only_by_a_step_or_for_a_reason(walk, window, size):
    model = spec(window_tokens=window, reply_reserve_tokens=100)
    entries = [RULE, *TEAS]
    before, held = None, None
    turns = TURNS
    for act, number in walk:
        entries, asked = acted(entries, act, number)
        turns += 1
        given_state = state(chat(*[(size, size)] * turns), text=asked, memory=remembered(*entries))
        made = planned(given_state, model, previous=before)

        assert made.prompt_tokens + model.reply_reserve_tokens <= window
        gone = [one.text for one in entries if one.status == "deleted"]
        assert not any(text in note for text in gone for note in notes_of(made))
        stays = held is not None and places(made)[: 1 if made.tier == 3 else 2] == held[0]
        if stays and held[1] and act not in {"delete", "edit", "rule", "pin"}:
            assert settled_of(made) == held[1]
        before = previous_of(made, model)
        held = places(made)[: 1 if made.tier == 3 else 2], settled_of(made)


def acted(entries, act, number):
    """Return what is remembered after an act, and the next input."""
    place = number % len(entries)
    one = entries[place]
    asked = f"Is this so: {one.text}" if act == "name" else "now"
    changes = {
        "delete": {"status": "deleted"},
        "edit": {"text": f"Corrected {number}."},
        "pin": {"pinned": True},
    }
    if act in changes and one.status == "active":
        entries = [*entries[:place], replace(one, **changes[act]), *entries[place + 1 :]]
    new = len(entries)
    if act in {"learn", "rule"}:
        kind = "rule" if act == "rule" else "fact"
        entries = [*entries, entry(f"Sentence {new} is learned.", kind, seq=100 + new)]
    return entries, asked
