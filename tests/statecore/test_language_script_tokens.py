"""An estimate for an unknown tokenizer is rather too high than too low, in every script."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.llm.tokenizers import encoding
from statecore.language.script_tokens import estimate
from tests.support.scripts import KINDS, SCRIPTS
from tests.support.work import assert_linear

SAMPLES = SCRIPTS | KINDS
PIECES = [piece for text in SAMPLES.values() for piece in re.findall(r".{30,60}", text)]
KNOWN = ("o200k_base", "cl100k_base")


def real(text: str, tokenizer: str) -> int:
    return len(encoding(tokenizer).encode(text, disallowed_special=()))


@pytest.mark.parametrize("tokenizer", KNOWN)
@pytest.mark.parametrize("name", SAMPLES)
def test_it_is_never_under_eight_tenths(name, tokenizer):
    assert estimate(SAMPLES[name]) >= 0.8 * real(SAMPLES[name], tokenizer)


@pytest.mark.parametrize("name", SAMPLES)
def test_it_is_near_the_larger_of_two_known_counts(name):
    largest = max(real(SAMPLES[name], tokenizer) for tokenizer in KNOWN)

    assert estimate(SAMPLES[name]) <= 1.7 * largest


@pytest.mark.parametrize(("one", "other"), [("english", "thai"), ("emoji", "chinese")])
def test_a_text_in_two_scripts_is_counted_as_both(one, other):
    text = SAMPLES[one] + "\n" + SAMPLES[other]

    assert estimate(text) == pytest.approx(estimate(SAMPLES[one]) + estimate(SAMPLES[other]), 0.05)


def test_english_is_told_from_a_language_whose_words_take_more():
    english, finnish = SCRIPTS["english"], SCRIPTS["finnish"]

    assert estimate(english) / len(english) < 0.7 * estimate(finnish) / len(finnish)


def test_nothing_has_no_tokens():
    assert estimate("") == 0


@given(st.text(min_size=1))
def test_any_text_has_a_token(text):
    assert estimate(text) >= 1


@given(st.lists(st.sampled_from(PIECES), min_size=2, max_size=12, unique=True))
def test_it_is_never_under_eight_tenths_of_a_text_in_many_scripts(pieces):
    text = "\n".join(pieces)

    assert estimate(text) >= 0.8 * real(text, "cl100k_base")


@given(st.sampled_from(sorted(SAMPLES)), st.sampled_from(sorted(SAMPLES)))
def test_more_text_has_no_fewer_tokens(one, other):
    assert estimate(SAMPLES[one] + SAMPLES[other]) >= estimate(SAMPLES[other])


@pytest.mark.parametrize("unit", [" ", "a", "aB", "1", "。", "ก", "😀", "\n", "- ", "中 a1\n"])
def test_work_grows_with_the_length_and_no_faster(unit):
    assert_linear(estimate, unit)
