"""Anchors as they stand in the state block: the words of an old message, quoted line by line."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from statecore.context.anchors import Anchor
from statecore.context.block_text import Item, quoted_lines
from statecore.context.cutting import cut, size
from statecore.context.filling import estimate
from statecore.context.given import Given
from statecore.context.masks import without_removed
from statecore.context.occupancy import MESSAGE_OVERHEAD_TOKENS
from statecore.context.outline import outline
from statecore.context.segments import Piece

LIMIT_DIVISOR = 8
"""A longer message than one part in eight of the window is cut to the part that is meant."""

ARTEFACT_DIVISOR = 2
"""An artefact that the input asks to change is quoted whole up to one part in two of the window;
each longer one as an outline."""

SHORT_ID = 8
"""Characters of a message id; ids that sort by time differ at their end."""

_LINE_TOKENS = 2
_JOINING_TOKENS = 8


class Quote(NamedTuple):
    """An anchor with its words and what they take up."""

    anchor: Anchor
    item: Item
    tokens: int
    """At most, in the text of a block."""


def quotes(given: Given, found: Iterable[Anchor]) -> tuple[Quote, ...]:
    """Return anchors as they may stand in a block, those without words left out.

    Args:
        given: with the messages that they point at, and the pieces that weigh them.
        found: in the order of rank.
    """
    return tuple(_quotes(given, found))


def _quotes(given: Given, found: Iterable[Anchor]) -> Iterator[Quote]:
    for anchor in found:
        for text, tokens in _forms(given, anchor):
            if text.strip():
                yield _quote(given, anchor, text, tokens)


def _forms(given: Given, anchor: Anchor) -> Iterator[tuple[str, int]]:
    """Yield what may be quoted of a message, the best first, with its tokens at most."""
    piece = given.pieces.get(anchor.message_id)
    if anchor.reason != "artefact" or piece is None:
        yield _words(given, anchor)
        return
    text = piece.content.text
    tokens = given.scale.load(piece).tokens - MESSAGE_OVERHEAD_TOKENS
    limit_tokens = given.model.window_tokens // ARTEFACT_DIVISOR
    if tokens <= limit_tokens:
        yield text, tokens
    short = outline(text, given.state.input.text)
    if short is not None:
        short_tokens = max(estimate(short), -(-tokens * len(short) // len(text)))
        if short_tokens <= limit_tokens:
            yield short, short_tokens
    # Where not even that has room, its beginning says at least what it is.
    yield _cut(text, tokens, min(tokens, given.model.window_tokens // LIMIT_DIVISOR))


def _quote(given: Given, anchor: Anchor, text: str, tokens: int) -> Quote:
    label = given.template.notes.anchor
    if anchor.reason == "last_intent":
        label = given.template.notes.last_intent
    lead = label.format(id=anchor.message_id[-SHORT_ID:], role=anchor.role)
    item = Item(
        f"anchor:{anchor.message_id}",
        "anchor",
        anchor.reason,
        quoted_lines(text),
        (anchor.message_id,),
        lead,
    )
    around = len(lead) + _LINE_TOKENS * len(text.splitlines()) + _JOINING_TOKENS
    return Quote(anchor, item, tokens + around)


def _words(given: Given, anchor: Anchor) -> tuple[str, int]:
    """Return what of a message is quoted, and its tokens at most."""
    message = given.messages.get(anchor.message_id)
    if message is None:
        return _of_entry(given, anchor)
    piece = given.pieces.get(message.id) or given.older_pieces.get(message.id)
    if piece is None:
        # An empty answer, for which the request has words of the template.
        return "", 0
    text = _unmasked(given, piece, message.id)
    tokens = given.scale.load(piece).tokens - MESSAGE_OVERHEAD_TOKENS
    limit_tokens = given.model.window_tokens // LIMIT_DIVISOR
    is_part = anchor.reason == "last_intent" or tokens > limit_tokens
    if is_part and text == message.text and anchor.end > anchor.start:
        part = text[anchor.start : anchor.end]
        tokens = max(estimate(part), -(-tokens * len(part) // max(1, len(text))))
        text = part
    return (text, tokens) if tokens <= limit_tokens else _cut(text, tokens, limit_tokens)


def _cut(text: str, tokens: int, limit_tokens: int) -> tuple[str, int]:
    """Return the beginning of a text that stays within a limit, and its tokens at most."""
    short = cut(text, size(text) * limit_tokens // max(tokens, estimate(text)))
    if (found := estimate(short)) > limit_tokens:
        # It begins in a script that takes more tokens than the rest.
        short = cut(short, size(short) * limit_tokens // found)
    return short, max(estimate(short), -(-tokens * len(short) // len(text)))


def _unmasked(given: Given, piece: Piece, message_id: str) -> str:
    is_seen = piece.decision != "dropped" and message_id in given.pieces
    if is_seen:
        return piece.content.text
    return without_removed(given.messages[message_id], given.draft.masks, given.template.removed)


def _of_entry(given: Given, anchor: Anchor) -> tuple[str, int]:
    """Return the sentence of an entry whose message was not loaded."""
    for entry in given.state.memory.entries:
        for span in entry.sources:
            if (span.message_id, span.start) == (anchor.message_id, anchor.start):
                return entry.quote, estimate(entry.quote)
    return "", 0
