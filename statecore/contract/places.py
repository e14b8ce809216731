"""Errors that say where in a contract something is wrong."""

from pydantic import ValidationError

from statecore.errors import InvalidInput, first_fault, place_of

Steps = tuple[int | str, ...]
"""The way to a part of a document: names of fields, and indices from 0."""


class WrongAt(InvalidInput):
    """Raised when something is wrong at a place that is known step by step."""

    def __init__(self, steps: Steps, sentence: str) -> None:
        super().__init__(f"{place_of(steps)}: {sentence}" if steps else sentence)
        self.steps = steps
        self.sentence = sentence


def wrong(steps: Steps, sentence: str) -> WrongAt:
    """Return the error that something is wrong at a place."""
    return WrongAt(steps, sentence)


def first_wrong(error: ValidationError) -> WrongAt:
    """Return the first error of a validation, with its place."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return WrongAt(first["loc"], first_fault([{"loc": (), "msg": first["msg"]}]))
