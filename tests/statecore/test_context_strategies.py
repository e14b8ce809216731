"""The strategies that elastic compaction is compared with, on the same state."""

from dataclasses import replace

from statecore.context.plan import ContextPlan, DoesNotFit
from statecore.context.strategies import Strategy
from tests.statecore.builders import chat, entry, planned, remembered, spec, state
from tests.statecore.context_builders import RETURN, fact

FULL = Strategy("full")
SUMMARY = Strategy("summary")
KNOWN = entry("u" * 45, "rule", said_in="u1")
TURNS = chat(*[(45, 45)] * 20)


def made_by(strategy: Strategy, window=4_000, **more) -> ContextPlan | DoesNotFit:
    fields = {"memory": remembered(KNOWN)} | more
    return planned(state(TURNS, **fields), spec(window_tokens=window), strategy=strategy)


def kinds(made: ContextPlan) -> set[str]:
    return {segment.kind for segment in made.segments}


def test_full_history_is_sent_far_beyond_the_bound_of_tier_0():
    made = made_by(FULL, window=2_300)

    assert (made.strategy, made.tier, made.dropped_turns) == ("full", 0, 0)
    assert made.rho_sent > 0.9
    assert made.tried == ()


def test_full_history_that_does_not_fit_is_named():
    made = made_by(FULL, window=1_500)

    assert isinstance(made, DoesNotFit)
    assert made.largest[0] == ("history", 20 * 100)
    assert made.needed_tokens > 2_000
    assert (made.prompt_tokens, made.quality) == (made_by(FULL).prompt_tokens, "exact")


def test_full_history_that_was_not_loaded_does_not_fit():
    made = made_by(FULL, earlier_turns=4, earlier_tokens=9_000, earlier_messages=8)

    assert isinstance(made, DoesNotFit)
    assert made.largest[0] == ("history", 20 * 100 + 9_000 + 8 * 5)


def test_a_sliding_window_takes_whole_turns_up_to_so_many_messages():
    made = made_by(Strategy("sliding", last_messages=7))

    assert made.window_start_depth == 18
    assert made.dropped_turns == 17
    assert kinds(made) == {"system", "gap", "message", "input"}
    gap = next(s for s in made.segments if s.kind == "gap")
    assert gap.decision == "dropped"


def test_a_sliding_window_takes_whole_turns_up_to_so_many_tokens():
    assert made_by(Strategy("sliding", last_tokens=300)).window_start_depth == 18
    assert made_by(Strategy("sliding", last_tokens=299)).window_start_depth == 19
    assert made_by(Strategy("sliding", last_tokens=0)).dropped_turns == 20


def test_a_sliding_window_may_be_given_what_the_whole_request_has():
    most = made_by(Strategy("sliding", last_messages=7)).prompt_tokens

    assert made_by(Strategy("sliding", prompt_tokens=most)).window_start_depth == 18
    assert made_by(Strategy("sliding", prompt_tokens=most)).prompt_tokens == most
    assert made_by(Strategy("sliding", prompt_tokens=most - 1)).window_start_depth == 19


def test_a_sliding_window_without_limits_takes_what_fits():
    made = made_by(Strategy("sliding"), window=1_000)

    assert made.dropped_turns == 12
    assert made.rho_sent <= 1
    assert made_by(Strategy("sliding")).tier == 0


def test_what_a_strategy_without_memory_leaves_out_is_not_called_visible():
    made = made_by(Strategy("sliding", last_messages=4))

    assert [(found.id, found.reason) for found in made.left_out] == [(KNOWN.id, "over_limit")]
    assert made.selected == ()


def test_the_summary_alone_sends_notes_and_input():
    made = made_by(SUMMARY, facts=(fact("f1", "Likes tea."),))

    assert [m.role for m in made.request.messages] == ["system", "system", "user"]
    assert [found.id for found in made.selected] == ["f1", KNOWN.id]
    gap = next(s for s in made.segments if s.kind == "gap")
    assert (gap.decision, gap.reason) == ("moved_to_summary", "summary_only")
    assert made.dropped_turns == 20


def test_what_is_never_cut_is_sent_by_every_strategy():
    for strategy in (FULL, SUMMARY, Strategy("sliding", last_messages=2), Strategy()):
        made = made_by(strategy, workflow=RETURN)

        assert 'order_id = "48371"' in made.request.messages[-2].text


def test_elastic_is_the_one_that_is_taken_unless_told():
    assert planned(state(TURNS)).strategy == "elastic"
    assert replace(Strategy(), name="full") == FULL
