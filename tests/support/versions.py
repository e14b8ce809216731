"""Other versions of what was said, made and answered through the services."""

from uuid import UUID

from chatapp.access import Access
from chatapp.ids import new_id
from chatapp.models import Turn
from chatapp.services.branching import branch_fork
from chatapp.services.commits import turn_commit
from chatapp.services.outcomes import Accepted, Forked
from chatapp.services.turns import NewInput, turn_accept, turn_edit, turn_regenerate
from chatapp.store.branches import viewed_branch
from tests.support.people import MODEL, answered, prepare


def on(access: Access, branch_id: UUID) -> Access:
    """Return a conversation as a page of a branch sees it."""
    return Access(access.owner, access.conversation, branch_id)


def draft(access: Access, text: str) -> NewInput:
    """Return an input typed on the branch that is looked at."""
    branch = viewed_branch(access)
    return NewInput(text, new_id().hex, branch.id, branch.version, MODEL.name)


def answer(accepted: object, text: str, process: UUID) -> Turn:
    """Answer a turn that must have been accepted."""
    assert isinstance(accepted, Accepted)
    prepared = prepare(accepted.turn_id, process)
    done = turn_commit(
        accepted.turn_id, prepared.attempt_id, answered(text), owner=process, model=MODEL
    )
    assert done
    return Turn.objects.get(pk=accepted.turn_id)


def talk(access: Access, text: str, process: UUID) -> Turn:
    """Take a whole turn on the branch that is looked at."""
    accepted = turn_accept(access, draft(access, text), owner=process)
    return answer(accepted, f"Answer to {text}", process)


def edit(access: Access, turn: Turn, text: str, process: UUID) -> Turn:
    """Say something else in the place of a turn."""
    return answer(
        turn_edit(access, turn.id, draft(access, text), owner=process), f"Answer to {text}", process
    )


def regenerate(access: Access, turn: Turn, text: str, process: UUID) -> Turn:
    """Have a turn answered otherwise."""
    key = new_id().hex
    accepted = turn_regenerate(access, turn.id, key=key, model_name=MODEL.name, owner=process)
    return answer(accepted, text, process)


def fork(access: Access, turn: Turn, name: str) -> UUID:
    """Make a named branch after a turn and return it."""
    forked = branch_fork(access, turn.id, name)
    assert isinstance(forked, Forked)
    return forked.branch_id
