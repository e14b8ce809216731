"""Estimates follow what a provider reports, and stay on the safe side while they do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.language.script_tokens import estimate, script_of, tokens_by_script
from statecore.tokens import MAX_FACTOR, Count, calibrated, factors_after
from tests.statecore.counters import COUNTERS, Talk
from tests.support.scripts import KINDS, SCRIPTS

SAMPLES = SCRIPTS | KINDS


def test_only_an_estimate_is_multiplied():
    assert calibrated(Count(100, "estimated"), 1.25) == Count(125, "estimated")
    assert calibrated(Count(100, "exact"), 1.25) == Count(100, "exact")
    assert calibrated(Count(100, "reported"), 1.25) == Count(100, "reported")


def test_a_part_of_a_token_is_a_token():
    assert calibrated(Count(10, "estimated"), 1.01).tokens == 11


def test_what_was_too_low_goes_up_at_once_and_by_all_of_it():
    assert factors_after({}, {"latin": 90, "thai": 10}, 100, 150) == {"latin": 1.5, "thai": 1.5}
    assert factors_after({"latin": 1.2}, {"latin": 1}, 100, 150)["latin"] == pytest.approx(1.8)


def test_no_report_lifts_a_factor_over_its_bound():
    assert factors_after({}, {"latin": 1}, 10, 100_000) == {"latin": MAX_FACTOR}


def test_what_was_too_high_comes_down_half_of_the_way():
    assert factors_after({}, {"cjk": 100}, 100, 60) == {"cjk": pytest.approx(0.8)}


def test_it_comes_down_only_for_the_script_that_it_was():
    assert factors_after({"thai": 1.1}, {"cjk": 60, "thai": 40}, 100, 60) == {"thai": 1.1}


def test_little_is_taken_off_a_script_of_very_different_languages():
    assert factors_after({}, {"latin": 100}, 100, 20) == {"latin": 0.9}


@pytest.mark.parametrize(
    ("scripts", "planned", "reported"), [({}, 9, 9), ({"latin": 5}, 0, 9), ({"latin": 5}, 9, 0)]
)
def test_a_report_that_says_nothing_changes_nothing(scripts, planned, reported):
    assert factors_after({"latin": 1.3}, scripts, planned, reported) == {"latin": 1.3}


@pytest.mark.parametrize("name", COUNTERS)
@given(st.lists(st.sampled_from(sorted(SAMPLES)), min_size=4, max_size=24))
def test_after_three_turns_an_estimate_is_never_under_eight_tenths(name, said):
    talk = Talk(COUNTERS[name])

    figures = [talk.turn(SAMPLES[one]) for one in said]

    assert all(planned >= 0.8 * reported for planned, reported in figures[3:])


@pytest.mark.parametrize("name", COUNTERS)
@pytest.mark.parametrize("later", ["thai", "chinese", "japanese", "korean", "russian", "emoji"])
def test_another_script_in_mid_conversation_is_not_underestimated(name, later):
    talk = Talk(COUNTERS[name])
    for _ in range(6):
        talk.turn(SCRIPTS["english"])

    figures = [talk.turn(SAMPLES[later] * 4) for _ in range(6)]

    assert all(planned >= 0.8 * reported for planned, reported in figures)


@pytest.mark.parametrize("name", ["chinese", "thai", "hindi", "georgian", "russian"])
def test_a_vocabulary_that_knows_a_script_well_is_followed_down(name):
    talk = Talk(COUNTERS["o200k_base"])

    figures = [talk.turn(SCRIPTS[name]) for _ in range(8)]

    before, after = (planned / reported for planned, reported in (figures[0], figures[-1]))
    assert after < 0.85 * before


def test_a_tokenizer_far_denser_than_all_is_followed_up():
    talk = Talk(lambda text: 3 * estimate(text))

    figures = [talk.turn(SCRIPTS["english"]) for _ in range(4)]

    assert figures[0][0] < 0.5 * figures[0][1]
    assert all(planned >= 0.95 * reported for planned, reported in figures[1:])


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("english", "latin"),
        ("polish", "latin"),
        ("russian", "cyrillic"),
        ("chinese", "cjk"),
        ("japanese", "cjk"),
        ("korean", "hangul"),
        ("thai", "thai"),
        ("hindi", "indic"),
        ("arabic", "arabic"),
        ("emoji", "emoji"),
        ("digits", "latin"),
        ("python", "latin"),
    ],
)
def test_a_text_has_one_script(name, script):
    assert script_of(SAMPLES[name]) == script


def test_tokens_are_shared_out_by_the_scripts_of_whole_texts():
    long, short = SCRIPTS["english"] * 10, SCRIPTS["thai"]

    shares = tokens_by_script([long, short, ""])

    assert shares.keys() == {"latin", "thai"}
    assert shares["latin"] == pytest.approx(estimate(long), rel=0.1)
    assert shares["thai"] == pytest.approx(estimate(short), rel=0.1)
