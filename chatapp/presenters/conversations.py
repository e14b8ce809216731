"""The page of a conversation and the list of all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext

from chatapp.presenters.branches import limit_sentence, line_label, rolled_back_sentence
from chatapp.presenters.models import present_models
from chatapp.presenters.panels import PANELS
from chatapp.presenters.turns import present_older, present_stretch
from chatapp.selectors.conversations import Stretch
from chatapp.selectors.rows import ConversationPage, ConversationRow, ModelChoice


@dataclass(frozen=True, slots=True)
class ConversationItem:
    """One line of the list."""

    id: UUID
    title: str
    """A general name while it has none of its own."""
    updated_ms: int
    running: bool
    current: bool


def present_page(
    page: ConversationPage,
    models: Sequence[ModelChoice],
    conversations: Sequence[ConversationRow],
    older: UUID | None,
    around: Stretch | None = None,
) -> dict[str, object]:
    """Return the context of `chat/page.html`.

    Args:
        page: The conversation that is looked at.
        models: All models, one of them selected.
        conversations: The newest ones, for the list.
        older: The conversation to ask for older ones before; None when there are none.
        around: An older turn that is looked at, with what follows it; None for the newest only.
    """
    older_before, shown_around = page.older_before, None
    if around is not None and around.turns:
        older_before, shown_around = None, present_stretch(around, page.id, page.older_before)
    return {
        **present_list(conversations, older, page.id),
        **present_models(models),
        **present_older(page.turns, page.id, older_before),
        "around": shown_around,
        "panels": PANELS,
        "title": _shown_title(page.title),
        "branch_id": page.branch_id,
        "branch_version": page.branch_version,
        "head_id": page.tip_id,
        "line": "" if page.line is None else line_label(page.line),
        "fork_limit": limit_sentence(page.fork_limit),
        "rolled_back": rolled_back_sentence(page.rolled_back),
        "is_archived": page.is_archived,
    }


def present_empty(models: Sequence[ModelChoice]) -> dict[str, object]:
    """Return the context of `chat/page.html` for somebody who has no conversation yet."""
    return {**present_list((), None, None), **present_models(models), "conversation_id": None}


def present_list(
    conversations: Sequence[ConversationRow], older: UUID | None, current: UUID | None
) -> dict[str, object]:
    """Return the context of `chat/_list.html`.

    Args:
        conversations: Newest first.
        older: The conversation to ask for older ones before; None when there are none.
        current: The conversation that is looked at.
    """
    return {
        "conversations": tuple(_item(row, current) for row in conversations),
        "list_before": older,
        "current_id": current,
    }


def _shown_title(title: str | None) -> str:
    return title or gettext("New conversation")


def _item(row: ConversationRow, current: UUID | None) -> ConversationItem:
    return ConversationItem(
        id=row.id,
        title=_shown_title(row.title),
        updated_ms=row.updated_ms,
        running=row.running,
        current=row.id == current,
    )
