"""The moments that a contract names."""

from collections.abc import Iterator
from typing import NamedTuple

from statecore.contract.places import Steps, wrong
from statecore.contract.schema import LARGEST, Contract
from statecore.state.operations import FieldSet, SetField


class Named(NamedTuple):
    """One number of a contract."""

    place: Steps
    number: int


def moments(contract: Contract) -> Iterator[Named]:
    """Yield all times at which something was said or done, in milliseconds since the epoch."""
    if contract.system is not None:
        yield Named(("system", "created_ms"), contract.system.created_ms)
    for number, turn in enumerate(contract.turns):
        place: Steps = ("turns", number)
        for name in ("accepted_ms", "committed_ms", "branch_ms"):
            if (found := getattr(turn, name)) is not None:
                yield Named((*place, name), found)
        for index, message in enumerate(turn.messages):
            yield Named((*place, "messages", index, "created_ms"), message.created_ms)
    for number, act in enumerate(contract.memory.acts()):
        place = ("memory", "operations", number)
        yield Named((*place, "created_ms"), act.created_ms)
        if isinstance(act.action, SetField):
            yield Named((*place, "action", "set_field", "branch_ms"), act.action.branch_ms)
    for number, fact in enumerate(contract.facts):
        yield Named(("facts", number, "created_ms"), fact.created_ms)
        yield Named(("facts", number, "last_confirmed_ms"), fact.last_confirmed_ms)


def check_numbers(contract: Contract) -> None:
    """Let a contract pass whose times and durations are numbers that can be kept.

    Raises:
        InvalidInput: naming the first that is none.
    """
    for place, number in (*moments(contract), *_durations(contract)):
        if not 0 <= number <= LARGEST:
            raise wrong(place, f"is {number}, which is no number of milliseconds")


def _durations(contract: Contract) -> Iterator[Named]:
    """Yield how long session fields last."""
    for number, delta in enumerate(contract.memory.deltas):
        for index, field in enumerate(delta.fields):
            yield _expiry(("memory", "deltas", number, "fields", index), field)
    for number, act in enumerate(contract.memory.acts()):
        if isinstance(act.action, SetField):
            place = ("memory", "operations", number, "action", "set_field", "field")
            yield _expiry(place, act.action.field)


def _expiry(place: Steps, field: FieldSet) -> Named:
    return Named((*place, "expiry", "after_ms"), field.expiry.after_ms)
