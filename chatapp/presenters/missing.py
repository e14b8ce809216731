"""What was said, binds, and is not in a request: corrections, refusals, rules, exact values."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from chatapp.presenters.reasons import Words
from chatapp.presenters.remembered import Remembered, SelectedView
from chatapp.selectors.inspector import Places
from chatapp.selectors.rows import AttemptRow, MissingRow
from statecore.state.fold import Memory

KINDS: dict[str, Words] = {
    "correction": _("Corrections"),
    "refusal": _("Refusals"),
    "rule": _("Rules"),
    "value": _("Exact values"),
    "unread": _("Turns not read yet"),
}
UNREAD = "unread"
"""No group: nobody knows what such turns hold, so there is nothing to list."""


@dataclass(frozen=True, slots=True)
class MissingItem:
    """One of them."""

    view: SelectedView
    is_active: bool


@dataclass(frozen=True, slots=True)
class MissingGroup:
    """All of one kind, those that hold first."""

    label: Words
    count: int
    items: tuple[MissingItem, ...]


@dataclass(frozen=True, slots=True)
class MissingCard:
    """All that is not in a request."""

    sentence: str
    is_warning: bool
    """Something of it holds now."""
    groups: tuple[MissingGroup, ...]


def present_missing(attempt: AttemptRow, memory: Memory | None, places: Places) -> MissingCard:
    """Return the card of what is not in the request of an attempt.

    Args:
        attempt: The attempt.
        memory: Memory as its plan saw it; None where nothing is missing.
        places: Where the messages of the sources stand.
    """
    remembered = Remembered(memory or Memory(), places)
    return MissingCard(
        sentence=" ".join(filter(None, (lacks(attempt), unread(attempt.missing))))
        or _calm(attempt),
        is_warning=any(row["is_active"] for row in attempt.missing),
        groups=tuple(_groups(attempt, remembered)),
    )


def lacks(attempt: AttemptRow) -> str:
    """Return how much that holds was not in the request; empty when all of it was."""
    count = _active(attempt)
    if not count:
        return ""
    return ngettext(
        "%(count)s thing that you said and that still holds was not in this request.",
        "%(count)s things that you said and that still hold were not in this request.",
        count,
    ) % {"count": count}


def unread(missing: Iterable[MissingRow]) -> str:
    """Return how many turns nobody has read yet; empty when all are read."""
    return unread_words(sum(row.get("turns", 1) for row in missing if row["kind"] == "unread"))


def unread_words(count: int) -> str:
    """Return what it means that turns are not read yet; empty for none."""
    if not count:
        return ""
    return ngettext(
        "%(count)s turn is not read yet; what it holds may be missing.",
        "%(count)s turns are not read yet; what they hold may be missing.",
        count,
    ) % {"count": count}


def _active(attempt: AttemptRow) -> int:
    return sum(row["is_active"] for row in attempt.missing if row["kind"] != "unread")


def _calm(attempt: AttemptRow) -> str:
    if attempt.missing:
        return gettext("Only things that do not hold any more are not in this request.")
    return gettext("Nothing: every correction, refusal, rule and exact value is in this request.")


def _groups(attempt: AttemptRow, remembered: Remembered) -> Iterator[MissingGroup]:
    for kind, label in KINDS.items():
        rows = [row for row in attempt.missing if row["kind"] == kind]
        if rows and kind != UNREAD:
            rows.sort(key=lambda row: not row["is_active"])
            yield MissingGroup(label, len(rows), tuple(_item(row, remembered) for row in rows))


def _item(row: MissingRow, remembered: Remembered) -> MissingItem:
    return MissingItem(remembered.view(row["entry_id"]), row["is_active"])
