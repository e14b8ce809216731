"""What is said of states that leave and come, in one sentence each."""

from django.utils.translation import gettext, ngettext

_MEGABYTE = 1024 * 1024


def present_too_large(limit_bytes: int) -> str:
    """Return why a state file is not taken: it is larger than the installation allows."""
    return gettext("The file is larger than %(limit)s MB, which is the most that is taken.") % {
        "limit": limit_bytes // _MEGABYTE
    }


def present_too_long(turns: int, limit: int) -> str:
    """Return why a conversation is not given out: it has more turns than a state may have."""
    return gettext(
        "The conversation has %(turns)s turns, and a state file holds at most %(limit)s."
    ) % {"turns": turns, "limit": limit}


def present_invalid(why: str) -> str:
    """Return why a file is no state, with the place that is wrong."""
    return gettext("This file cannot be imported: %(why)s.") % {"why": why.rstrip(".")}


def present_imported(turns: int) -> str:
    """Return what was imported."""
    return ngettext("%(turns)s turn imported", "%(turns)s turns imported", turns) % {"turns": turns}
