"""Counts committed messages under every tokenizer, so that a switch waits for none."""

from collections.abc import Iterable
from uuid import UUID

from chatapp.clock import now_ms
from chatapp.keyring import keys_of
from chatapp.models import Turn
from chatapp.services.stems import forms_of
from chatapp.store import outbox, paths, turns
from chatapp.wiring import count_here
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
    texts = {
        (message.id, form): text for message in messages for form, text in forms_of(message).items()
    }
    for tokenizer in tokenizers:
        counts = count_here(list(texts.values()), tokenizer)
        named = zip(texts, counts, strict=True)
        turns.insert_counts({CountKey(id_, tokenizer, form): made for (id_, form), made in named})
    outbox.done(turn_id, outbox.TOKEN_COUNTS, now_ms())
