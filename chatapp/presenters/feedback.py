"""The thumbs below an answer."""

from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from chatapp.presenters.reasons import Words


@dataclass(frozen=True, slots=True)
class Thumb:
    """One button; pressed again it takes the thumb back."""

    name: str
    label: Words
    is_pressed: bool
    wanted: str
    """What pressing it asks for."""


def present_feedback(conversation_id: UUID, turn_id: UUID, thumb: int) -> dict[str, object]:
    """Return the context of `chat/_feedback.html`.

    Args:
        conversation_id: Whose it is.
        turn_id: The turn.
        thumb: 1 up, -1 down, 0 none.
    """
    return {
        "conversation_id": conversation_id,
        "turn_id": turn_id,
        "thumbs": thumbs(thumb),
    }


def thumbs(thumb: int) -> tuple[Thumb, Thumb]:
    """Return the buttons for a thumb that stands: 1 up, -1 down, 0 none."""
    return (
        _thumb("up", _("Good answer"), is_pressed=thumb > 0),
        _thumb("down", _("Bad answer"), is_pressed=thumb < 0),
    )


def _thumb(name: str, label: Words, *, is_pressed: bool) -> Thumb:
    return Thumb(name, label, is_pressed, "none" if is_pressed else name)
