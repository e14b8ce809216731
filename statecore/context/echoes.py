"""Echoes: where a text tells a removed statement again, in its words, its values or other words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from statecore.context.remembering import remembered
from statecore.language.mentions import Span
from statecore.language.sentences import sentences
from statecore.language.spellings import Needle, flat, literal, needles, squeezed
from statecore.language.terms import terms

ECHO_BYTES = 16
"""Shorter sentences ("No.", "Yes, please") are no echo where they stand again."""

_ENDS = " .,;:!?…。！？，；\"'“”«»"
_EDGES = r"(?<![0-9A-Za-z])(?:{})(?![0-9A-Za-z])"
"""Letters of other scripts may touch a value: Chinese has no spaces."""
_ADDRESSED = re.compile(
    r"\b(?:you|your|yours|ты|тебя|тебе|тобой|вы|вас|вам|вами|(?:тво|ваш)\w{0,4})\b|[你您]",
    re.IGNORECASE,
)
_PERSONAL = re.compile(
    r"\b(?:i|my|me|mine|we|our|us|you|your|yours|(?:мо|тво|наш|ваш|сво)[а-я]{1,3}|наш|ваш|я|мне|меня)\b"
    r"|[我你您]们?的?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_\u3400-\u9fff]+(?:[-'’][^\W_\u3400-\u9fff]+)*|[\u3400-\u9fff]+")
_CLEAR = 3
"""Fewer shared words tell a statement again only where it is clear whose they are."""
_SHORTEST_VERB = 5
_ENDING = 3
_MOST = 0.8
_MANY = 0.6
"""Part of its content words that tells a statement again: in any sentence, and in one that speaks
to the user or answers it."""


class Echo(NamedTuple):
    """A removed statement, and how it is known again."""

    statement: str
    said_in: frozenset[str]
    """Ids of the messages that said it."""
    needles: tuple[Needle, ...]
    """Its values; those of statements that still hold are not among them."""
    terms: frozenset[str]
    """Its content words."""
    begins: tuple[str, ...]
    """How they begin, without signs."""
    held: tuple[frozenset[str], ...] = ()
    """Content words of statements that still hold and are like it."""


def echo_of(statement: str, said_in: Iterable[str], live: Sequence[str]) -> Echo:
    """Return how a removed statement is known again.

    Args:
        statement: its words.
        said_in: ids of the messages that said it.
        live: statements that still hold; what they hold is no echo.
    """
    words = (statement.strip(_ENDS) or statement,)
    said = words if len(statement.encode()) >= ECHO_BYTES else ()
    found = [
        *map(literal, said),
        *_needles(statement),
    ]
    free = [one for one in found if not any(_found(one, text) for text in live)]
    own = _content(statement)
    begins = tuple(squeezed(term)[: _SHORTEST_VERB - 1] for term in sorted(own))
    like = tuple(held for text in live if (held := _content(text)) & own)
    return Echo(statement, frozenset(said_in), tuple(free), own, begins, like)


@lru_cache(maxsize=2_048)
def _needles(statement: str) -> tuple[Needle, ...]:
    return needles(statement)


@lru_cache(maxsize=4_096)
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(_EDGES.format(pattern), re.IGNORECASE)


@remembered
def _content(text: str) -> frozenset[str]:
    return terms(_PERSONAL.sub(" ", text))


def holds_echo(echo: Echo, text: str) -> bool:
    """Return whether a text has the words of a statement or a value that tells it."""
    return any(one.is_sure and _found(one, text) for one in echo.needles)


def _found(needle: Needle, text: str) -> bool:
    return next(_places_of(needle, text), None) is not None


def _places_of(needle: Needle, text: str) -> Iterator[Span]:
    return _searched(needle, text, _squeezed(text))


def _searched(needle: Needle, text: str, letters: str) -> Iterator[Span]:
    # Nearly every text has none of it: this runs for each statement and each message.
    for words in needle.hints:
        for word in words:
            if word not in letters:
                break
        else:
            yield from (found.span() for found in _pattern(needle.pattern).finditer(_flat(text)))
            return


_flat = remembered(flat)
_squeezed = remembered(squeezed)


def echo_spans(echo: Echo, text: str, *, answers_it: bool) -> Iterator[Span]:
    """Yield the stretches of a text that tell a statement again; they may overlap.

    Args:
        echo: the statement.
        text: of an assistant or a tool.
        answers_it: whether the text answers the message that said it.
    """
    letters = _squeezed(text)
    for one in echo.needles:
        for start, end in _searched(one, text, letters):
            if one.is_sure or answers_it or _is_about(echo, _flat(text), start, end):
                yield start, end
    if _may_retell(echo, letters):
        yield from _retold(echo, _flat(text), answers_it=answers_it)


def _is_about(echo: Echo, text: str, begin: int, stop: int) -> bool:
    """Return whether the sentence around a value has a content word of the statement beside it."""
    here = next((words for start, end, words in _read(text) if start <= begin < end), frozenset())
    return bool(_without_figures(here & echo.terms) - terms(text[begin:stop]))


def _may_retell(echo: Echo, letters: str) -> bool:
    """Whether enough of a statement's content words may stand in a text to cut it in sentences."""
    needed = _MANY * len(echo.terms)
    return bool(needed) and sum([begin in letters for begin in echo.begins]) >= needed


