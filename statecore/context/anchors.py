"""Anchors: the old messages that phrases of the input point at."""

from typing import NamedTuple

from statecore.context.selection import AnchorReason
from statecore.context.state import State
from statecore.language.pointers import Pointer
from statecore.messages import Role

MAX_ANCHORS = 3


class Anchor(NamedTuple):
    """One message that the input points at, and which part of it."""

    message_id: str
    turn_id: str
    depth: int
    role: Role
    reason: AnchorReason
    start: int
    """Where the part begins that is meant; 0 where the whole message is."""
    end: int
    """After its last character."""
    pointer_start: int
    """Where the phrase begins in the input."""
    pointer_end: int
    """After its last character."""


def anchors(state: State, shown_ids: frozenset[str]) -> tuple[Anchor, ...]:
    """Return what the input points at and a plan would not show, the surest first.

    Args:
        state: the state; its input is looked at.
        shown_ids: messages that the plan shows word for word.
    """
    return tuple(found for found in resolve(state) if found.message_id not in shown_ids)[
        :MAX_ANCHORS
    ]


def resolve(state: State) -> tuple[Anchor, ...]:  # noqa: ARG001  # the resolving follows
    """Return what the input points at, shown or not, the surest first."""
    return ()


def unsettled(state: State) -> tuple[Pointer, ...]:  # noqa: ARG001  # the resolving follows
    """Return the phrases of the input that may mean something before the loaded turns."""
    return ()
