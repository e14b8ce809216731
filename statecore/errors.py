"""The error tree of the core: each error carries a code and whether retrying can help."""

from collections.abc import Sequence
from typing import Any, ClassVar


class StateCoreError(Exception):
    """Raised when a promise of the core is broken; the message is one clear sentence."""

    code: ClassVar[str] = "state_core"
    retryable: ClassVar[bool] = False


class InvalidInput(StateCoreError):
    """Raised when outside data does not fit the contract; says where and what."""

    code = "invalid_input"


class LogBroken(StateCoreError):
    """Raised when a transition chain does not verify."""

    code = "log_broken"


def first_fault(errors: Sequence[Any], *, inside: str = "") -> str:
    """Return where the first of some validation errors lies, and what it is, in one sentence.

    Args:
        errors: of pydantic.
        inside: what their places are counted in, such as `messages`; empty for the whole document.
    """
    place = place_of((inside, *errors[0]["loc"]) if inside else errors[0]["loc"])
    said = str(errors[0]["msg"]).removeprefix("Value error, ")
    said = f"{said[:1].lower()}{said[1:]}"
    return f"{place}: {said}" if place else said


def place_of(steps: Sequence[str | int]) -> str:
    """Return a place in a document for people: `turns 3 → messages 2 → role`, counted from one."""
    words: list[str] = []
    for step in steps:
        if isinstance(step, str):
            words.append(step)
        elif words:
            words[-1] += f" {step + 1}"
        else:
            words.append(f"entry {step + 1}")
    return " → ".join(words)
