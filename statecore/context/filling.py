"""Fills a block of notes up to a limit: by an estimate first, then by the count of its text."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from statecore.context.block_text import Item, text_of
from statecore.context.counting import Scale
from statecore.context.segments import Piece
from statecore.context.selection import Group
from statecore.templates import NoteTexts

_LETTERS = re.compile(r"[A-Za-z ]+")
_ALPHABETS = re.compile(r"[\u0080-\u2e7f]+")

Write = Callable[[Sequence[Item], NoteTexts], Piece]
"""Makes a message of items and the words around them."""


@dataclass(frozen=True, slots=True)
class Filling:
    """What a block holds, and its message; the message may still have to be counted."""

    chosen: tuple[Item, ...] = ()
    piece: Piece | None = None
    """None when nothing fits."""
    notes: NoteTexts = NoteTexts()  # noqa: RUF009  # immutable
    """The words around."""

    def pieces(self) -> tuple[Piece, ...]:
        """Return its message, where there is one."""
        return () if self.piece is None else (self.piece,)


def estimate(text: str) -> int:
    """Return what a text has in tokens at most, under a usual tokenizer.

    Three Latin letters a token, two of another alphabet, and one token for every digit, sign and
    Chinese character: more than the tokenizers at hand need, so that the exact count seldom
    exceeds the limit and a block is seldom counted twice.
    """
    letters = sum(map(len, _LETTERS.findall(text)))
    others = sum(map(len, _ALPHABETS.findall(text)))
    return -(-letters // 3) + -(-others // 2) + len(text) - letters - others


def frame_tokens(notes: NoteTexts) -> int:
    """Return what a block has in tokens at most before anything stands in it."""
    return estimate(notes.preface) + len(text_of((), NoteTexts()))


def within(
    offered: Sequence[Item], limit_tokens: int, notes: NoteTexts, beside: Sequence[Item] = ()
) -> tuple[Item, ...]:
    """Return the items that fit into a block by the estimate, one after the other.

    Args:
        offered: in the order of rank; a small one may fit where a larger one does not.
        limit_tokens: for the whole block.
        notes: the words around.
        beside: what stands in it anyway.
    """
    chosen: list[Item] = []
    begun: set[Group] = {item.group for item in beside}
    room = limit_tokens - estimate(text_of(beside, notes))
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


def filled(
    chosen: tuple[Item, ...],
    fewest: int,
    limit_tokens: int,
    notes: NoteTexts,
    write: Write,
    scale: Scale,
) -> Filling:
    """Return what goes into a block; each call with more counts comes nearer to the end.

    Args:
        chosen: what fits by the estimate, what is given up first at its end.
        fewest: so many at its begin are never given up.
        limit_tokens: the most that its text may have.
        notes: the words around.
        write: makes the message.
        scale: knows the counts of the blocks that were tried before.
    """
    while chosen:
        piece = write(chosen, notes)
        tokens = scale.text_tokens(piece)
        if tokens is None or tokens <= limit_tokens or len(chosen) == fewest:
            return Filling(chosen, piece, notes)
        most = estimate(piece.content.text) * limit_tokens // tokens
        chosen = _less(chosen, fewest, most, notes)
    return Filling()


def _less(
    chosen: tuple[Item, ...], fewest: int, limit_tokens: int, notes: NoteTexts
) -> tuple[Item, ...]:
    """Return the first items, at least one less, that stay within a limit by the estimate."""
    kept = chosen[:-1]
    while len(kept) > fewest and estimate(text_of(kept, notes)) > limit_tokens:
        kept = kept[:-1]
    return kept
