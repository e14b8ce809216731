"""Reads the turn that a branch is waiting for, as far as it has come."""

from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import Attempt, Turn
from chatapp.store import partials, paths
from statecore.context.state import PathTurn
from statecore.messages import Message


def read_running(branch_id: UUID, parent_id: UUID | None, keys: SpaceKeys) -> PathTurn | None:
    """Return the running turn of a branch with what was written of its answer.

    Args:
        branch_id: the branch.
        parent_id: the newest committed turn, after which it has to come.
        keys: of the owner.

    Returns:
        None where no answer is being written there.
    """
    rows = Turn.objects.filter(branch=branch_id, status="running", parent=parent_id)
    turn = rows.only("id", "parent_id", "depth", "input_message_id").first()
    if turn is None:
        return None
    node = paths.TurnNode(turn.id, turn.parent_id, turn.depth, 0, turn.input_message_id, "")
    said = paths.messages_of([node], keys)[turn.id]
    attempts = Attempt.objects.filter(turn=turn, status="running").order_by("-ordinal")
    attempt_id = attempts.values_list("id", flat=True).first()
    text = partials.read(attempt_id, keys)[0] if attempt_id else ""
    if text:
        said = (*said, Message(str(attempt_id), "assistant", text, 0))
    return PathTurn(str(turn.id), turn.depth, said, is_learned=False)
