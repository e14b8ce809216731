"""Counts committed messages under every tokenizer, so that a switch waits for none."""

from collections.abc import Iterable
from uuid import UUID

from chatapp.clock import now_ms
from chatapp.keyring import keys_of
from chatapp.models import Turn
from chatapp.store import outbox, paths, turns
from chatapp.wiring import count_here
from statecore.messages import counted_text
from statecore.tokens import CountKey

LOCAL_TOKENIZERS = ("o200k_base", "cl100k_base")


def turn_count_tokens(turn_id: UUID, tokenizers: Iterable[str] = LOCAL_TOKENIZERS) -> None:
    """Store the counts of a turn's messages and mark the work as done; twice is harmless."""
    turn = Turn.objects.select_related("conversation").filter(pk=turn_id).first()
    if turn is None or turn.conversation.deleted_ms is not None:
        outbox.done(turn_id, outbox.TOKEN_COUNTS, now_ms())
        return
    keys = keys_of(turn.conversation.key_space_id)
    node = paths.TurnNode(
        turn.id, turn.parent_id, turn.depth, 0, turn.input_message_id, turn.finish
    )
    messages = paths.messages_of([node], keys)[turn.id]
    texts = [counted_text(message.text, message.tool_calls) for message in messages]
    for tokenizer in tokenizers:
        for message, count in zip(messages, count_here(texts, tokenizer), strict=True):
            turns.insert_counts({CountKey(message.id, tokenizer): count})
    outbox.done(turn_id, outbox.TOKEN_COUNTS, now_ms())
