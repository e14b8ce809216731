"""Numbers as people read them."""

import pytest

from chatapp.presenters import units


@pytest.mark.parametrize(
    ("count", "quality", "shown"),
    [(7, "", "7"), (12_345, "exact", "12,345"), (900, "estimated", "≈ 900")],
)
def test_tokens_are_grouped_and_an_estimate_says_so(count, quality, shown):
    assert units.tokens(count, quality) == shown


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [
        (0, "0 ms"),
        (999, "999 ms"),
        (1_000, "1.0 s"),
        (9_440, "9.4 s"),
        (25_400, "25 s"),
        (61_000, "1 min 1 s"),
    ],
)
def test_a_duration_has_only_the_digits_that_matter(milliseconds, shown):
    assert units.duration(milliseconds) == shown


@pytest.mark.parametrize(
    ("share", "shown"), [(0.0, "0 %"), (0.004, "under 1 %"), (0.52, "52 %"), (1.2, "120 %")]
)
def test_a_share_is_a_percentage_and_little_is_not_nothing(share, shown):
    assert units.percent(share) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [("short", "short"), ("two\n  lines", "two lines"), ("abcdefghij", "abcdefgh…")],
)
def test_an_excerpt_is_one_short_line(text, shown):
    assert units.excerpt(text, characters=9) == shown
