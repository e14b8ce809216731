"""Turns that were not loaded weigh what their sums say, in the tokens of the model."""

from statecore.context.plan import ContextPlan
from tests.statecore.builders import chat, planned, spec, state

TURNS = chat(*[(45, 45)] * 8, first_depth=41)
"""Eight turns of 100 tokens, 90 of them of texts."""


def gap_of(**more) -> tuple[int, str]:
    given = state(TURNS, earlier_turns=40, earlier_tokens=4_000, earlier_messages=80, **more)
    made = planned(given, spec(window_tokens=4_000))
    assert isinstance(made, ContextPlan)
    (gap,) = [part for part in made.segments if part.kind == "gap"]
    assert gap.source_ids == ()
    return gap.tokens, gap.quality


def test_sums_in_the_model_s_own_tokens_are_exact():
    assert gap_of(earlier_quality="exact", turns_reference_tokens=100) == (4_400, "exact")


def test_other_sums_are_put_into_them_by_what_the_loaded_turns_have_in_both():
    assert gap_of(turns_reference_tokens=360) == (8_400, "estimated")
    assert gap_of(turns_reference_tokens=1_440) == (2_400, "estimated")


def test_sums_of_which_nothing_is_known_are_taken_as_they_are():
    assert gap_of() == (4_400, "estimated")
