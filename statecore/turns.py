"""The life cycle of a turn: one user input and its final answer."""

from typing import Literal

from statecore.messages import Finish

TurnStatus = Literal["running", "committed", "failed", "interrupted"]
"""running: a process owns it; committed: on the path; failed: every attempt failed;
interrupted: its process died. Stopped by the user commits too, with finish `stopped`."""

AttemptStatus = Literal["running", "succeeded", "stopped", "failed", "interrupted"]

ALLOWED: dict[TurnStatus, frozenset[TurnStatus]] = {
    "running": frozenset({"committed", "failed", "interrupted"}),
    "failed": frozenset({"running"}),
    "interrupted": frozenset({"running"}),
    "committed": frozenset(),
}
"""Legal moves; failed and interrupted move back to running by Retry, with the same turn id."""


def may_move(before: TurnStatus, after: TurnStatus) -> bool:
    """Return whether a turn may go from one status to the other."""
    return after in ALLOWED[before]


def learns_from_assistant(finish: Finish) -> bool:
    """Return whether memory may learn from the answer: not when the user stopped it."""
    return finish != "stopped"
