"""The only place that sends to the channel layer; messages carry ids and live text, never more."""

import logging
from typing import Any
from uuid import UUID

from channels.layers import BaseChannelLayer, get_channel_layer

logger = logging.getLogger(__name__)


def conversation_group(conversation_id: UUID) -> str:
    """Return the group of all sockets that look at a conversation."""
    return f"conv.{conversation_id.hex}"


def process_group(process_id: UUID) -> str:
    """Return the group that only the mailbox of one process is in."""
    return f"proc.{process_id.hex}"


def user_group(user_id: int) -> str:
    """Return the group of all sockets of one account."""
    return f"user.{user_id}"


def layer() -> BaseChannelLayer:
    """Return the channel layer."""
    found = get_channel_layer()
    if found is None:
        raise RuntimeError("No channel layer is set up.")
    return found


async def turn_changed(conversation_id: UUID, turn_id: UUID, *, started: bool = False) -> None:
    """Tell everybody who looks at a conversation that a turn has begun or has a new state."""
    message = {"type": "turn.changed", "turn": str(turn_id), "started": started}
    await _tell(conversation_group(conversation_id), message)


async def conversation_changed(conversation_id: UUID, what: str) -> None:
    """Tell that title, model or branches of a conversation changed, or that it is gone."""
    message = {"type": "conversation.changed", "what": what}
    await _tell(conversation_group(conversation_id), message)


async def branch_selected(user_id: int, conversation_id: UUID, branch_id: UUID, page: str) -> None:
    """Tell the other open pages of a reader which branch one of them has gone to.

    Args:
        user_id: the reader.
        conversation_id: the conversation.
        branch_id: where the page went.
        page: what the page calls itself; empty where it has no name.
    """
    message = {
        "type": "branch.selected",
        "conversation": str(conversation_id),
        "branch": str(branch_id),
        "page": page,
    }
    await _tell(user_group(user_id), message)


async def memory_changed(conversation_id: UUID) -> None:
    """Tell that memory of a conversation changed: a turn was learned, or a person acted on it."""
    await _tell(conversation_group(conversation_id), {"type": "memory.changed"})


async def signed_out(user_id: int) -> None:
    """Tell the sockets of an account that sessions of it have ended; each looks for its own."""
    await _tell(user_group(user_id), {"type": "session.ended"})


async def ask_owner(owner: UUID, turn_id: UUID, attempt: str, after: int, reply: str) -> None:
    """Ask the process that runs a turn for its text after a sequence number."""
    message = {
        "type": "live.ask",
        "turn": str(turn_id),
        "attempt": attempt,
        "after": after,
        "reply": reply,
    }
    await _tell(process_group(owner), message)


async def ask_stop(owner: UUID, turn_id: UUID) -> None:
    """Ask the process that runs a turn to stop it."""
    await _tell(process_group(owner), {"type": "turn.stop", "turn": str(turn_id)})


async def _tell(group: str, message: dict[str, Any]) -> None:
    """Send, and go on where the broker is away: what must not be lost lies in the database."""
    try:
        await layer().group_send(group, message)
    except Exception:
        # Every broker has errors of its own.
        logger.exception("Nobody could be told of %s", message["type"])


async def send_live(
    channel: str, turn_id: UUID, attempt: str, first_seq: int, texts: list[str]
) -> None:
    """Send chunks of live text to one socket in another process."""
    message = {
        "type": "live.remote",
        "turn": str(turn_id),
        "attempt": attempt,
        "first": first_seq,
        "texts": texts,
    }
    await layer().send(channel, message)
