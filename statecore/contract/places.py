"""Where in a document something is wrong, in words."""

from collections.abc import Iterable

from pydantic import ValidationError

from statecore.errors import InvalidInput

Steps = tuple[int | str, ...]
"""The way to a part of a document: names of fields, and indices from 0."""


def place(steps: Iterable[int | str]) -> str:
    """Return a place as people count: "turns 3 → messages 2 → role".

    Args:
        steps: names of fields, and indices from 0.
    """
    words: list[str] = []
    for step in steps:
        if isinstance(step, str):
            words.append(step)
        elif words:
            words[-1] += f" {step + 1}"
        else:
            words.append(str(step + 1))
    return " → ".join(words)


def wrong(steps: Iterable[int | str], sentence: str) -> InvalidInput:
    """Return the error that something is wrong at a place."""
    where = place(steps)
    return InvalidInput(f"{where}: {sentence}" if where else sentence)


def first_wrong(error: ValidationError, before: Iterable[int | str] = ()) -> InvalidInput:
    """Return the first error of a validation.

    Args:
        error: what pydantic found.
        before: steps to the part that was validated.
    """
    found = error.errors(include_url=False, include_input=False, include_context=False)[0]
    said = found["msg"].removeprefix("Value error, ")
    return wrong((*before, *found["loc"]), said[:1].lower() + said[1:])
