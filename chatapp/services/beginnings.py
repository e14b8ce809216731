"""Begins a turn in one go: accept, then the first attempt, so that its first token waits less."""

import logging
from dataclasses import dataclass
from uuid import UUID

from chatapp.access import Access
from chatapp.services.attempts import Prepared, attempt_prepare
from chatapp.services.outcomes import Accepted, Archived, MovedOn
from chatapp.services.turns import NewInput, turn_accept
from statecore.models import ModelSpec

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Begun:
    """What came of a post."""

    outcome: Accepted | MovedOn | Archived
    prepared: Prepared | None = None
    """The first attempt; None where its runner has to prepare it."""


def turn_begin(access: Access, new: NewInput, *, owner: UUID, model: ModelSpec) -> Begun:
    """Accept an input, and prepare its first attempt where nobody has to be asked for that.

    Two transactions: what was accepted stays accepted, whatever becomes of the attempt.
    """
    outcome = turn_accept(access, new, owner=owner)
    if not isinstance(outcome, Accepted) or outcome.duplicate:
        return Begun(outcome)
    try:
        prepared = attempt_prepare(outcome.turn_id, owner=owner, model=model, fresh={})
    except Exception:
        # The runner tries again, and knows how to end a turn that cannot be prepared.
        logger.exception("Turn %s could not be prepared with its accept", outcome.turn_id)
        return Begun(outcome)
    return Begun(outcome, prepared if isinstance(prepared, Prepared) else None)
