"""Missing: what matters most of all that was said, and is not in the request."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from statecore.context.named import has_telling
from statecore.context.remembering import remembered
from statecore.context.selection import LeftOut, Selected
from statecore.language.marks import Mark, marks
from statecore.memory.ledger import Entry
from statecore.memory.summary import is_live

MissingKind = Literal["correction", "refusal", "rule", "value", "unread"]
"""correction: it takes back something said before; refusal: the user declined or forbade; rule:
what else must be; value: an exact value; unread: turns that memory has still to read, so nobody
knows what they hold."""


class Missing(NamedTuple):
    """One entry of the ledger that the request does not hold."""

    entry_id: str
    """Empty for unread turns."""
    kind: MissingKind
    """The first of its kinds, in the order of `MissingKind`."""
    is_active: bool
    """False for what was replaced, paused or done."""
    turns: int = 1
    """How many are unread; of an entry 1."""


def missing(
    entries: Iterable[Entry], left_out: Iterable[LeftOut], selected: Iterable[Selected]
) -> tuple[Missing, ...]:
    """Return the corrections, refusals, rules and exact values that a request does not hold.

    Args:
        entries: of the ledger, in their order; what was deleted is never missing.
        left_out: by the plan; what stands word for word in the window is not missing.
        selected: by the plan.
    """
    known = tuple(entries)
    inside = {found.id for found in selected}
    inside.update(found.id for found in left_out if found.reason == "visible")
    correcting = {entry.superseded_by for entry in known}
    return tuple(
        Missing(entry.id, kind, is_live(entry))
        for entry in known
        if entry.id not in inside
        and entry.status != "deleted"
        and (kind := _kind(entry, is_correcting=entry.id in correcting))
    )


def _kind(entry: Entry, *, is_correcting: bool) -> MissingKind | None:
    found = _marks(entry.text)
    if is_correcting or "correction" in found:
        return "correction"
    if not found.isdisjoint({"refusal", "prohibition"}):
        return "refusal"
    if entry.kind == "rule":
        return "rule"
    return "value" if _has_value(entry.text) else None


@remembered
def _has_value(text: str) -> bool:
    return has_telling(text)


@remembered
def _marks(text: str) -> frozenset[Mark]:
    return marks(text)
