import pytest

from statecore.context.plan import NeedCounts, Planner
from statecore.context.tuning import USUAL, Tuning, tuned
from statecore.errors import InvalidInput
from tests.statecore.builders import TEMPLATE, chat, count_all, spec, state


def test_without_words_the_bounds_are_the_usual_ones():
    assert tuned([]) == USUAL == Tuning()
    assert [USUAL.bound_percent(tier) for tier in range(4)] == [50, 75, 90, 100]


def test_each_word_changes_one_bound():
    assert tuned(["tier0=0.4", "stepped = .2", "hysteresis=0"]) == Tuning(
        tier0=40, stepped=20, hysteresis=0
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tier9=0.5"], "tier9=0.5: there is no setting 'tier9'; there are tier0, tier1, tier2"),
        (["tier1"], "tier1: a share of the window is a number from 0 to 1 in hundredths"),
        (["tier1=2"], "tier1=2: a share of the window"),
        (["tier1=-0.1"], "a share of the window"),
        (["tier1=0.125"], "a share of the window"),
        (["tier1=NaN"], "a share of the window"),
        (["tier1=Infinity"], "a share of the window"),
        (["tier1=0.3"], "tier0 is 0.5 and may not be more than tier1, which is 0.3"),
        (["stepped=0.6"], "stepped is 0.6 and may not be more than settled, which is 0.5"),
    ],
)
def test_a_bound_that_makes_no_sense_is_refused_with_what_is_legal(words, sentence):
    with pytest.raises(InvalidInput) as error:
        tuned(words)
    assert sentence in str(error.value)


def tier(turns, tuning):
    planner = Planner(state(chat(*turns)), spec(), TEMPLATE, None, tuning=tuning)
    counts = {}
    while isinstance(made := planner.plan(counts), NeedCounts):
        counts |= count_all(made)
    return made.tier


def test_a_plan_keeps_to_the_bounds_that_it_is_given():
    turns = [(15, 15)] * 8
    assert tier(turns, USUAL) == 0
    assert tier(turns, tuned(["tier0=0.3"])) == 2
    longer = [(30, 30)] * 10
    assert tier(longer, USUAL) == 2
    assert tier(longer, tuned(["tier0=0.9", "tier1=0.9"])) == 0
