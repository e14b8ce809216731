"""Tier 1: what is shortened, what is not and why, and that a look at the path keeps."""

from dataclasses import replace

import pytest

from statecore.context.plan import NeedCounts, PathTurn, Planner, Previous
from statecore.memory.ledger import Span
from statecore.messages import Message, ToolCall
from statecore.tokens import Count, CountKey
from statecore.workflow.machine import HeldValue, WorkflowState
from tests.statecore.builders import (
    TEMPLATE,
    answer,
    count_all,
    entry,
    planned,
    previous_of,
    remembered,
    removed,
    result,
    spec,
    state,
    turn,
    user,
)

MODEL = spec(window_tokens=32_000, reply_reserve_tokens=500)


def long_answer(depth: int) -> str:
    words = f"On day {depth} the weather is fine and the {depth}th harbour is open."
    more = (f"Remark {number} about day {depth} is not worth much." for number in range(40))
    return " ".join((words, *more))


def plain(depth: int, asked: str = "And then?") -> PathTurn:
    return turn(depth, user(f"u{depth}", asked), answer(f"a{depth}", long_answer(depth)))


def looked_up(depth: int, arguments: str = '{"id": 1}') -> PathTurn:
    call = ToolCall(f"c{depth}", "order", arguments)
    items = ", ".join(f'{{"sku": "B-{depth}{number}", "note": "none"}}' for number in range(40))
    return turn(
        depth,
        user(f"u{depth}", "Look it up."),
        Message(f"k{depth}", "assistant", "", 0, tool_calls=(call,)),
        result(f"r{depth}", f"c{depth}", f'{{"total": {depth}417, "items": [{items}]}}'),
        answer(f"a{depth}", "Done."),
    )


def path(*first: PathTurn, until: int = 18) -> list[PathTurn]:
    """Return these turns and plain ones after them, enough for tier 1."""
    return [*first, *(plain(depth) for depth in range(len(first) + 1, until + 1))]


def decisions(made, decision="digested") -> dict[str, str]:
    return {s.source_ids[0]: s.reason for s in made.segments if s.decision == decision}


def sent(made, message_id: str) -> str:
    parts = [s for s in made.segments if s.decision not in {"dropped", "moved_to_summary"}]
    pairs = zip(parts, made.request.messages, strict=True)
    return next(m.text for s, m in pairs if s.source_ids == (message_id,))


def test_an_answer_is_shortened_to_its_beginning_and_the_newest_five_turns_are_not():
    made = planned(state(path()), MODEL)

    assert made.tier == 1
    assert decisions(made) == {f"a{depth}": "answer_digest" for depth in range(1, 14)}
    assert sent(made, "a1").startswith("On day 1 the weather is fine")
    assert len(sent(made, "a1")) < len(long_answer(1)) / 2
    assert decisions(made, "kept") | {"input": "current_input"} == {
        **{f"u{depth}": "user_message" for depth in range(1, 14)},
        **{f"{who}{depth}": "recent_turn" for who in "ua" for depth in range(14, 19)},
        "input": "current_input",
    }


def test_a_result_keeps_its_scalars_and_counts_its_lists():
    made = planned(state(path(looked_up(1))), MODEL)

    assert decisions(made)["r1"] == "tool_result_digest"
    assert "1417" in sent(made, "r1")
    assert "B-139" not in sent(made, "r1")
    assert decisions(made, "kept")["a1"] == "nothing_gained"


def test_a_result_that_a_newer_one_replaces_says_that_it_is_stale():
    again = path(looked_up(1), looked_up(2, '{ "id":1 }'), looked_up(3, '{"id": 2}'))

    made = planned(state(again), MODEL)

    assert decisions(made)["r1"] == "tool_result_stale"
    assert sent(made, "r1").startswith(TEMPLATE.stale)
    assert decisions(made)["r2"] == decisions(made)["r3"] == "tool_result_digest"


def test_what_something_later_or_the_input_refers_to_is_whole():
    quoting = plain(4, f'You said "{long_answer(2)[:50]}", why?')
    turns = path(plain(1), plain(2), plain(3), quoting)

    made = planned(state(turns, text=f'And "{long_answer(3)[:50]}"?'), MODEL)

    assert decisions(made, "kept")["a2"] == "referred_to"
    assert decisions(made, "kept")["a3"] == "referred_to"
    assert decisions(made)["a1"] == "answer_digest"


def test_the_source_of_an_entry_is_whole():
    known = entry(long_answer(2)[:50], "promise", said_in="a2", depth=2)

    made = planned(state(path(), memory=remembered(known)), MODEL)

    assert decisions(made, "kept")["a2"] == "referred_to"


def test_the_source_of_a_value_that_the_process_holds_is_whole():
    held = HeldValue("order_id", "1417", critical=True, source=Span("r1", 10, 14))
    loose = HeldValue("mood", "calm", critical=False, source=Span("r2", 10, 14))
    workflow = WorkflowState("support_return", 1, "checking", (held, loose))
    turns = path(looked_up(1), looked_up(2, '{"id": 2}'))

    made = planned(state(turns, workflow=workflow), MODEL)

    assert decisions(made, "kept")["r1"] == "workflow_source"
    assert decisions(made)["r2"] == "tool_result_digest"


