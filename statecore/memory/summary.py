"""The short version of the ledger: what is given back to the model, in a fixed order of rank."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal, NamedTuple

from statecore.language.terms import shared, terms
from statecore.memory.exactness import is_exact
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
    "exact",
    "newest",
    "assumption",
]
"""pinned, edited, added: a person did; goal to open and assumption: what its line always holds;
named_by_input: it shares words with the input; exact: a correction, a refusal, or an exact value;
newest: of the rest the newest come first."""

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


LEADING: dict[EntryGroup, int] = {"goal": 8, "rule": 48, "agreement": 8, "open": 8}
"""Of a line so many come before exact values that were said; a hundred wishes of the day would push
them out. What a person touched and what is exact itself always does."""

ASKED_CHARS = 20_000
"""What is asked stands before or behind a pasted document, which names everything."""


class Ranked(NamedTuple):
    """An entry that may be given back, and why it stands where it does."""

    entry: Entry
    group: EntryGroup
    reason: EntryReason
    is_exact: bool = False
    """Whether it is a correction, a refusal, or has an exact value."""


class _Place(NamedTuple):
    """What decides the order; smaller comes first."""

    is_behind: bool
    group: int
    by_model: bool
    """False for what a person edited, added or pinned."""
    not_latest_agreement: bool
    shared_terms: int
    """Negative: more comes first."""
    not_exact: bool
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
    shares with the input, corrections and exact values next, then the newest; assumptions last.
    What a person edited, added or pinned comes first in its group. Where a group has very many,
    the oldest of them come behind exact values.

    Args:
        entries: of the ledger, in any order and any status.
        input_text: what the user has just said.
    """
    known = tuple(entries)
    live = [entry for entry in known if is_live(entry)]
    correcting = {entry.superseded_by for entry in known if entry.superseded_by}
    named = terms(_asked(input_text))
    latest = _latest_agreement(live)
    found = [
        (_place(entry, named, latest, is_correcting=entry.id in correcting), entry)
        for entry in live
    ]
    found.sort(key=lambda pair: pair[0])
    return tuple(
        Ranked(entry, _GROUP_OF[entry.kind], _reason(entry, place), not place.not_exact)
        for place, entry in _with_leading(found)
    )


def _with_leading(found: Iterable[tuple[_Place, Entry]]) -> list[tuple[_Place, Entry]]:
    """Return entries in order, of each crowded group the oldest behind what is exact."""
    room = dict(LEADING)
    places = []
    for place, entry in found:
        group = _GROUP_OF[entry.kind]
        is_behind = place.is_behind
        if group in room and place.by_model and place.not_exact:
            room[group] -= 1
            is_behind = room[group] < 0
        places.append((place._replace(is_behind=is_behind), entry))
    return sorted(places, key=lambda pair: pair[0])


def _asked(text: str) -> str:
    if len(text) <= ASKED_CHARS:
        return text
    return f"{text[: ASKED_CHARS // 2]}\n{text[-ASKED_CHARS // 2 :]}"


def _latest_agreement(entries: Sequence[Entry]) -> str | None:
    agreements = [entry for entry in entries if entry.kind == "agreement"]
    newest = max(agreements, key=lambda entry: (entry.said_seq, entry.id), default=None)
    return None if newest is None else newest.id


def _place(
    entry: Entry, named: AbstractSet[str], latest_agreement: str | None, *, is_correcting: bool
) -> _Place:
    group = _GROUP_OF[entry.kind]
    by_model = touch_of(entry) is None
    shared_terms = -shared(entry.text, named) if group == "other" else 0
    not_exact = not (is_correcting or is_exact(entry.text))
    is_other = group not in LEADING
    return _Place(
        is_behind=is_other and by_model and not shared_terms and not_exact,
        group=GROUPS.index(group),
        by_model=by_model,
        not_latest_agreement=entry.id != latest_agreement,
        shared_terms=shared_terms,
        not_exact=not_exact,
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
    if place.shared_terms:
        return "named_by_input"
    return "newest" if place.not_exact else "exact"
