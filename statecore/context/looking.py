"""How much of long texts is looked at for what refers to what: a first token waits for it.

A message may have hundreds of thousands of characters. Of such a one the beginning is read, and of
the input its end as well: what is asked stands before or behind a pasted document.
"""

from dataclasses import replace

from statecore.context.anchors import Anchor, anchors, resolve
from statecore.context.state import OlderMessage, PathTurn, State
from statecore.messages import Message

LOOKED_AT = 20_000
"""Characters of one message."""

_HALF = LOOKED_AT // 2


def looked_at(state: State) -> State:
    """Return a state in which no text is longer than what is looked at."""
    turns = tuple(_turn(turn) for turn in state.turns)
    text = state.input.text
    is_short = len(text) <= LOOKED_AT
    if is_short and all(map(_is_same, turns, state.turns)):
        return state
    asked = text if is_short else f"{text[:_HALF]}\n{text[-_HALF:]}"
    older = tuple(replace(found, read_for=_places(found, text)) for found in state.older)
    return replace(state, turns=turns, input=replace(state.input, text=asked), older=older)


def _is_same(one: PathTurn, other: PathTurn) -> bool:
    return one is other


def _turn(turn: PathTurn) -> PathTurn:
    if all(len(message.text) <= LOOKED_AT for message in turn.messages):
        return turn
    return replace(turn, messages=tuple(_message(message) for message in turn.messages))


def _message(message: Message) -> Message:
    if len(message.text) <= LOOKED_AT:
        return message
    return replace(message, text=message.text[:LOOKED_AT])


def _places(found: OlderMessage, text: str) -> tuple[int, ...]:
    shift = _shift(text)
    return tuple(at - shift if at > _HALF + shift else at for at in found.read_for)


def _shift(text: str) -> int:
    """Return by how much the end of an input stands nearer to its beginning when looked at."""
    return 0 if len(text) <= LOOKED_AT else len(text) - LOOKED_AT - 1


def resolved(state: State) -> tuple[Anchor, ...]:
    """Return what the input points at, shown or not."""
    return resolve(looked_at(state))


def hidden_anchors(state: State, shown_ids: frozenset[str]) -> tuple[Anchor, ...]:
    """Return what the input points at and a plan would not show, the surest first.

    Args:
        state: the state; its input is looked at.
        shown_ids: messages that the plan shows word for word.
    """
    shift = _shift(state.input.text)
    return tuple(_moved(anchor, shift) for anchor in anchors(looked_at(state), shown_ids))


def _moved(anchor: Anchor, shift: int) -> Anchor:
    """Return an anchor whose phrase is named by its place in the whole input."""
    if not shift or anchor.pointer_start <= _HALF:
        return anchor
    return anchor._replace(
        pointer_start=anchor.pointer_start + shift, pointer_end=anchor.pointer_end + shift
    )
