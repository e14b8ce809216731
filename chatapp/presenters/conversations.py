"""The list of conversations."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext

from chatapp.selectors.rows import ConversationRow


@dataclass(frozen=True, slots=True)
class ConversationItem:
    """One line of the list."""

    id: UUID
    title: str
    """A general name while it has none of its own."""
    named: bool
    updated_ms: int
    running: bool
    current: bool


def shown_title(title: str | None) -> str:
    """Return a title that is never empty."""
    return title or gettext("New conversation")


def present_item(row: ConversationRow, current: UUID | None) -> dict[str, object]:
    """Return the context of `chat/_conversation_item.html`."""
    return {"item": _item(row, current)}


def present_list(
    conversations: Sequence[ConversationRow],
    *,
    current: UUID | None,
    before: UUID | None = None,
) -> dict[str, object]:
    """Return the context of `chat/_list.html` and of one further page, `chat/_list_page.html`.

    Args:
        conversations: Newest first.
        current: The conversation that is looked at.
        before: The conversation to ask for older ones before; None when there are none.
    """
    return {
        "conversations": tuple(_item(row, current) for row in conversations),
        "current_id": current,
        "list_before": before,
    }


def _item(row: ConversationRow, current: UUID | None) -> ConversationItem:
    return ConversationItem(
        id=row.id,
        title=shown_title(row.title),
        named=bool(row.title),
        updated_ms=row.updated_ms,
        running=row.running,
        current=row.id == current,
    )
