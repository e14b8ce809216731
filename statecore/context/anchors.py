"""Anchors: the old messages that phrases of the input point at."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from statecore.context.mentioned import Mentioned, named_again, quoted_again
from statecore.context.pointed import FEATURE_KINDS, Found, meant
from statecore.context.selection import AnchorReason
from statecore.context.spoken import Spoken, place_of
from statecore.context.state import State
from statecore.language.features import features
from statecore.language.pointers import Pointer, PointerKind, pointers
from statecore.messages import Role

MAX_ANCHORS: Final = 3
SHORT_CHARACTERS: Final = 400
"""Of a longer message only the part that is meant is pointed at."""

_REASONS: Final[dict[PointerKind, AnchorReason]] = {
    "link": "link",
    "code": "code",
    "table": "table",
    "list": "list",
    "file": "file",
    "step": "step",
    "item": "step",
    "message": "message",
    "version": "back_reference",
    "text": "back_reference",
    "work": "back_reference",
    "back": "back_reference",
}
_SUREST: Final[tuple[PointerKind, ...]] = (
    *("message", "step", "item", "version"),
    *("link", "code", "table", "list", "file", "work", "text", "back"),
)
"""By place before by thing before by words."""


class Anchor(NamedTuple):
    """One message that the input points at, and which part of it."""

    message_id: str
    turn_id: str
    depth: int
    role: Role
    reason: AnchorReason
    start: int
    """Where the part begins that is meant; 0 where the whole message is."""
    end: int
    """After its last character."""
    pointer_start: int
    """Where the phrase begins in the input."""
    pointer_end: int
    """After its last character."""


def anchors(state: State, shown_ids: frozenset[str]) -> tuple[Anchor, ...]:
    """Return what the input points at and a plan would not show, the surest first.

    Args:
        state: the state; its input is looked at.
        shown_ids: messages that the plan shows word for word.
    """
    if not state.older and all(
        message.id in shown_ids for turn in state.turns for message in turn.messages
    ):
        return ()
    hidden = [found for found in resolve(state) if found.message_id not in shown_ids]
    return tuple(hidden[:MAX_ANCHORS])


def resolve(state: State) -> tuple[Anchor, ...]:
    """Return what the input points at, shown or not, the surest first, each message once."""
    spoken = Spoken(state)
    text = state.input.text
    by_message: dict[str, Anchor] = {}
    for anchor in (
        *_mentioned("quotation", quoted_again(spoken, text)),
        *_pointed(spoken, pointers(text)),
        *_mentioned("named", named_again(spoken, text)),
    ):
        by_message.setdefault(anchor.message_id, anchor)
    return tuple(by_message.values())


def unsettled(state: State) -> tuple[Pointer, ...]:
    """Return the phrases of the input that may mean something before the loaded turns.

    An ordinal that counts back is less by what the loaded turns hold.
    """
    spoken = Spoken(state)
    if spoken.is_whole:
        return ()
    return tuple(rest for one in pointers(state.input.text) if (rest := _rest(spoken, one)))


def _rest(spoken: Spoken, pointer: Pointer) -> Pointer | None:
    first = spoken.state.turns[0].depth
    if pointer.kind == "message":
        place = place_of(pointer, spoken.tip_depth)
        return pointer if place and place.depth < first else None
    if pointer.kind in {"back", "text", "version", "work"}:
        return None
    if pointer.kind in FEATURE_KINDS and pointer.ordinal and pointer.from_end:
        held = sum(
            feature.kind == pointer.kind
            for said in spoken.newest_first(pointer.speaker)
            for feature in features(said.message.text)
        )
        rest = pointer.ordinal - held
        return pointer._replace(ordinal=rest) if rest > 0 else None
    if pointer.kind in FEATURE_KINDS and pointer.ordinal:
        return pointer
    wanted = pointer._replace(is_sure=pointer.is_sure and not pointer.terms)
    return None if meant(Spoken(replace(spoken.state, older=())), wanted) else pointer


def _pointed(spoken: Spoken, found: Iterable[Pointer]) -> Iterator[Anchor]:
    for pointer in sorted(found, key=lambda one: (_SUREST.index(one.kind), not one.is_sure)):
        what = meant(spoken, pointer)
        if what is not None:
            yield _anchor(what, _REASONS[pointer.kind], pointer.start, pointer.end)


def _mentioned(reason: AnchorReason, found: Iterable[Mentioned]) -> Iterator[Anchor]:
    return (_anchor(one.found, reason, one.start, one.end) for one in found)


def _anchor(found: Found, reason: AnchorReason, start: int, end: int) -> Anchor:
    said = found.said
    length = len(said.message.text)
    is_whole = found.end is None or length <= SHORT_CHARACTERS
    part = (0, length) if is_whole or found.end is None else (found.start, found.end)
    return Anchor(
        said.message.id, said.turn_id, said.depth, said.message.role, reason, *part, start, end
    )
