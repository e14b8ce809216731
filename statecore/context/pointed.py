"""Finds the message that one phrase of the input means."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple, get_args

from statecore.context.spoken import Said, Spoken, place_of
from statecore.context.versions import versions
from statecore.language.features import Feature, FeatureKind, features
from statecore.language.items import Item, items
from statecore.language.pointers import LAST, Pointer, pointers
from statecore.language.terms import shared
from statecore.language.works import asks_for, names_other

FEATURE_KINDS: Final = frozenset(get_args(FeatureKind))

_SIGNS: Final[dict[str, tuple[str, ...]]] = {
    "link": ("://", "www.", "WWW."),
    "code": ("```", "~~~"),
    "table": ("|",),
    "list": ("\n",),
    "file": (".",),
}
"""Without its sign a text is not searched for a feature."""
_RECENT: Final = 6
"""Messages in which the step that was reached is looked for."""
_RARE_SHARE: Final = 25
"""A term is rare when at most every 25th message has it, or two have it."""
_ANNOUNCEMENT: Final = 200
"""Characters before a list in which it is said what it lists."""
_MOST_TERMS: Final = 16


class Found(NamedTuple):
    """A message and the part of it that is meant; the whole where the part says nothing."""

    said: Said
    start: int = 0
    end: int | None = None


def meant(spoken: Spoken, pointer: Pointer) -> Found | None:
    """Return what a phrase means in the loaded turns and the older messages read for it."""
    return _RESOLVERS.get(pointer.kind, _feature)(spoken, pointer)


def _feature(spoken: Spoken, pointer: Pointer) -> Found | None:
    if pointer.ordinal is not None and not pointer.from_end:
        return _nth(spoken, pointer, pointer.ordinal)
    if pointer.ordinal is not None:
        return _nth_last(spoken, pointer, pointer.ordinal)
    first: Found | None = None
    for found in _holders(spoken, pointer):
        if not pointer.terms or _is_about(spoken, found, pointer):
            return found
        first = first or found
    return first if pointer.is_sure else None


def _holders(spoken: Spoken, pointer: Pointer) -> Iterator[Found]:
    """Yield the features of a kind, newest first, then those of older messages."""
    older = reversed(spoken.older(pointer))
    for said in (*spoken.newest_first(pointer.speaker), *older):
        for feature in reversed(_features(said, pointer.kind)):
            yield Found(said, feature.start, feature.end)


def _features(said: Said, kind: str) -> Sequence[Feature]:
    text = said.message.text
    if not any(sign in text for sign in _SIGNS[kind]):
        return ()
    return [found for found in features(text) if found.kind == kind]


def _is_about(spoken: Spoken, found: Found, pointer: Pointer) -> bool:
    """Return whether the words that narrow stand there, or in what it answers."""
    passages = (_passage(found), spoken.asked(found.said))
    return any(shared(passage, pointer.terms) for passage in passages)


def _passage(found: Found) -> str:
    """Return the lines in which a part stands, and the line before them, which names it."""
    text = found.said.message.text
    start = text.rfind("\n", 0, max(0, text.rfind("\n", 0, found.start))) + 1
    end = text.find("\n", found.end or 0)
    return text[start : end if end >= 0 else len(text)]


def _nth(spoken: Spoken, pointer: Pointer, number: int) -> Found | None:
    """Return the n-th of the newest message that has several; else the n-th of the path."""
    newest = next(_holders(spoken, pointer), None)
    if newest is not None:
        several = _features(newest.said, pointer.kind)
        if len(several) >= max(2, number):
            return Found(newest.said, several[number - 1].start, several[number - 1].end)
    if not spoken.is_whole:
        return next(_in_older(spoken, pointer), None)
    ordered = reversed(list(_holders(spoken, pointer)))
    return next(islice(ordered, number - 1, None), None)


def _nth_last(spoken: Spoken, pointer: Pointer, number: int) -> Found | None:
    loaded = [found for found in _holders(spoken, pointer) if found.said in spoken.loaded]
    if len(loaded) >= number:
        return loaded[number - 1]
    return next(_in_older(spoken, pointer), None)


def _in_older(spoken: Spoken, pointer: Pointer) -> Iterator[Found]:
    for said in spoken.older(pointer):
        for feature in _features(said, pointer.kind):
            yield Found(said, feature.start, feature.end)


def _step(spoken: Spoken, pointer: Pointer) -> Found | None:
    number = pointer.ordinal or 1
    if pointer.from_end and pointer.ordinal is not None:
        reached = _reached(spoken)
        if reached is None or reached <= number:
            return _newest_list(spoken, pointer)
        number = reached - number
    return _numbered(spoken, pointer, number) or _item(spoken, pointer._replace(ordinal=number))


def _numbered(spoken: Spoken, pointer: Pointer, number: int) -> Found | None:
    found = (
        (said, [part for part in parts if part.is_numbered])
        for said, parts in _lists(spoken, pointer)
    )
    return _part(found, number)


def _item(spoken: Spoken, pointer: Pointer) -> Found | None:
    number = pointer.ordinal or 1
    if not pointer.is_sure:
        return _part(_announced(spoken, pointer), number)
    lists = (
        (said, parts)
        for said, parts in _lists(spoken, pointer)
        if not pointer.terms
        or any(shared(one, pointer.terms) for one in (said.message.text, spoken.asked(said)))
    )
    return _part(lists, number) or _version(spoken, pointer)


def _announced(spoken: Spoken, pointer: Pointer) -> Iterator[tuple[Said, Sequence[Item]]]:
    """Yield the lists that the words before them call what the phrase calls its item."""
    for said, parts in _lists(spoken, pointer):
        before = said.message.text[: parts[0].start][-_ANNOUNCEMENT:]
        if shared(before, pointer.terms):
            yield said, parts


def _part(lists: Iterable[tuple[Said, Sequence[Item]]], number: int) -> Found | None:
    for said, parts in lists:
        if number == LAST and parts:
            return Found(said, parts[-1].start, parts[-1].end)
        for part in parts:
            if part.number == number:
                return Found(said, part.start, part.end)
    return None


def _lists(spoken: Spoken, pointer: Pointer) -> Iterator[tuple[Said, Sequence[Item]]]:
    """Yield the messages with items, newest first, then older ones."""
    for said in (*spoken.newest_first(pointer.speaker), *reversed(spoken.older(pointer))):
        parts = items(said.message.text)
        if parts:
            yield said, parts


def _reached(spoken: Spoken) -> int | None:
    """Return the number of the step that was last spoken of."""
    for said in islice(spoken.newest_first(None), _RECENT):
        named = [
            one.ordinal
            for one in pointers(said.message.text)
            if one.kind == "step" and not one.from_end and one.ordinal not in {None, LAST}
        ]
        if named:
            return named[-1]
    return None


def _newest_list(spoken: Spoken, pointer: Pointer) -> Found | None:
    first: Found | None = None
    for said, parts in _lists(spoken, pointer):
        if len(parts) > 1:
            found = Found(said, parts[0].start, parts[-1].end)
            if parts[0].is_numbered:
                return found
            first = first or found
    return first


def _message(spoken: Spoken, pointer: Pointer) -> Found | None:
    place = place_of(pointer, spoken.tip_depth)
    if place is None:
        return None
    said = spoken.at(place) or next(iter(spoken.older(pointer)), None)
    return Found(said) if said else None


def _version(spoken: Spoken, pointer: Pointer) -> Found | None:
    found = versions(spoken)
    if pointer.terms and not any(
        shared(said.message.text, pointer.terms) for said in spoken.newest_first(None)
    ):
        return None
    place = len(found) - (pointer.ordinal or 1) if pointer.from_end else (pointer.ordinal or 1) - 1
    return Found(found[place]) if len(found) > 1 and 0 <= place < len(found) else None


def _text(spoken: Spoken, pointer: Pointer) -> Found | None:
    """Return what has the most of the words; an answer also by what it was asked for.

    Of versions of one text it is the newest.
    """
    best: Said | None = None
    most = 0
    speaker = pointer.speaker or "assistant"
    for said in spoken.newest_first(speaker):
        passages = (said.message.text, spoken.asked(said) if speaker == "assistant" else "")
        count = max(shared(passage, pointer.terms) for passage in passages)
        if count > most:
            best, most = said, count
    if best is None:
        return None
    run = versions(spoken)
    return Found(run[-1] if best in run else best)


def _work(spoken: Spoken, pointer: Pointer) -> Found | None:
    """Return the newest answer that was asked for as such a work; of its versions the newest."""
    family = next(iter(pointer.terms))
    for said in spoken.newest_first("assistant"):
        if asks_for(family, spoken.asked(said)):
            return Found(_newest_version(spoken, said, family))
    return None


def _newest_version(spoken: Spoken, said: Said, family: str) -> Said:
    """Return the newest version of a work; what was asked for as another kind is none."""
    run = versions(spoken)
    newest = said
    for later in run[run.index(said) + 1 :] if said in run else ():
        if names_other(family, spoken.asked(later)):
            break
        newest = later
    return newest


def _back(spoken: Spoken, pointer: Pointer) -> Found | None:
    """Return the message that shares the rarest words; of equals the newest."""
    named = sorted(pointer.terms, key=lambda term: (-len(term), term))[:_MOST_TERMS]
    said_by_both = list(spoken.newest_first(None))
    having = {
        term: {said.message.id for said in said_by_both if term in spoken.folded(said)}
        for term in named
    }
    few = max(2, len(said_by_both) // _RARE_SHARE)
    rare = {term: ids for term, ids in having.items() if 0 < len(ids) <= few}
    best: Said | None = None
    best_score = 0.0
    for said in spoken.newest_first(pointer.speaker):
        own = [term for term, ids in rare.items() if said.message.id in ids]
        if not own or not shared(said.message.text, frozenset(own)):
            continue
        score = sum(1 / len(ids) for ids in having.values() if said.message.id in ids)
        if score > best_score:
            best, best_score = said, score
    return located(best, _rarest(best, rare)) if best else None


def _rarest(said: Said, rare: dict[str, set[str]]) -> str:
    """Return the rarest of the terms that a message has."""
    own = [term for term, ids in rare.items() if said.message.id in ids]
    return min(own, key=lambda term: (len(rare[term]), -len(term), term))


def located(said: Said, words: str) -> Found:
    """Return a message with the line in which folded words begin; the whole where none does."""
    text = said.message.text
    pattern = r"\s+".join(map(re.escape, words.split())).replace("е", "[её]")
    found = re.search(pattern, text, re.IGNORECASE)
    if found is None:
        return Found(said)
    start = text.rfind("\n", 0, found.start()) + 1
    end = text.find("\n", found.end())
    return Found(said, start, end if end >= 0 else len(text))


_RESOLVERS: Final[dict[str, Callable[[Spoken, Pointer], Found | None]]] = {
    "step": _step,
    "item": _item,
    "message": _message,
    "version": _version,
    "text": _text,
    "work": _work,
    "back": _back,
}
