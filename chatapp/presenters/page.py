"""The whole page: list, chat and inspector from one reading of the state."""

from collections.abc import Sequence
from uuid import UUID

from chatapp.presenters.conversations import present_list, shown_title
from chatapp.presenters.models import present_model, present_status
from chatapp.presenters.sent import present_sent
from chatapp.presenters.turns import turn_view
from chatapp.selectors.rows import ConversationPage, ConversationRow, ModelChoice, TurnRow


def present_page(
    page: ConversationPage | None,
    models: Sequence[ModelChoice],
    conversations: Sequence[ConversationRow],
    *,
    list_before: UUID | None = None,
) -> dict[str, object]:
    """Return the context of `chat/page.html`.

    Args:
        page: The conversation that is looked at; None when there is none yet.
        models: All models, one of them selected.
        conversations: The newest ones, for the list.
        list_before: The conversation to ask for older ones before.
    """
    context = {
        **present_list(conversations, current=page.id if page else None, before=list_before),
        **present_header(page, models),
    }
    if page is None:
        return context
    return {
        **context,
        **present_older(page.turns, page.older_before, page.id),
        **present_sent(page.turns, page.id),
        **present_branch(page),
    }


def present_header(
    page: ConversationPage | None, models: Sequence[ModelChoice]
) -> dict[str, object]:
    """Return the context of `chat/_header.html`, `chat/_model.html` and `models/_status.html`."""
    return {
        **present_status(models),
        "conversation_id": page.id if page else None,
        "title": shown_title(page.title) if page else "",
        "models": tuple(present_model(choice) for choice in models),
    }


def present_branch(page: ConversationPage) -> dict[str, object]:
    """Return the context of `chat/_branch.html`: what the next message is typed on."""
    return {
        "branch_id": page.branch_id,
        "branch_version": page.branch_version,
        "running_turn": page.running_turn,
    }


def present_older(
    turns: Sequence[TurnRow], older_before: UUID | None, conversation_id: UUID
) -> dict[str, object]:
    """Return the context of `chat/_older.html`: one page of turns, oldest first."""
    return {
        "turns": tuple(turn_view(turn) for turn in turns),
        "older_before": older_before,
        "conversation_id": conversation_id,
    }