def _retold(echo: Echo, text: str, *, answers_it: bool) -> Iterator[Span]:
    own = echo.terms
    for start, end, words in _read(text):
        both, as_said = _shared(own, words)
        if both and _tells(echo, words, both, text[start:end], answers_it=answers_it):
            places = list(_places(text, start, end, as_said))
            if places:
                yield places[0][0], places[-1][1]


def _shared(own: frozenset[str], words: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return which words of a statement a sentence has, and how they stand there.

    Russian verbs end and sound otherwise when "I" becomes "you": "развожусь", "разводитесь".
    """
    found = {term: {term} & words or _like(term, words) for term in own}
    return (
        frozenset(term for term, said in found.items() if said),
        frozenset(word for said in found.values() for word in said),
    )


def _like(term: str, words: frozenset[str]) -> set[str]:
    if len(term) < _SHORTEST_VERB or not "а" <= term[0] <= "я":
        return set()
    begin = term[: max(_SHORTEST_VERB - 1, len(term) - _ENDING)]
    return {word for word in words if word.startswith(begin) and len(word) < len(term) + _ENDING}


def _tells(
    echo: Echo, words: frozenset[str], both: frozenset[str], sentence: str, *, answers_it: bool
) -> bool:
    """Return whether a sentence that shares content words with a statement tells it."""
    if any(len(held & words) >= len(both) for held in echo.held):
        return False
    figures = _figures(words)
    if figures and _figures(echo.terms) and not figures & echo.terms:
        # It is about another value.
        return False
    if not _without_figures(both) and _without_figures(echo.terms):
        return False
    part = len(both) / len(echo.terms)
    is_addressed = _ADDRESSED.search(sentence) is not None
    if len(echo.terms) == 1:
        return is_addressed
    if len(both) < _CLEAR and not is_addressed:
        return answers_it and both == echo.terms
    return part >= (_MANY if is_addressed or answers_it else _MOST)


def _without_figures(words: frozenset[str]) -> frozenset[str]:
    return words - _figures(words)


def _figures(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if word[:1].isdigit())


@remembered
def _read(text: str) -> tuple[tuple[int, int, frozenset[str]], ...]:
    """Return the sentences of a text with their content words."""
    return tuple((one.start, one.end, _content(one.text)) for one in sentences(text))


def _places(text: str, start: int, end: int, named: frozenset[str]) -> Iterator[Span]:
    """Yield where content words stand, in order."""
    for found in _WORD.finditer(text, start, end):
        if found[0][0] < "\u3400":
            if terms(found[0]) & named:
                yield found.span()
            continue
        for at in range(found.start(), found.end()):
            if text[at : at + 2] in named:
                yield at, min(at + 2, found.end())
            elif text[at] in named:
                yield at, at + 1
