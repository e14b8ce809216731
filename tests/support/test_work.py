import re
import sys

import pytest

from tests.support.work import assert_linear, steps, steps_ratio, time_ratio

BACKTRACKS = re.compile(r"a+b")


def letters(text):
    return [letter for letter in text if letter.isalpha()]


def pairs(text):
    found = 0
    for start in range(len(text) // 8):
        for end in range(start):
            found += text[start] == text[end]
    return found


def test_work_that_grows_with_the_length_passes():
    assert_linear(letters, "a ")
    assert steps_ratio(letters, "a ") == pytest.approx(2, abs=0.1)


def test_quadratic_work_in_python_fails_by_its_steps():
    assert steps_ratio(pairs, "a ", 1_000) > 3

    with pytest.raises(AssertionError, match="times the steps"):
        assert_linear(pairs, "a ", 1_000)


def test_quadratic_work_inside_a_regular_expression_fails_by_its_growth():
    assert steps_ratio(BACKTRACKS.search, "a") < 2
    assert time_ratio(BACKTRACKS.search, "a") > 40

    with pytest.raises(AssertionError, match="times as long"):
        assert_linear(BACKTRACKS.search, "a")


def test_the_same_work_takes_the_same_steps_each_time():
    assert steps(lambda: pairs("ab" * 100)) == steps(lambda: pairs("ab" * 100)) > 100


def test_whoever_traced_before_traces_again():
    before = (sys.gettrace(), sys.getprofile())

    with pytest.raises(ZeroDivisionError):
        steps(lambda: 1 / 0)

    assert (sys.gettrace(), sys.getprofile()) == before
