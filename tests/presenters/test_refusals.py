"""A refusal is one sentence, and says that nothing is lost."""

import pytest

from chatapp.presenters.refusals import present_refusal


@pytest.mark.parametrize("code", ["moved_on", "model_not_ready", "draining"])
def test_whoever_typed_something_learns_that_it_is_kept(code):
    assert "Your text is kept" in str(present_refusal(code)["sentence"])


def test_a_more_exact_sentence_wins():
    assert present_refusal("invalid", "Too long.")["sentence"] == "Too long."


def test_an_unknown_code_has_a_sentence():
    assert str(present_refusal("odd")["sentence"]).endswith(".")
