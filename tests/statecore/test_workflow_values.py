"""What the text of a field says."""

from datetime import date
from decimal import Decimal

import pytest

from statecore.workflow.values import value_of


@pytest.mark.parametrize(
    ("type_", "text", "value"),
    [
        ("text", " a green jacket ", "a green jacket"),
        ("text", "  ", None),
        ("code", " 48371 ", "48371"),
        ("code", "48371 and more", None),
        ("code", "", None),
        ("number", "79.90", Decimal("79.90")),
        ("number", "-3", Decimal(-3)),
        ("number", "1,200", None),
        ("number", "1e9", None),
        ("number", "٣", None),
        ("boolean", "Yes", True),
        ("boolean", "да", True),
        ("boolean", "不是", False),
        ("boolean", "НЕТ", False),
        ("boolean", "perhaps", None),
        ("date", "2026-03-14", date(2026, 3, 14)),
        ("date", "2026/3/4", date(2026, 3, 4)),
        ("date", "14.03.2026", date(2026, 3, 14)),
        ("date", "2026年3月14日", date(2026, 3, 14)),
        ("date", "2026-02-30", None),
        ("date", "03/04/2026", None),
        ("date", "yesterday", None),
    ],
)
def test_a_text_is_read_by_the_type_of_its_field(type_, text, value):
    assert value_of(text, type_) == value


def test_a_choice_is_one_of_the_listed_words_whatever_its_case():
    assert value_of("Refund", "choice", ("refund", "exchange")) == "refund"
    assert value_of("cash", "choice", ("refund", "exchange")) is None
