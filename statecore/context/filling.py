"""Fills the state block up to its limit: by an estimate first, then by the count of its text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from statecore.context.block_text import Item, text_of
from statecore.context.segments import Piece
from statecore.context.selection import Group
from statecore.context.state import State
from statecore.context.state_block import piece_of
from statecore.models import ModelSpec
from statecore.templates import NoteTexts, Template
from statecore.tokens import Counts

_LETTERS = re.compile(r"[A-Za-z ]+")
_ALPHABETS = re.compile(r"[\u0080-\u2e7f]+")


@dataclass(frozen=True, slots=True)
class Filling:
    """What the block holds, and its message; the message may still have to be counted."""

    chosen: tuple[Item, ...] = ()
    piece: Piece | None = None
    """None when nothing fits."""


def estimate(text: str) -> int:
    """Return what a text has in tokens at most, under a usual tokenizer.

    Three Latin letters a token, two of another alphabet, and one token for every digit, sign and
    Chinese character: more than the tokenizers at hand need, so that the exact count seldom
    exceeds the limit and a block is seldom counted twice.
    """
    letters = sum(map(len, _LETTERS.findall(text)))
    others = sum(map(len, _ALPHABETS.findall(text)))
    return -(-letters // 3) + -(-others // 2) + len(text) - letters - others


@dataclass(frozen=True, slots=True)
class Offer:
    """What may stand in the block, in four parts with a limit each."""

    held: tuple[Item, ...] = ()
    """Never cut."""
    anchors: tuple[Item, ...] = ()
    """They have room, so far as it can be known before the block is counted."""
    facts: tuple[Item, ...] = ()
    """In the order of rank, as the notes."""
    notes: tuple[Item, ...] = ()

    def all(self) -> tuple[Item, ...]:
        """Return everything, what is given up last in front."""
        return (*self.held, *self.anchors, *self.facts, *self.notes)


@dataclass(frozen=True, slots=True)
class Limits:
    """What the parts of a block may have in tokens of its text."""

    held_tokens: int = 0
    """Of a block that holds only what is never cut."""
    anchors_tokens: int = 0
    facts_tokens: int = 0
    notes_tokens: int = 0
    """With what stands around them."""
    frame_tokens: int = 0
    """Of what stands around facts and anchors, where nothing else brings it."""

    @property
    def total_tokens(self) -> int:
        """The most that the whole text may have."""
        parts = (self.held_tokens, self.anchors_tokens, self.facts_tokens, self.notes_tokens)
        return sum(parts) + self.frame_tokens


def frame_tokens(notes: NoteTexts) -> int:
    """Return what a block has in tokens at most before anything stands in it."""
    return estimate(notes.preface) + len(text_of((), NoteTexts()))


def filled(
    offer: Offer,
    limits: Limits,
    state: State,
    model: ModelSpec,
    template: Template,
    counts: Counts,
) -> Filling:
    """Return what goes into the block; each call with more counts comes nearer to the end.

    Args:
        offer: what may stand in it.
        limits: the most that it may have.
        state: of the plan.
        model: whose tokenizer counts.
        template: the words around.
        counts: with the counts of the blocks that were tried before.
    """
    notes = template.notes
    limit_tokens = limits.total_tokens
    facts = _within(offer.facts, limits.facts_tokens, notes)
    rest = _within(offer.notes, limits.notes_tokens, notes)
    chosen = (*offer.held, *offer.anchors, *facts, *rest)
    while chosen:
        piece = piece_of(chosen, state, model, template)
        count = counts.get(piece.key(model.tokenizer))
        if count is None or count.tokens <= limit_tokens or len(chosen) == len(offer.held):
            return Filling(chosen, piece)
        most = estimate(piece.content.text) * limit_tokens // count.tokens
        chosen = _less(chosen, len(offer.held), most, notes)
    return Filling()


def _within(offered: Sequence[Item], limit_tokens: int, notes: NoteTexts) -> tuple[Item, ...]:
    chosen: list[Item] = []
    begun: set[Group] = set()
    room = limit_tokens - estimate(text_of((), notes))
    for item in offered:
        # No text is estimated at less than this, and most do not fit: they need no closer look.
        if -(-len(item.text) // 3) >= room:
            continue
        # One more for what joins it to the item before.
        cost = estimate(item.text) + 1
        if item.group not in begun:
            cost += estimate(getattr(notes, item.group)) + 2
        if cost <= room:
            chosen.append(item)
            begun.add(item.group)
            room -= cost
    return tuple(chosen)


def _less(
    chosen: tuple[Item, ...], fewest: int, limit_tokens: int, notes: NoteTexts
) -> tuple[Item, ...]:
    """Return the first items, at least one less, that stay within a limit by the estimate."""
    kept = chosen[:-1]
    while len(kept) > fewest and estimate(text_of(kept, notes)) > limit_tokens:
        kept = kept[:-1]
    return kept
