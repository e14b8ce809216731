"""Fills the state block up to its limit: by an estimate first, then by the count of its text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from statecore.context.segments import Piece
from statecore.context.selection import Group
from statecore.context.state import State
from statecore.context.state_block import Item, piece_of, text_of
from statecore.models import ModelSpec
from statecore.templates import NoteTexts, Template
from statecore.tokens import CountKey, Counts

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


def filled(
    offered: Sequence[Item],
    limit_tokens: int,
    state: State,
    model: ModelSpec,
    template: Template,
    counts: Counts,
) -> Filling:
    """Return what goes into the block; each call with more counts comes nearer to the end.

    Args:
        offered: in the order of rank.
        limit_tokens: the most that the text of the block may have.
        state: of the plan.
        model: whose tokenizer counts.
        template: the words around.
        counts: with the counts of the blocks that were tried before.
    """
    chosen = _within(offered, limit_tokens, template.notes)
    while chosen:
        piece = piece_of(chosen, state, model, template)
        count = counts.get(CountKey(piece.count_id, model.tokenizer))
        if count is None or count.tokens <= limit_tokens:
            return Filling(chosen, piece)
        text = piece.content.text
        chosen = _less(chosen, estimate(text) * limit_tokens // count.tokens, template.notes)
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


def _less(chosen: tuple[Item, ...], limit_tokens: int, notes: NoteTexts) -> tuple[Item, ...]:
    """Return the first items, at least one less, that stay within a limit by the estimate."""
    kept = chosen[:-1]
    while kept and estimate(text_of(kept, notes)) > limit_tokens:
        kept = kept[:-1]
    return kept
