"""Begins a turn in one go: accept, then the first attempt, so that its first token waits less."""

import logging
from dataclasses import dataclass
from uuid import UUID

from chatapp.access import Access
from chatapp.services.attempts import Prepared, attempt_prepare
from chatapp.services.outcomes import Accepted, Archived, Busy, Missing, MovedOn
from chatapp.services.turns import NewInput, turn_accept, turn_edit, turn_regenerate
from statecore.models import ModelSpec

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Begun:
    """What came of a post."""

    outcome: Accepted | MovedOn | Archived
    prepared: Prepared | None = None
    """The first attempt; None where its runner has to prepare it."""


@dataclass(frozen=True, slots=True)
class BegunVersion:
    """What came of the wish for another version of a turn."""

    outcome: Accepted | MovedOn | Missing | Busy
    prepared: Prepared | None = None
    """As of `Begun`."""


def turn_begin(access: Access, new: NewInput, *, owner: UUID, model: ModelSpec) -> Begun:
    """Accept an input, and prepare its first attempt where nobody has to be asked for that.

    Two transactions: what was accepted stays accepted, whatever becomes of the attempt.
    """
    outcome = turn_accept(access, new, owner=owner)
    return Begun(outcome, _first_attempt(outcome, owner, model))


def edit_begin(
    access: Access, turn_id: UUID, new: NewInput, *, owner: UUID, model: ModelSpec
) -> BegunVersion:
    """Accept another input in the place of that of a turn, and prepare as `turn_begin`."""
    outcome = turn_edit(access, turn_id, new, owner=owner)
    return BegunVersion(outcome, _first_attempt(outcome, owner, model))


def regenerate_begin(
    access: Access, turn_id: UUID, *, key: str, owner: UUID, model: ModelSpec
) -> BegunVersion:
    """Accept the wish for another answer of a turn, and prepare as `turn_begin`."""
    outcome = turn_regenerate(access, turn_id, key=key, model_name=model.name, owner=owner)
    return BegunVersion(outcome, _first_attempt(outcome, owner, model))


def _first_attempt(outcome: object, owner: UUID, model: ModelSpec) -> Prepared | None:
    if not isinstance(outcome, Accepted) or outcome.duplicate:
        return None
    try:
        prepared = attempt_prepare(outcome.turn_id, owner=owner, model=model, fresh={})
    except Exception:
        # The runner tries again, and knows how to end a turn that cannot be prepared.
        logger.exception("Turn %s could not be prepared with its accept", outcome.turn_id)
        return None
    return prepared if isinstance(prepared, Prepared) else None
