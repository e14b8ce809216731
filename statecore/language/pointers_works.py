"""Phrases that point at a work, known by what it was asked for: "your letter", "那封信"."""

import re
from collections.abc import Iterator
from typing import Final

from statecore.language.works import FAMILIES, THEIRS

_NOUN: Final = "|".join(f"(?P<{family}>{words})" for family, words in FAMILIES.items())
_AGAIN_NOUN: Final = _NOUN.replace("(?P<", "(?P<z_")
_FORMS: Final = (
    # English says by the article that something is known.
    re.compile(
        rf"(?<!step\sof\s)\b(?:the|that|your|our)\s(?:[\w'-]+\s){{0,2}}?(?:{_NOUN})",
        re.IGNORECASE,
    ),
    # Russian: whose or which it is, or what is to be done with it, or what is asked about it.
    re.compile(
        r"(?:\b(?:тво|ваш|эт|т(?:о|от|ого|ому|ом|у|ой|а|ем)\b)\w{0,3}\s"
        r"|(?:^|,\s|\bи\s)(?:а\s)?[а-я]{2,}(?:[ий]|(?<![шт])ь|[ийь]те)\s(?:[а-я-]+\s){0,3}?"
        r"|\b(?:кому|как\w{1,3}|что|сколько|где|когда)\s(?:[а-я-]+\s){1,3}?"
        r"|^(?=[а-я]+,\sкотор\w+\s(?:ты|вы)\b))"
        rf"(?:{_NOUN})(?![^.?!]*\b(?:обычно|вообще)\b)",
        re.IGNORECASE,
    ),
    # Chinese: taken up with 把, pointed at, said to be yours, or gone on about.
    re.compile(
        r"(?:把|那[封首份篇个段]|这[封首份篇个段]|(?:你|您)(?:\w{1,4})?的|(?:之前|刚才|上面|前面|早先)的?"
        r"|再[^，。？！]{0,6}|进)[\u4e00-\u9fff的]{0,6}?"
        rf"(?:{_NOUN})|(?:(?<=^)|(?<=[，。？！在]))[\u4e00-\u9fff]{{0,4}}(?:{_AGAIN_NOUN})(?=[里中的是])",
        re.IGNORECASE,
    ),
)
_MAKING: Final = re.compile(
    r"\b(?:напиши|составь|сочини|придумай|подготовь)(?:те)?\s(?:мне\s)?(?:нов\w+\s)?(?=\w+)|一[封首份篇]"
    r"|\b(?:another|new)\b|\b(?:нов|друг)(?:ое|ый|ую|ая)\b|你喜欢|什么好",
    re.IGNORECASE,
)
_AGAIN: Final = re.compile(r"\b(?:еще\sраз|снова|заново)\b|再", re.IGNORECASE)


def works_pointed_at(sentence: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of what a sentence points at, where it is not somebody else's."""
    if THEIRS.search(sentence) or (_MAKING.search(sentence) and not _AGAIN.search(sentence)):
        return
    for pattern in _FORMS:
        for found in pattern.finditer(sentence):
            family = next(name for name, said in found.groupdict().items() if said)
            yield (*found.span(), family.removeprefix("z_"))
