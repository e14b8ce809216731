"""Rules are judged over what is known, and say so where it does not suffice."""

from datetime import date
from decimal import Decimal

import pytest

from statecore.workflow.guards import AnyOf, DaysAfter, OneOf, Present, Within, fields_of, judged

KNOWN = {
    "paid": True,
    "size": "m",
    "price": Decimal("79.90"),
    "sent": date(2026, 2, 27),
    "back": date(2026, 3, 13),
}


@pytest.mark.parametrize(
    ("test", "verdict"),
    [
        (Present("size", expected=True), True),
        (Present("size", expected=False), False),
        (Present("colour", expected=True), False),
        (Present("colour", expected=False), True),
        (OneOf("paid", (True,)), True),
        (OneOf("size", ("s", "l")), False),
        (OneOf("colour", ("red",)), None),
        (Within("price", Decimal("79.90"), None), True),
        (Within("price", None, Decimal("79.90")), True),
        (Within("price", Decimal("79.91"), None), False),
        (Within("price", None, Decimal("79.89")), False),
        (Within("size", Decimal(0), None), False),
        (Within("weight", Decimal(0), None), None),
        (DaysAfter("back", "sent", None, Decimal(14)), True),
        (DaysAfter("back", "sent", None, Decimal(13)), False),
        (DaysAfter("back", "sent", Decimal(14), None), True),
        (DaysAfter("back", "sent", Decimal(15), None), False),
        (DaysAfter("sent", "back", Decimal(0), None), False),
        (DaysAfter("back", "size", Decimal(0), None), False),
        (DaysAfter("back", "asked", Decimal(0), None), None),
        (DaysAfter("asked", "sent", Decimal(0), None), None),
    ],
)
def test_a_test_is_judged_over_the_known_values(test, verdict):
    assert judged(test, KNOWN) is verdict


@pytest.mark.parametrize(
    ("sizes", "verdict"),
    [
        ([OneOf("colour", ("red",)), OneOf("size", ("m",))], True),
        ([OneOf("colour", ("red",)), OneOf("size", ("s",))], None),
        ([OneOf("paid", (False,)), OneOf("size", ("s",))], False),
    ],
)
def test_one_of_several_tests_is_enough_and_an_unknown_one_leaves_it_open(sizes, verdict):
    assert judged(AnyOf(tuple(sizes)), KNOWN) is verdict


def test_a_test_names_all_fields_that_it_looks_at():
    test = AnyOf((DaysAfter("back", "sent", None, None), Present("size", expected=True)))

    assert list(fields_of(test)) == ["back", "sent", "size"]
