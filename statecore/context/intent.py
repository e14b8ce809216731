"""The last intent: what the user wants, where the last resort shows hardly any history."""

import re

from statecore.context.anchors import Anchor
from statecore.context.given import Given
from statecore.context.shown import Shown
from statecore.memory.ledger import Entry
from statecore.memory.summary import is_live

FEWEST_WORDS = 5
"""A shorter message ("yes, please") says nothing of what it is about."""

_WANTS = frozenset({"goal", "task"})
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W\u3400-\u9fff]+")


def last_intent(given: Given, shown: Shown) -> Anchor | None:
    """Return where the user last said what they want; None when the request shows that anyway.

    Args:
        given: the state.
        shown: what the request shows of its messages.
    """
    wanted = [e for e in given.state.memory.entries if e.kind in _WANTS and is_live(e)]
    newest = max(wanted, key=lambda entry: (entry.said_seq, entry.id), default=None)
    if newest is not None:
        return None if shown.has(newest) else _of_entry(newest, given)
    return _newest_message(given, shown)


def _of_entry(entry: Entry, given: Given) -> Anchor | None:
    # What a person added or changed by hand stands in the notes, in front of all the rest.
    if not entry.sources or not entry.quote:
        return None
    span = entry.sources[-1]
    turn_id = next((t.id for t in given.state.turns if t.depth == entry.depth), "")
    return Anchor(
        message_id=span.message_id,
        turn_id=turn_id,
        depth=entry.depth,
        role="user",
        reason="last_intent",
        start=span.start,
        end=span.end,
        pointer_start=0,
        pointer_end=0,
    )


def _newest_message(given: Given, shown: Shown) -> Anchor | None:
    for turn in reversed(given.state.turns):
        for message in reversed(turn.messages):
            if message.role != "user" or words_in(message.text) < FEWEST_WORDS:
                continue
            if message.id in shown.whole_ids:
                return None
            return Anchor(
                message_id=message.id,
                turn_id=turn.id,
                depth=turn.depth,
                role="user",
                reason="last_intent",
                start=0,
                end=len(message.text),
                pointer_start=0,
                pointer_end=0,
            )
    return None


def words_in(text: str) -> int:
    """Return how many words a text has; Chinese is written without spaces, two signs a word."""
    return len(_WORD.findall(text)) + len(_HAN.findall(text)) // 2
