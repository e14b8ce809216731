"""Errors that say where in a contract something is wrong."""

from pydantic import ValidationError

from statecore.errors import InvalidInput, first_fault, place_of

Steps = tuple[int | str, ...]
"""The way to a part of a document: names of fields, and indices from 0."""


def wrong(steps: Steps, sentence: str) -> InvalidInput:
    """Return the error that something is wrong at a place."""
    return InvalidInput(f"{place_of(steps)}: {sentence}")


def first_wrong(error: ValidationError) -> InvalidInput:
    """Return the first error of a validation, with its place."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    return InvalidInput(first_fault(found))
