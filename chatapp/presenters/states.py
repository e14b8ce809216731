"""What is said of states that leave and come, in one sentence each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from chatapp.services.importing_files import FileImported, Refused
from statecore.formats.message_tree import Why

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


SHOWN_REFUSALS = 20
"""Conversations that did not come in and are named; more of them are counted."""


@dataclass(frozen=True, slots=True)
class FileReport:
    """What is said of a file of conversations."""

    sentence: str
    notes: tuple[str, ...]
    """What did not come in, and why; one sentence each."""


def present_file(outcome: FileImported) -> FileReport:
    """Return what has come of a file."""
    count = len(outcome.conversations)
    sentence = ngettext(
        "%(count)s conversation imported.", "%(count)s conversations imported.", count
    ) % {"count": count}
    notes = (*_refusals(outcome.refused), *_leftovers(outcome.left_out))
    return FileReport(sentence, notes)


def _refusals(refused: Sequence[Refused]) -> Iterator[str]:
    for one in refused[:SHOWN_REFUSALS]:
        said = {"place": one.place, "why": one.why.rstrip(".")}
        yield gettext("Not imported: %(place)s: %(why)s.") % said
    more = len(refused) - SHOWN_REFUSALS
    if more > 0:
        yield ngettext("Not imported: %(more)s more.", "Not imported: %(more)s more.", more) % {
            "more": more
        }


def _leftovers(left_out: Mapping[Why, int]) -> Iterator[str]:
    for why, count in sorted(left_out.items()):
        yield _leftover(why, count) % {"count": count}


def _leftover(why: Why, count: int) -> str:
    match why:
        case "hidden":
            return ngettext(
                "%(count)s message left out that nobody was shown.",
                "%(count)s messages left out that nobody was shown.",
                count,
            )
        case "empty":
            return ngettext(
                "%(count)s message left out that says nothing.",
                "%(count)s messages left out that say nothing.",
                count,
            )
        case "system":
            return ngettext(
                "%(count)s system message left out that does not stand first.",
                "%(count)s system messages left out that do not stand first.",
                count,
            )
        case "before":
            return ngettext(
                "%(count)s message left out that comes before the first message of a user.",
                "%(count)s messages left out that come before the first message of a user.",
                count,
            )
        case "result":
            return ngettext(
                "%(count)s tool result left out that answers no call.",
                "%(count)s tool results left out that answer no call.",
                count,
            )
        case "call":
            return ngettext(
                "%(count)s tool call left out that has no result.",
                "%(count)s tool calls left out that have no result.",
                count,
            )
