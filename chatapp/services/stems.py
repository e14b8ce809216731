"""What a turn grows from: its parent, or the root."""

from dataclasses import dataclass
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.models import Feature, TokenCount, Turn
from chatapp.models import Message as MessageRow
from chatapp.store import turns
from chatapp.store.raw import insert
from chatapp.wiring import count_reference
from statecore.context.digest import digest_of
from statecore.messages import Message, counted_text
from statecore.tokens import Count, CountKey, Form
from statecore.tree import MessageTokens, Sums, extend


@dataclass(frozen=True, slots=True)
class Stem:
    """The state at the end of a path, as far as the next message needs it."""

    depth: int = 0
    sums: Sums = Sums()  # noqa: RUF009  # immutable
    path_hash: bytes = b""
    heads: dict[str, list[object]] | None = None
    ended_ms: int = 0
    """When its last turn was committed."""


def stem_of(turn: Turn | None) -> Stem:
    """Return what the next message of a path grows from.

    Args:
        turn: the newest turn; None at the root.
    """
    if turn is None:
        return Stem()
    sums = Sums(turn.sum_messages, turn.sum_reference_tokens, turn.sum_digest_tokens)
    return Stem(turn.depth, sums, bytes(turn.path_hash), turn.feature_heads, turn.committed_ms or 0)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message is stored."""

    conversation_id: UUID
    turn_id: UUID
    seq: int
    position: int


@dataclass(frozen=True, slots=True)
class MessageRows:
    """A message as it is inserted, with what is counted and found in it."""

    messages: list[MessageRow]
    counts: list[TokenCount]
    features: list[Feature]
    columns: dict[str, object]
    """Of its turn: what grows by it, running sums and feature heads."""


def store_message(message: Message, stem: Stem, place: Place, keys: SpaceKeys) -> dict[str, object]:
    """Store a message with what is counted and found in it.

    Returns:
        The columns of its turn that grow by it: running sums and feature heads.
    """
    made = rows_of_message(message, stem, place, keys)
    insert(made.messages)
    insert(made.counts, ignore_conflicts=True)
    insert(made.features)
    return made.columns


def rows_of_message(message: Message, stem: Stem, place: Place, keys: SpaceKeys) -> MessageRows:
    """Return what `store_message` stores; no query."""
    heads = turns.FeatureHeads(dict(stem.heads or {}))
    found = heads.link(message)
    counts = {
        CountKey(message.id, turns.REFERENCE_TOKENIZER, form): Count(count_reference(text), "exact")
        for form, text in forms_of(message).items()
    }
    row = turns.message_rows(
        [message],
        keys=keys,
        conversation_id=place.conversation_id,
        turn_id=place.turn_id,
        seq=place.seq,
        first_position=place.position,
    )
    # The full form comes first; the least is what a plan can have at best.
    tokens = [count.tokens for count in counts.values()]
    sums = extend(stem.sums, [MessageTokens(tokens[0], min(tokens))])
    columns = _columns(sums, heads.heads)
    return MessageRows(row, turns.count_rows(counts), found, columns)


def share_message(message_id: UUID, stem: Stem) -> dict[str, object]:
    """Return the columns of a turn that grow by an input that is stored already.

    Args:
        message_id: the input, which a sibling of the turn asks too.
        stem: what it was stored on, and the turn grows from.
    """
    counts = TokenCount.objects.filter(message=message_id, tokenizer=turns.REFERENCE_TOKENIZER)
    by_form = dict(counts.values_list("form", "tokens"))
    full = by_form["full"]
    sums = extend(stem.sums, [MessageTokens(full, min(by_form.values()))])
    heads = dict(stem.heads or {})
    found = Feature.objects.filter(message=message_id).order_by("ordinal")
    for kind, feature_id, ordinal in found.values_list("kind", "id", "ordinal"):
        heads[kind] = [str(feature_id), ordinal]
    return _columns(sums, heads)


def _columns(sums: Sums, heads: dict[str, list[object]]) -> dict[str, object]:
    return {
        "sum_messages": sums.messages,
        "sum_reference_tokens": sums.reference_tokens,
        "sum_digest_tokens": sums.digest_tokens,
        "feature_heads": heads,
    }


def forms_of(message: Message) -> dict[Form, str]:
    """Return what a tokenizer counts for a message, the full form first."""
    found: dict[Form, str] = {"full": counted_text(message.text, message.tool_calls)}
    digest = digest_of(message)
    if digest is not None:
        found["digest"] = counted_text(digest, message.tool_calls)
    return found
