"""Reads the branches of a conversation."""

from chatapp.access import Access
from chatapp.models import Branch
from chatapp.store.branches import viewed_branch


def shown_branch(access: Access) -> Branch:
    """Return the branch that is looked at."""
    return viewed_branch(access)
