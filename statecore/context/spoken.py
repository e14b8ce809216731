"""What was said on a path, as far as it was read: for finding what a phrase means."""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from statecore.context.state import State
from statecore.language.pointers import Pointer, Speaker
from statecore.messages import Message, Role


class Said(NamedTuple):
    """One message and the turn that it belongs to."""

    turn_id: str
    depth: int
    message: Message

    def is_by(self, speaker: Speaker | None) -> bool:
        """Return whether a speaker said it; None: either of both."""
        role = self.message.role
        return role == speaker if speaker else role in {"user", "assistant"}


class Place(NamedTuple):
    """Where a message stands: in its turn the input, or the answer."""

    depth: int
    role: Role


@dataclass
class Spoken:
    """The messages of a state, oldest first."""

    state: State
    _folded: dict[str, str] = field(default_factory=dict)

    @cached_property
    def loaded(self) -> tuple[Said, ...]:
        """The messages of the loaded turns."""
        return tuple(
            Said(turn.id, turn.depth, message)
            for turn in self.state.turns
            for message in turn.messages
        )

    @property
    def tip_depth(self) -> int:
        """Depth of the newest turn."""
        return self.state.input_depth - 1

    @property
    def is_whole(self) -> bool:
        """Whether the path was loaded from its first turn."""
        return not self.state.turns or self.state.turns[0].depth == 1

    def older(self, pointer: Pointer) -> tuple[Said, ...]:
        """Return what was read for a phrase from before the loaded turns, oldest first."""
        return tuple(
            Said(older.turn_id, older.depth, older.message)
            for older in self.state.older
            if pointer.start in older.read_for
        )

    def asked(self, said: Said) -> str:
        """Return the input that a message answers; empty where it was not read."""
        return self._inputs.get(said.turn_id, "")

    @cached_property
    def _inputs(self) -> dict[str, str]:
        return {
            said.turn_id: said.message.text for said in self.loaded if said.message.role == "user"
        }

    def newest_first(self, speaker: Speaker | None) -> Iterator[Said]:
        """Yield the loaded messages of a speaker."""
        return (said for said in reversed(self.loaded) if said.is_by(speaker))

    def folded(self, said: Said) -> str:
        """Return the text of a message as it is searched."""
        found = self._folded.get(said.message.id)
        if found is None:
            found = self._folded[said.message.id] = fold(said.message.text)
        return found

    def at(self, place: Place) -> Said | None:
        """Return the loaded message at a place: of several answers of a turn the last."""
        here = [
            said
            for said in self.loaded
            if said.depth == place.depth and said.message.role == place.role
        ]
        return here[-1] if here else None

    def holding(self, matches: Callable[[str], bool]) -> tuple[Said, ...]:
        """Return the loaded messages whose folded text matches, tool results among them."""
        return tuple(said for said in self.loaded if matches(self.folded(said)))


def fold(text: str) -> str:
    """Return a text without case, and with one kind of apostrophe, space and ё."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("ё", "е")
    return " ".join(plain.split())


def place_of(pointer: Pointer, tip_depth: int) -> Place | None:
    """Return where a message meant by its place stands; None where there is none.

    A turn counts as two messages, the input and the answer, whatever it took to answer.

    Args:
        pointer: of kind "message", with its ordinal.
        tip_depth: depth of the newest turn.
    """
    count = (pointer.ordinal or 1) - 1
    role: Role
    if pointer.speaker:
        turns, role = count, pointer.speaker
    else:
        turns, odd = divmod(count, 2)
        role = "assistant" if bool(odd) != pointer.from_end else "user"
    depth = tip_depth - turns if pointer.from_end else turns + 1
    return Place(depth, role) if 1 <= depth <= tip_depth else None
