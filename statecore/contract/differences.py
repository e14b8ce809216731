"""Where two states differ, for people."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from statecore.contract.hashing import canonical
from statecore.contract.places import Steps
from statecore.contract.schema import Contract
from statecore.errors import place_of

SHOWN_CHARACTERS = 60
_ABSENT = object()


def difference(one: Contract, other: Contract) -> tuple[str, ...]:
    """Return the places at which two states differ, with what stands there; none when equal."""
    return tuple(_differences((), canonical(one), canonical(other)))


def _differences(steps: Steps, one: Any, other: Any) -> Iterator[str]:  # noqa: ANN401  # JSON is what it is
    if isinstance(one, dict) and isinstance(other, dict):
        for name in dict.fromkeys((*one, *other)):
            pair = one.get(name, _ABSENT), other.get(name, _ABSENT)
            yield from _differences((*steps, name), *pair)
    elif isinstance(one, list) and isinstance(other, list):
        for number, pair in enumerate(zip_longest(one, other, fillvalue=_ABSENT)):
            yield from _differences((*steps, number), *pair)
    elif one != other:
        yield f"{place_of(steps)}: {_shown(one)} here, {_shown(other)} there"


def _shown(value: object) -> str:
    if value is _ABSENT:
        return "nothing"
    text = repr(value)
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"