def test_a_turn_that_memory_has_not_read_is_whole():
    turns = path()
    turns[1] = replace(turns[1], is_learned=False)

    made = planned(state(turns), MODEL)

    assert decisions(made, "kept")["a2"] == "not_learned"


DRAFT = "# Report\n\n" + "\n\n".join(
    f"## Part {number}\n\nPart {number} tells what happened in month {number}, and it was a lot."
    for number in range(1, 30)
)


def drafted(depth: int, text: str, asked: str) -> PathTurn:
    return turn(depth, user(f"u{depth}", asked), answer(f"a{depth}", text))


def test_of_a_text_under_revision_the_newest_version_is_whole():
    better = DRAFT.replace("a lot", "a great deal")
    turns = path(
        drafted(1, DRAFT, "Write a report."), drafted(2, better, "Change it: no slang."), until=15
    )

    made = planned(state(turns), MODEL)

    assert made.tier == 1
    assert decisions(made)["a1"] == "older_version"
    assert decisions(made, "kept")["a2"] == "newest_version"


def test_a_newest_version_that_breaks_the_bound_is_sent_as_its_outline():
    part = " ".join(f"Event {number} was a lot of work for everybody." for number in range(60))
    long_draft = "\n\n".join(f"## Part {number}\n\n{part}" for number in range(1, 9))
    better = long_draft.replace("a lot", "a great deal")
    turns = path(
        drafted(1, long_draft, "Write a report."),
        drafted(2, better, "Change it: no slang."),
        until=8,
    )

    made = planned(state(turns), MODEL)

    assert made.tier == 1
    assert decisions(made)["a2"] == "artefact_outline"
    assert "## Part 7" in sent(made, "a2")


def test_a_look_at_the_path_keeps_while_its_plan_is_in_the_bound():
    turns = path()
    first = planned(state(turns), MODEL)

    later = planned(
        state([*turns, plain(19)], text="Fine."), MODEL, previous=previous_of(first, MODEL)
    )
    fresh = planned(state([*turns, plain(19)], text="Fine."), MODEL)

    assert (first.judged_depth, later.judged_depth, fresh.judged_depth) == (18, 18, 19)
    assert decisions(later) == decisions(first)
    assert later.request.messages[: len(first.request.messages) - 1] == first.request.messages[:-1]
    assert "a14" in decisions(fresh)


def test_what_the_input_points_at_and_finds_shortened_is_quoted_and_the_prefix_stays():
    turns = path()
    first = planned(state(turns), MODEL)
    asked = f'What did you mean by "{long_answer(3)[:50]}"?'

    later = planned(
        state([*turns, plain(19)], text=asked), MODEL, previous=previous_of(first, MODEL)
    )

    assert decisions(later)["a3"] == "answer_digest"
    assert [anchor.message_id for anchor in later.anchors] == ["a3"]
    assert f"> {long_answer(3)}" in later.request.messages[-2].text
    assert later.request.messages[:20] == first.request.messages[:20]


def test_the_look_is_the_same_whatever_was_asked_since():
    turns = path()
    asked = f'And "{long_answer(3)[:50]}"?'
    first = planned(state(turns, text=asked), MODEL)
    told = turn(19, user("input", asked), answer("a19", long_answer(19)))

    later = planned(state([*turns, told], text="Fine."), MODEL, previous=previous_of(first, MODEL))

    assert decisions(first, "kept")["a3"] == "referred_to"
    assert decisions(later, "kept")["a3"] == "referred_to"


@pytest.mark.parametrize("judged", [0, 99])
def test_a_look_at_what_is_not_on_the_path_does_not_count(judged):
    before = Previous(1, 1, MODEL.window_tokens, MODEL.tokenizer, TEMPLATE.hash, judged)

    assert planned(state(path()), MODEL, previous=before).judged_depth == 18


def test_nothing_is_shortened_where_that_saves_no_tokens():
    given_state = state(path())
    planner = Planner(given_state, MODEL, TEMPLATE, None)
    counts = {}
    while isinstance(made := planner.plan(counts), NeedCounts):
        counts |= count_all(made)
        # A tokenizer may need more tokens for a shortened text than for the whole one.
        counts |= {key: Count(99_999, "exact") for key in made.keys if key.form == "digest"}

    assert not decisions(made)


def test_the_count_of_a_digest_is_named_by_its_message():
    planner = Planner(state(path()), MODEL, TEMPLATE, None)
    first = planner.plan({})
    counts = count_all(first)
    second = planner.plan(counts)

    assert isinstance(second, NeedCounts)
    assert CountKey("a1", MODEL.tokenizer, "digest") in second.keys
    assert all(key.form == "full" for key in first.keys)


def test_a_digest_shows_nothing_that_was_deleted():
    said = long_answer(2)
    secret = said[: said.index(".") + 1]
    gone = removed("u1", secret)
    turns = path(plain(1, secret))
    turns[1] = turn(2, user("u2", "And then?"), answer("a2", said.replace("worth", secret)))

    made = planned(state(turns, memory=remembered(removed=(gone,))), MODEL)

    assert decisions(made)["a2"] == "answer_digest"
    assert not any(secret in message.text for message in made.request.messages)


def test_small_windows_pass_tier_1_over():
    made = planned(state(path(until=8)), spec(window_tokens=16_000))

    assert [tier for tier, _ in made.tried] == [0, 2]
    assert made.policy == "hybrid"
    assert not decisions(made)
