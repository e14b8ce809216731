"""What was said in turns, as memory learns from it."""

from collections.abc import Sequence
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import Turn
from chatapp.store import paths
from statecore.messages import Message
from statecore.state.learning import TurnTexts


def texts_of(turn_ids: Sequence[UUID], keys: SpaceKeys) -> tuple[TurnTexts, ...]:
    """Return what was said in committed turns and before each, by depth; two queries."""
    if not turn_ids:
        return ()
    turns = list(Turn.objects.select_related("parent").filter(pk__in=turn_ids).order_by("depth"))
    nodes = {turn.id: _node(turn) for turn in turns}
    nodes |= {turn.parent.id: _node(turn.parent) for turn in turns if turn.parent is not None}
    messages = paths.messages_of(list(nodes.values()), keys)
    return tuple(
        _texts(turn, messages[turn.id], messages[turn.parent_id] if turn.parent_id else ())
        for turn in turns
    )


def _node(turn: Turn) -> paths.TurnNode:
    return paths.TurnNode(
        turn.id, turn.parent_id, turn.depth, 0, turn.input_message_id, turn.finish
    )


def _texts(turn: Turn, said: tuple[Message, ...], before: tuple[Message, ...]) -> TurnTexts:
    return TurnTexts(
        turn_id=str(turn.id),
        depth=turn.depth,
        said_seq=turn.accepted_seq,
        branch_ms=turn.branch_ms,
        question=next(message for message in said if message.role == "user"),
        answer=_last_words(said),
        before=_last_words(before),
        finish=turn.finish,  # type: ignore[arg-type]  # the column holds no other words
    )


def _last_words(messages: tuple[Message, ...]) -> Message | None:
    return next((each for each in reversed(messages) if each.role == "assistant"), None)
