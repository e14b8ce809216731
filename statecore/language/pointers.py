"""Pointers: phrases of an input that point back at what was said, in three languages."""

from statecore.language.pointer_cues import Pointer, PointerKind, Speaker

__all__ = ["Pointer", "PointerKind", "Speaker", "pointers"]


def pointers(text: str) -> tuple[Pointer, ...]:  # noqa: ARG001  # the cues follow
    """Return the phrases of a text that point back, in order; none overlaps another."""
    return ()
