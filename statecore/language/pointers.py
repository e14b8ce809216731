"""Pointers: phrases of an input that point back at what was said, in three languages."""

import re
from collections.abc import Iterable, Iterator

from statecore.language import pointers_chinese, pointers_english, pointers_russian
from statecore.language.features import Feature, features
from statecore.language.pointer_cues import LAST, Form, Pointer, PointerCues, PointerKind, Speaker
from statecore.language.pointers_works import works_pointed_at
from statecore.language.quotes import without_quotes
from statecore.language.terms import terms

__all__ = ["LAST", "Pointer", "PointerKind", "Speaker", "pointers"]

_LANGUAGES = (pointers_english.CUES, pointers_russian.CUES, pointers_chinese.CUES)
_FENCED = re.compile(r"(?:```|~~~).*?(?:```|~~~|\Z)", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_FOLDED = str.maketrans({"’": "'", "ё": "е", "Ё": "Е", "\u00a0": " ", "\t": " "})
_SENTENCE_END = re.compile(r"[.!?。！？\n](?=\s|\Z|[\u3400-\u9fff])|[。！？\n]")
_ABOUT = re.compile(
    r"\b(?:about|regarding|concerning|про|насчет|об?|касательно)\s+([^,.;:?!]{2,60})"
    r"|关于([^，。；：？！]{2,30})",
    re.IGNORECASE,
)
_EMPTY = terms(
    "thing things stuff way mean use work need want make right correct true wrong say said saying"
    " ask asked tell told mention idea point answer question matter remember now still else again"
    " вещь дело насчет поводу правда верно назад вроде помнишь помните значит сейчас сказать скажи"
    " вопрос ответ снова опять теперь нет"
)
_EMPTY_HAN = re.compile(
    "这样|那样|这么|那么|什么|怎么|为什么|多少|可以|能不能|是不是|有没有|没有|一下|现在|还是|关于|觉得|问题"
    "|[吗呢吧还再]"
)
"""They say nothing of what is meant, wherever else they stand."""
_HALF = 1_500
"""A question stands before or after what was pasted: so much of each end is looked through."""
_PLACED = frozenset({"version", "message", "step"})
_OWN_KINDS = frozenset({"link", "code", "table", "list", "file"})


def pointers(text: str) -> tuple[Pointer, ...]:
    """Return the phrases of a text that point back, in order; none overlaps another.

    Words in quotation marks, quoted lines and code are mentioned, not meant. "This code" means
    what stands in the text itself, where it holds some.
    """
    begin, gap = text, 0
    if len(text) > 2 * _HALF:
        gap = len(text) - 2 * _HALF
        begin = f"{text[:_HALF]}\n{text[-_HALF + 1 :]}"
    meant = _meant(begin)
    found: list[Pointer] = []
    by_words: list[Pointer] = []
    own: frozenset[str] | None = None
    for cues in _LANGUAGES:
        for pointer in _of_language(meant, cues):
            if pointer.kind in _OWN_KINDS:
                own = _kinds(features(text)) if own is None else own
                if pointer.kind in own:
                    continue
            (by_words if pointer.kind == "back" else found).append(pointer)
    works = _works(meant, found)
    found = [
        one
        for one in found
        if one.kind != "text"
        or not any(work.start < one.end and one.start < work.end for work in works)
    ]
    found += works
    kept = tuple(_without_vague(meant, _apart(found)))
    backs = (
        one
        for one in _by_words(meant, by_words, kept)
        if not any(work.start < one.end and one.start < work.end for work in works)
    )
    return tuple(
        one if one.start < _HALF else one._replace(start=one.start + gap, end=one.end + gap)
        for one in _apart([*kept, *backs])
    )


def _works(meant: str, found: list[Pointer]) -> list[Pointer]:
    """Return what points at a work beside the things, places and versions that were found."""
    taken = [(one.start, one.end) for one in found if one.kind != "text"]
    works = []
    begin = 0
    while begin < len(meant):
        _, end = _sentence(meant, begin, begin)
        # "The second version of the letter" is one thing, and its place says which.
        has_place = any(one.kind in _PLACED and begin <= one.start < end for one in found)
        for start, stop, family in () if has_place else works_pointed_at(meant[begin:end]):
            span = (begin + start, begin + stop)
            if not any(first < span[1] and span[0] < last for first, last in taken):
                works.append(
                    Pointer(
                        "work", *span, terms=frozenset({family}), speaker="assistant", is_sure=False
                    )
                )
        begin = end + 1
    return works


def _by_words(meant: str, found: list[Pointer], others: tuple[Pointer, ...]) -> Iterator[Pointer]:
    """Yield what points back by its words, one a sentence; a place named there says more."""
    rest = list(meant)
    for pointer in (*found, *others):
        rest[pointer.start : pointer.end] = " " * (pointer.end - pointer.start)
    without = "".join(rest)
    places = _places(others)
    last_end = 0
    for pointer in sorted(found, key=lambda one: one.start):
        begin, end = _sentence(meant, pointer.start, pointer.end)
        if pointer.start >= last_end and not any(begin <= place < end for place in places):
            last_end = end
            about = _ABOUT.search(without, pointer.end, end)
            words = next(filter(None, about.groups()), "") if about else ""
            named = _telling(words) or _telling(without[begin:end]) or _telling(without)
            yield pointer._replace(terms=named)


def _places(found: Iterable[Pointer]) -> list[int]:
    return [one.start for one in found if one.kind == "message"]


def _without_vague(meant: str, found: tuple[Pointer, ...]) -> Iterator[Pointer]:
    """Leave out what may point back where the same sentence names a message."""
    places = _places(found)
    for pointer in found:
        begin, end = (0, 0) if pointer.is_sure else _sentence(meant, pointer.start, pointer.end)
        if not any(begin <= place < end for place in places):
            yield pointer


def _telling(text: str) -> frozenset[str]:
    return terms(_EMPTY_HAN.sub(" ", text)) - _EMPTY


def _kinds(found: tuple[Feature, ...]) -> frozenset[str]:
    return frozenset(feature.kind for feature in found)


def _meant(text: str) -> str:
    """Return the text with spaces in place of what is only mentioned; offsets stay."""
    blanked = _QUOTED_LINE.sub(_blank, _FENCED.sub(_blank, text))
    return without_quotes(blanked).translate(_FOLDED)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _of_language(meant: str, cues: PointerCues) -> Iterator[Pointer]:
    if not cues.script.search(meant):
        return
    taken = [found.span() for found in cues.traps.finditer(meant)]
    for form in cues.forms:
        for found in form.pattern.finditer(meant):
            span = found.span("phrase" if "phrase" in form.pattern.groupindex else 0)
            if any(start < span[1] and span[0] < end for start, end in taken):
                continue
            pointer = _pointer(form, found, span, cues)
            if pointer is not None:
                taken.append(span)
                yield pointer


def _pointer(
    form: Form, found: re.Match[str], span: tuple[int, int], cues: PointerCues
) -> Pointer | None:
    groups = {name: value for name, value in found.groupdict().items() if value}
    ordinal, from_end = form.ordinal, form.from_end or form.ordinal is None
    if "n" in groups:
        number = cues.number(groups["n"])
        if number is None:
            return None
        ordinal, from_end = abs(number), form.from_end or number < 0
        if form.kind in {"step", "item"} and number == LAST:
            ordinal, from_end = LAST, False
    narrow = " ".join(groups[name] for name in ("narrow", "after") if name in groups)
    speaker = form.speaker
    if "my" in groups or "your" in groups:
        speaker = "user" if "my" in groups else "assistant"
    return Pointer(form.kind, *span, ordinal, from_end, terms(narrow), speaker, form.is_sure)


def _sentence(meant: str, start: int, end: int) -> tuple[int, int]:
    """Return where the sentence around a phrase begins and ends."""
    begin = 0
    for stop in _SENTENCE_END.finditer(meant):
        if stop.end() <= start:
            begin = stop.end()
        elif stop.start() >= end:
            return begin, stop.start()
    return begin, len(meant)


def _apart(found: list[Pointer]) -> tuple[Pointer, ...]:
    kept: list[Pointer] = []
    for pointer in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or kept[-1].end <= pointer.start:
            kept.append(pointer)
    return tuple(kept)
