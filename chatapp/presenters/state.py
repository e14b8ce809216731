"""The page of a conversation as plain JSON data."""

from dataclasses import asdict
from typing import Any

from chatapp.selectors.rows import ConversationPage

SCHEMA = "glassbox.page.1"


def present_state(page: ConversationPage) -> dict[str, Any]:
    """Return what the page shows, with the names of the rows; ids and amounts become text."""
    return {"schema": SCHEMA, **asdict(page)}
