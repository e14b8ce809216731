"""Terms: the content words of a text, folded, by which two texts are found to share a subject."""

import re
import unicodedata
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
_HAN = re.compile(r"[\u3400-\u9fff]+")

_STOPS = """
    a an the and or but if then than so as of at by for from in into on onto to with without
    about over under up down out off is am are was were be been being do does did done have has
    had having will would shall should can could may might must not no nor i me my mine we us
    our you your he him his she her it its they them their this that these those there here what
    which who whom whose when where why how all any some each every both more most much many
    very just also too only again please yes ok okay let get got i'm i'd i'll i've it's that's
    don't doesn't didn't isn't can't won't we're you're let's и а но или если то так как что
    чтобы чем в во на о об обо от до по под при про с со к ко у из за для без над через не ни
    нет да ли же бы ведь вот это этот эта эти этого этой этом тот та те того той том я меня мне
    мной мы нас нам ты тебя тебе вы вас вам он его ему она её ее ей оно они их им мой моя моё
    мое мои наш наша наши твой ваш ваша свой свою своё свое свои себя кто где когда почему зачем
    какой какая какое какие который которая которое которые быть был была было были будет будут
    есть можно нужно надо очень уже ещё еще тоже также только всё все весь вся пожалуйста там
    тут здесь раз
"""
_STOP_WORDS = frozenset(_STOPS.split())
_STOP_HAN = re.compile("[的了吗呢吧啊呀是我你您他她它们在有和与或就都也很这那请把被给让个]+")

_RUSSIAN_ENDING = re.compile(
    r"(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|ться|тся|ешь|ишь|ете|ите|ал[аи]|ил[аи]|ать|ять|ить|еть"
    r"|ая|яя|ое|ее|ые|ие|ый|ий|ой|ей|ую|юю|ым|им|ом|ем|ах|ях|ов|ев|ам|ям|ет|ит|ут|ют|ат|ят|ал|ил"
    r"|ия|ии|ию|а|я|о|е|ы|и|у|ю|ь|й)\Z"
)
_ENGLISH_ENDING = re.compile(r"(?:'s|ings?|ed|es|s|e)\Z")
_SHORTEST_STEM = 3
_FEW = 64
"""Of more terms than these a text is cheaper cut into words than searched for each."""


def terms(text: str) -> frozenset[str]:
    """Return the content words of a text, without case and common endings.

    Chinese is written without spaces: it gives pairs of neighbouring characters. Numbers and codes
    stay as they are.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return frozenset((*_words(_HAN.sub(" ", folded)), *_pairs(folded)))


def shared(text: str, named: AbstractSet[str]) -> int:
    """Return how many of the named terms are terms of a text."""
    # A term stands in the folded text as it is; most texts hold none, and are not cut into words.
    if len(named) <= _FEW:
        folded = _plain(unicodedata.normalize("NFKC", text).casefold())
        if not any(term in folded for term in named):
            return 0
    return len(terms(text) & named)


def _words(text: str) -> Iterator[str]:
    for found in _WORD.finditer(text):
        word = found[0].replace("’", "'")
        if word in _STOP_WORDS:
            continue
        yield _stem(word)
        if "-" in word:
            yield from (_stem(part) for part in _PART.findall(word) if part not in _STOP_WORDS)


def _stem(word: str) -> str:
    """Return a word without a common ending, as long as enough of it is left."""
    word = _plain(word)
    ending = _ENGLISH_ENDING if word[0].isascii() else _RUSSIAN_ENDING
    found = ending.search(word)
    return word[: found.start()] if found and found.start() >= _SHORTEST_STEM else word


def _plain(text: str) -> str:
    return text.replace("’", "'").replace("ё", "е")


def _pairs(text: str) -> Iterator[str]:
    for run in _HAN.findall(text):
        for piece in _STOP_HAN.split(run):
            if len(piece) == 1:
                yield piece
            yield from (piece[at : at + 2] for at in range(len(piece) - 1))
