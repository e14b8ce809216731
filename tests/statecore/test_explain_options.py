"""What was asked outweighs what a file says, and what nobody says has a usual value."""

import pytest

from statecore.errors import InvalidInput
from statecore.explain.options import FileModel, Options, model_of


def test_what_was_asked_outweighs_the_file():
    file = FileModel(1_000, 100, "small", "none", "user")

    asked = model_of(Options(window_tokens=2_000, reserve_tokens=50, role_style="developer"), file)
    left = model_of(Options(), file)

    assert (asked.window_tokens, asked.reply_reserve_tokens) == (2_000, 50)
    assert (asked.name, asked.tokenizer, asked.role_style) == ("small", "none", "developer")
    assert (left.window_tokens, left.reply_reserve_tokens, left.role_style) == (1_000, 100, "user")


@pytest.mark.parametrize(
    ("window_tokens", "reserve_tokens"),
    [(2, 1), (8_192, 1_024), (32_768, 4_096), (1_000_000, 4_096)],
)
def test_an_eighth_is_kept_for_the_answer_but_not_more_than_it_needs(window_tokens, reserve_tokens):
    model = model_of(Options(window_tokens=window_tokens), FileModel())

    assert model.reply_reserve_tokens == reserve_tokens


def test_a_window_has_to_be_named():
    with pytest.raises(InvalidInput, match="the file names no window"):
        model_of(Options(), FileModel())


def test_the_reserve_leaves_something_of_the_window():
    with pytest.raises(InvalidInput, match="of 900 tokens leaves nothing of a window of 900"):
        model_of(Options(window_tokens=900, reserve_tokens=900), FileModel())
