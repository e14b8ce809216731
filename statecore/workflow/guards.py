"""Guards: the business rules of a move, as data that code can judge and nobody can talk over."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import assert_never

from statecore.workflow.values import Value


@dataclass(frozen=True, slots=True)
class Present:
    """A field has a value, or has none."""

    field: str
    expected: bool


@dataclass(frozen=True, slots=True)
class OneOf:
    """A field has one of some values."""

    field: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """A number lies within bounds, both included; None is no bound."""

    field: str
    at_least: Decimal | None
    at_most: Decimal | None


@dataclass(frozen=True, slots=True)
class DaysAfter:
    """A date comes so many days after another, bounds included; None is no bound."""

    field: str
    since: str
    """The field with the earlier date."""
    at_least: Decimal | None
    at_most: Decimal | None


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of some tests holds."""

    tests: tuple["SimpleTest", ...]


SimpleTest = Present | OneOf | Within | DaysAfter
Test = SimpleTest | AnyOf


@dataclass(frozen=True, slots=True)
class Guard:
    """One rule of a move."""

    rule: str
    """In one sentence; it is what people read when the move is refused."""
    test: Test


def fields_of(test: Test) -> Iterator[str]:
    """Yield the keys of the fields that a test looks at."""
    if isinstance(test, AnyOf):
        for part in test.tests:
            yield from fields_of(part)
    else:
        yield test.field
        if isinstance(test, DaysAfter):
            yield test.since


def judged(test: Test, known: Mapping[str, Value]) -> bool | None:
    """Return whether a test holds; None while a value that decides it is not known.

    Args:
        test: what is asked.
        known: the values by the key of their field.
    """
    if isinstance(test, AnyOf):
        verdicts = [judged(part, known) for part in test.tests]
        return True if True in verdicts else None if None in verdicts else False
    if isinstance(test, Present):
        return (test.field in known) is test.expected
    value = known.get(test.field)
    if value is None:
        return None
    return _compared(test, value, known)


def _compared(
    test: OneOf | Within | DaysAfter, value: Value, known: Mapping[str, Value]
) -> bool | None:
    match test:
        case OneOf(values=values):
            return value in values
        case Within(at_least=least, at_most=most):
            return isinstance(value, Decimal) and _is_within(value, least, most)
        case DaysAfter(since=since, at_least=least, at_most=most):
            first = known.get(since)
            if first is None:
                return None
            if not (isinstance(first, date) and isinstance(value, date)):
                return False
            return _is_within(Decimal((value - first).days), least, most)
        case _:
            assert_never(test)


def _is_within(value: Decimal, at_least: Decimal | None, at_most: Decimal | None) -> bool:
    return (at_least is None or value >= at_least) and (at_most is None or value <= at_most)
