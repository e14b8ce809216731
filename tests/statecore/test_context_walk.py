"""One conversation walks through the tiers 0, 1, 2, 3 and back, and its requests say so."""

from itertools import pairwise

import pytest

from statecore.context.plan import ContextPlan
from statecore.context.window import FEWEST_TURNS
from tests.statecore.builders import planned
from tests.statecore.recorded import GOAL, LARGE, MODEL, PASTED, Recorded


def texts(made: ContextPlan) -> list[str]:
    return [message.text for message in made.request.messages]


def whole(recorded: Recorded) -> list[str]:
    """Return everything that was said, as it was said."""
    return [message.text for turn in recorded.turns for message in turn.messages]


def digested(made: ContextPlan) -> set[str]:
    return {s.source_ids[0] for s in made.segments if s.decision == "digested"}


def shared(one: ContextPlan, other: ContextPlan) -> int:
    """Return how many messages two requests begin with alike."""
    pairs = zip(one.request.messages, other.request.messages, strict=False)
    return next(
        (n for n, (a, b) in enumerate(pairs) if a != b), min(len(texts(one)), len(texts(other)))
    )


@pytest.fixture(scope="module")
def grown() -> Recorded:
    """Return the conversation when it has just left tier 1."""
    recorded = Recorded()
    recorded.goes_on_until(2)
    return recorded


def test_it_begins_with_everything_word_for_word(grown):
    made = [plan for plan in grown.plans if plan.tier == 0]

    assert len(made) > 10
    for number, plan in enumerate(made):
        said = [m.text for turn in grown.turns[:number] for m in turn.messages]
        assert texts(plan)[1:-1] == said
        assert plan.rho_sent < 0.5
        assert plan.raw_tier == 0


def test_then_older_answers_and_results_are_shortened(grown):
    made = [plan for plan in grown.plans if plan.tier == 1]
    first = made[0]
    before = grown.turns[: len([plan for plan in grown.plans if plan.tier == 0])]

    users = {m.text for turn in before for m in turn.messages if m.role == "user"}
    assert users <= set(texts(first))
    recent = [m.text for turn in before[-FEWEST_TURNS:] for m in turn.messages]
    assert texts(first)[1:-1][-len(recent) :] == recent
    assert digested(first) == {
        m.id
        for turn in before[:-FEWEST_TURNS]
        for m in turn.messages
        if m.role != "user" and not m.tool_calls
    }
    assert {s.reason for s in first.segments if s.decision == "digested"} == {
        "answer_digest",
        "tool_result_digest",
    }
    assert first.judged_depth == before[-1].depth
    assert first.rho_full > first.rho_sent
    assert first.rho_sent < 0.5
    assert first.raw_tier == 1


def test_requests_of_tier_1_share_all_but_their_end_until_it_is_judged_anew(grown):
    made = [plan for plan in grown.plans if plan.tier == 1]

    judgements = {plan.judged_depth for plan in made}
    assert 1 <= len(judgements) < len(made) / 4
    for one, other in pairwise(made):
        if one.judged_depth == other.judged_depth:
            assert shared(one, other) == len(texts(one))
        assert other.rho_sent < 0.75


def test_then_whole_turns_give_way_to_the_summary(grown):
    made = grown.plans[-1]

    assert made.tier == 2
    assert made.rho_sent < 0.5
    assert not digested(made)
    assert made.dropped_turns == made.window_start_depth - 1
    kept = [m.text for turn in grown.turns[made.dropped_turns : -1] for m in turn.messages]
    assert f'Goal: "{GOAL}"' in texts(made)[1]
    assert texts(made)[2:-1] == kept
    gap = next(s for s in made.segments if s.kind == "gap")
    assert (gap.decision, gap.reason) == ("moved_to_summary", "outside_window")
    assert [tier for tier, _ in made.tried] == [0, 1, 2]


def test_the_window_then_moves_in_steps_and_settles_near_a_half():
    recorded = Recorded()
    recorded.goes_on_until(2)
    made = [recorded.goes_on() for _ in range(40)]

    assert {plan.tier for plan in made} == {2}
    starts = [plan.window_start_depth for plan in made]
    assert starts == sorted(starts)
    assert 1 < len(set(starts)) < 8
    for one, other in pairwise(made):
        if one.window_start_depth == other.window_start_depth:
            # The notes are settled and stand in front of the history.
            assert shared(one, other) == len(texts(one))
        assert other.rho_sent < 0.5


def test_a_huge_message_is_the_last_resort_and_everything_comes_back():
    recorded = Recorded()
    recorded.goes_on_until(2)
    turns = len(recorded.turns)

    huge = recorded.says(PASTED)
    after = recorded.asks("So what was decided?")

    for made, kept in ((huge, recorded.turns[-3:-1]), (after, recorded.turns[-2:])):
        assert made.tier == 3
        assert f'Goal: "{GOAL}"' in texts(made)[1]
        assert texts(made)[2:-2] == [m.text for turn in kept for m in turn.messages]
        block = texts(made)[-2]
        assert f"> {GOAL}" in block
        assert [anchor.reason for anchor in made.anchors] == ["last_intent"]
        assert [anchor.message_id for anchor in made.anchors] == ["u1"]
        assert made.rho_sent <= 1
    assert texts(huge)[-1] == PASTED

    # What was pasted is deleted: the plan is in its bound again.
    recorded.deletes(f"u{turns + 1}", PASTED)
    made = recorded.asks("So what was decided?")
    assert made.tier == 2
    assert made.anchors == ()
    assert not any(PASTED in text for text in texts(made))
    assert sum(s.kind == "message" for s in made.segments) >= 2 * FEWEST_TURNS

    # Back to a turn of tier 1: what was shortened there is shortened as it was there.
    tiers = [plan.tier for plan in recorded.plans]
    depth = len(tiers) - tiers[::-1].index(1)
    then = recorded.plans[depth - 1]
    recorded.goes_back(depth - 1)
    again = recorded.asks(f"And what about day number {depth}, please?")
    assert again.tier == 1
    assert again.request == then.request

    # A bigger window brings everything back, whatever the plan before was.
    wide = planned(recorded.state("And now?"), LARGE, previous=recorded.previous)
    assert wide.tier == 0
    assert texts(wide)[1:-1] == whole(recorded)
    assert wide == planned(recorded.state("And now?"), LARGE)


def test_a_milder_tier_comes_back_only_well_under_its_bound():
    recorded = Recorded()
    recorded.goes_on_until(1)
    made = recorded.plans[-1]
    hard = recorded.previous

    # A turn less is under the bound of tier 0, but not by five percent.
    recorded.goes_back(len(recorded.turns) - 2)
    fresh = planned(recorded.state("Thanks."), MODEL)
    damped = planned(recorded.state("Thanks."), MODEL, previous=hard)

    assert made.tier == damped.tier == 1
    assert fresh.tier == 0
