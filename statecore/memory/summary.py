"""The short version of the ledger: what is given back to the model, in a fixed order of rank."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal, NamedTuple

from statecore.language.terms import shared, terms
from statecore.memory.ledger import Entry, EntryKind

EntryGroup = Literal["goal", "rule", "agreement", "open", "other", "assumption"]
"""The lines of the short version, in the order of rank. rule: rules and prohibitions; agreement:
agreements and decisions; open: questions, tasks and promises; other: facts, preferences, steps."""

EntryReason = Literal[
    "pinned",
    "edited",
    "added",
    "goal",
    "rule",
    "agreement",
    "open",
    "named_by_input",
    "newest",
    "assumption",
]
"""pinned, edited, added: a person did; goal to open and assumption: what its line always holds;
named_by_input: it shares words with the input; newest: of the rest the newest come first."""

GROUPS: tuple[EntryGroup, ...] = ("goal", "rule", "agreement", "open", "other", "assumption")

TOUCHED: frozenset[EntryReason] = frozenset({"pinned", "edited", "added"})
"""Reasons that a person gave."""

_GROUP_OF: dict[EntryKind, EntryGroup] = {
    "goal": "goal",
    "rule": "rule",
    "agreement": "agreement",
    "decision": "agreement",
    "promise": "open",
    "task": "open",
    "question": "open",
    "fact": "other",
    "preference": "other",
    "step": "other",
    "assumption": "assumption",
}


ASKED_CHARS = 20_000
"""What is asked stands before or behind a pasted document, which names everything."""


class Ranked(NamedTuple):
    """An entry that may be given back, and why it stands where it does."""

    entry: Entry
    group: EntryGroup
    reason: EntryReason


class _Place(NamedTuple):
    """What decides the order; smaller comes first."""

    group: int
    by_model: bool
    """False for what a person edited, added or pinned."""
    not_latest_agreement: bool
    shared_terms: int
    """Negative: more comes first."""
    said_seq: int
    """Negative: newer comes first."""
    id: str


def is_live(entry: Entry) -> bool:
    """Return whether an entry may be given back as what holds; a paused goal does not hold."""
    return entry.status in {"active", "in_conflict"}


def touch_of(entry: Entry) -> EntryReason | None:
    """Return what a person did to an entry so that it always comes along, or None."""
    if entry.pinned:
        return "pinned"
    if entry.is_edited:
        return "edited"
    return "added" if entry.author == "user" else None


def ranked(entries: Iterable[Entry], input_text: str) -> tuple[Ranked, ...]:
    """Return the live entries in the order in which the short version is filled.

    Goals, rules, agreements and decisions, open matters; then the rest by the words that it
    shares with the input, then the newest; assumptions last. What a person edited, added or
    pinned comes first in its group.

    Args:
        entries: of the ledger, in any order and any status.
        input_text: what the user has just said.
    """
    live = [entry for entry in entries if is_live(entry)]
    named = terms(_asked(input_text))
    latest = _latest_agreement(live)
    found = [(_place(entry, named, latest), entry) for entry in live]
    found.sort(key=lambda pair: pair[0])
    return tuple(
        Ranked(entry, _GROUP_OF[entry.kind], _reason(entry, place)) for place, entry in found
    )


def _asked(text: str) -> str:
    if len(text) <= ASKED_CHARS:
        return text
    return f"{text[: ASKED_CHARS // 2]}\n{text[-ASKED_CHARS // 2 :]}"


def _latest_agreement(entries: Sequence[Entry]) -> str | None:
    agreements = [entry for entry in entries if entry.kind == "agreement"]
    newest = max(agreements, key=lambda entry: (entry.said_seq, entry.id), default=None)
    return None if newest is None else newest.id


def _place(entry: Entry, named: AbstractSet[str], latest_agreement: str | None) -> _Place:
    group = _GROUP_OF[entry.kind]
    return _Place(
        group=GROUPS.index(group),
        by_model=touch_of(entry) is None,
        not_latest_agreement=entry.id != latest_agreement,
        shared_terms=-shared(entry.text, named) if group == "other" else 0,
        said_seq=-entry.said_seq,
        id=entry.id,
    )


def _reason(entry: Entry, place: _Place) -> EntryReason:
    touch = touch_of(entry)
    if touch is not None:
        return touch
    group = _GROUP_OF[entry.kind]
    if group != "other":
        return group
    return "named_by_input" if place.shared_terms else "newest"
