"""A step of compaction that would send no less than the full history is not taken."""

from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from statecore.context.plan import ContextPlan
from statecore.context.strategies import Strategy
from tests.statecore.builders import chat, entry, planned, previous_of, remembered, spec, state
from tests.statecore.context_builders import cases

ENTRIES = st.lists(
    st.tuples(st.integers(3, 120), st.sampled_from(["rule", "fact", "goal", "task"])), max_size=12
)
WITH_HISTORY = {"elastic", "sliding", "full"}


def memory_of(drawn):
    return remembered(
        *(entry("x" * size, kind, seq=n, id=f"e{n}") for n, (size, kind) in enumerate(drawn))
    )


def rules_of(number):
    return [
        entry(f"Never do thing number {n}.", "rule", seq=n, said_in="u1", quote="")
        for n in range(number)
    ]


@settings(max_examples=200)
@given(cases(), ENTRIES)
def test_no_plan_that_drops_turns_sends_more_than_the_full_history(case, drawn):
    given_state, model, strategy, previous = case
    assume(strategy.name in WITH_HISTORY and not given_state.earlier_turns)
    given_state = replace(given_state, memory=memory_of(drawn))
    made = planned(given_state, model, previous=previous, strategy=strategy)
    assume(isinstance(made, ContextPlan))

    assert made.rho_sent <= made.rho_full
    if made.dropped_turns:
        assert made.rho_sent <= 1


def test_the_full_history_is_sent_where_the_notes_would_be_larger_than_what_they_stand_for():
    rules = [
        entry(f"Never do thing number {n}.", "rule", seq=n, said_in="u1", quote="")
        for n in range(9)
    ]
    model = spec(window_tokens=1_000)
    given_state = state(chat((60, 20), *[(40, 40)] * 5), memory=remembered(*rules))

    full = planned(given_state, model, strategy=Strategy("full"))
    made = planned(given_state, model)

    assert 0.5 < full.rho_sent < 1
    assert made.tier == 0
    assert made.dropped_turns == 0
    assert made.request == full.request
    # The bound of tier 0 was still tried, and is what it is told of.
    assert made.tried[0][0] == 0
    assert made.tried[-1][0] == 2


def test_the_plan_after_it_compacts_again_as_soon_as_that_gains():
    rules = [
        entry(f"Never do thing number {n}.", "rule", seq=n, said_in="u1", quote="")
        for n in range(3)
    ]
    model = spec(window_tokens=1_000)
    first = planned(state(chat((60, 20), *[(40, 40)] * 5), memory=remembered(*rules)), model)
    longer = state(chat((60, 20), *[(40, 40)] * 8), memory=remembered(*rules))

    after = planned(longer, model, previous=previous_of(first, model))

    assert after.dropped_turns > 0
    assert after.rho_sent < after.rho_full
