"""Links from what is remembered or sent to the sentence in the chat that it comes from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext

from chatapp.selectors.inspector import Places
from statecore.memory.ledger import Span


@dataclass(frozen=True, slots=True)
class SourceLink:
    """One link; the page scrolls there and lights the sentence up."""

    turn_id: UUID
    label: str
    is_answer: bool
    """The sentence is looked for in the rendered answer instead of by its place."""
    start: int | None = None
    """Place in the message, in characters; None when the whole message is meant."""
    end: int | None = None
    text: str = ""
    """The sentence, where it must be looked for."""


def span_links(spans: Sequence[Span], text: str, places: Places) -> tuple[SourceLink, ...]:
    """Return a link to each place where a sentence was said.

    Args:
        spans: Its sources, oldest first.
        text: The sentence as it was said.
        places: Where messages stand; a source that is not there gets no link.
    """
    return tuple(
        SourceLink(
            turn_id=place.turn_id,
            label=_turn(place.depth),
            is_answer=place.role != "user",
            start=span.start,
            end=span.end,
            text=text if place.role != "user" else "",
        )
        for span in spans
        if (place := places.get(span.message_id))
    )


def message_links(
    message_ids: Iterable[str], places: Places, text: str = ""
) -> tuple[SourceLink, ...]:
    """Return a link to each message that is a whole source, none of them twice.

    Args:
        message_ids: The messages.
        places: Where messages stand; a source that is not there gets no link.
        text: What of them is meant; empty means all.
    """
    return tuple(
        SourceLink(place.turn_id, _turn(place.depth), is_answer=place.role != "user", text=text)
        for message_id in dict.fromkeys(message_ids)
        if (place := places.get(message_id))
    )


def _turn(depth: int) -> str:
    return gettext("turn %(number)s") % {"number": depth}
