"""Names and addresses of a statement, as they may be told again."""

import re
from collections.abc import Iterator
from typing import Final

_STREETS: Final = {
    "street": "st",
    "road": "rd",
    "avenue": "ave?",
    "lane": "la?ne?",
    "drive": "dr",
    "square": "sq",
    "court": "ct",
    "place": "pl",
    "boulevard": "blvd",
    "terrace": "ter",
    "close": "cl",
    "crescent": "cres",
    "gardens": "gdns",
    "way": "way",
    "quay": "quay",
    "row": "row",
    "hill": "hill",
    "park": "pk",
}
_NAMED: Final = r"[A-Z][\w'’-]+"
_STREET_EN: Final = re.compile(
    rf"(?<![\w.,-])(?P<number>\d{{1,5}}[A-Za-z]?),?\s(?P<name>(?:{_NAMED}\s){{1,3}}?)"
    rf"(?P<kind>(?:{'|'.join(f'{kind}|{short}' for kind, short in _STREETS.items())}))\b",
    re.IGNORECASE,
)
_STREET_ONE_WORD: Final = re.compile(
    r"(?P<name>[A-ZÄÖÜÆØÅ]\w{2,}(?:gata|gate|gaten|vei|veien|vej|stra(?:ß|ss)e|str\.|gasse|weg|platz"
    r"|allee|straat|laan|gracht))\s(?P<number>\d{1,4}\s?[a-zA-Z]?)(?!\w)"
)
_STREET_ROMANCE: Final = re.compile(
    r"(?P<before>\d{1,4},?\s)?(?P<name>\b(?:[Rr]ue|[Vv]ia|[Cc]alle|[Aa]venida|[Pp]iazza)\s(?:\w{1,3}\s){0,2}"
    r"[A-ZÀ-Ý]\w+)(?:,?\s(?P<number>\d{1,4}))?"
)
_STREET_RU: Final = re.compile(
    r"(?:ул(?:\.|иц\w{1,2})|пр(?:осп(?:ект\w{0,2}|\.)|-т)|пер(?:\.|еул\w{2,4})|шоссе|наб(?:\.|ережн\w{2,3})"
    r"|бул(?:ьвар\w{0,2}|\.)|пл(?:\.|ощад\w{1,2}))\s?(?P<name>[А-Я][\w-]+(?:\s[А-Я][\w-]+)?)"
    r"(?:,?\s*(?:д(?:\.|ом\w{0,2})?\s*)?(?P<number>\d{1,4}\s?[а-яА-Я]?(?![а-яА-Я\d])))?"
)
_STREET_ZH: Final = re.compile(
    r"(?P<name>[\u4e00-\u9fff]{2,6}?(?:路|街|大道|巷|弄|胡同))\s?(?P<number>\d{1,5}|[一二三四五六七八九十百]{1,5})\s?(?:号|弄)"
)
_HAN_LEAD: Final = re.compile(r"^.*(?:住在|位于|地址是|家在|在|是)")

_CALLED: Final = re.compile(
    rf"(?:\b(?:name(?:'s|’s|\sis)|call(?:ed)?(?:\sme)?|named|I'm|I\sam)\s(?P<en>{_NAMED}(?:\s{_NAMED})*)"
    r"|\b(?:зовут|имя|фамилия|по\sимени)\s(?:[—-]\s)?(?P<ru>[А-Я][а-я-]+(?:\s[А-Я][а-я-]+)*)"
    r"|(?:名叫|名字(?:是|叫)|姓名(?:是)?|叫做?)(?P<zh>[\u4e00-\u9fff]{2,4})(?=[，。！,.!\s]|$))"
)
_CAPITALS: Final = re.compile(
    rf"(?<=[^.!?\s]\s)(?:{_NAMED}(?:\s{_NAMED})*)|(?<=[^.!?\s]\s)(?:[А-Я][а-я-]+(?:\s[А-Я][а-я-]+)*)"
)
_NO_NAME: Final = re.compile(
    r"(?:I|I'm|I've|I'd|I'll|Mr|Mrs|Ms|Dr|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February"
    r"|March|April|May|June|July|August|September|October|November|December|English|Russian|Chinese"
    r"|German|French|Street|Road|Lane|Avenue|PM|AM|OK)"
)
_LOOSE: Final = frozenset(
    [
        "a",
        "an",
        "the",
        "in",
        "on",
        "of",
        "at",
        "to",
        "down",
        "up",
        "this",
        "that",
        "our",
        "my",
        "your",
        "is",
        "are",
    ]
)
"""In small letters too a street may be named, but not with these words."""
_SHORTEST: Final = 3
_RUSSIAN_END: Final = re.compile(r"(?:ой|ей|ый|ий|ая|ого|ому|ом|ем|[аяуюеиыйь])$")


def address_patterns(text: str) -> Iterator[tuple[str, str]]:
    """Yield what finds the addresses of a text again, and words that each of its forms has."""
    for found in _STREET_EN.finditer(text):
        words = found["name"].split()
        if words and (words[0][0].isupper() or _LOOSE.isdisjoint(words)):
            kind = found["kind"].casefold().rstrip(".")
            kinds = next(
                (
                    f"(?:{long}|{short})"
                    for long, short in _STREETS.items()
                    if kind in {long, short}
                ),
                f"(?:{re.escape(kind)}|{_long_of(kind)})",
            )
            street = r"\s+".join(map(re.escape, words))
            numbered = rf"{found['number']},?\s+{street}(?:\s+{kinds}\b\.?)?"
            yield rf"{numbered}|{street}\s+{kinds}\b\.?", found["name"]
    for pattern in (_STREET_ONE_WORD, _STREET_ROMANCE):
        for found in pattern.finditer(text):
            yield re.escape(found["name"]) + r"(?:,?\s?\d{1,4}\s?[a-z]?)?", found["name"]
    for found in _STREET_RU.finditer(text):
        stem = " ".join(_declined(word) for word in found["name"].split())
        number = found["number"]
        street = r"(?:ул|пр|пер|шос|наб|бул|пл)[\w-]*\.?\s?" + stem
        tail = rf",?\s*(?:д(?:\.|ом\w{{0,2}})?\s*)?{re.escape(number.strip())}" if number else ""
        begin = stem.partition("[")[0]
        yield rf"(?<![а-я]){street}(?:{tail})?", begin
        if tail:
            yield rf"(?-i:(?<!\w){stem}){tail}", begin
    for found in _STREET_ZH.finditer(text):
        name = _HAN_LEAD.sub("", found["name"])
        yield rf"{re.escape(name)}\s?(?:{found['number']}\s?(?:号|弄)?)?", name


def _long_of(short: str) -> str:
    return next((long for long, shorter in _STREETS.items() if re.fullmatch(shorter, short)), short)


def name_patterns(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield what finds the names of a text again, a word that each has, and whether it tells."""
    called = set()
    for found in _CALLED.finditer(text):
        words = next(filter(None, found.groups())).split()
        if not any(_NO_NAME.fullmatch(word) for word in words):
            called.update(words)
            yield from (
                (_bounded(word), _stem(word), True) for word in words if len(word) >= _SHORTEST
            )
            if len(words) == 1 and found["zh"]:
                yield re.escape(words[0]), words[0], True
    for found in _CAPITALS.finditer(text):
        words = [word for word in found[0].split() if not _NO_NAME.fullmatch(word)]
        if words and len(" ".join(words)) > _SHORTEST and not called.intersection(words):
            pattern = r"\s+".join(_declined(word) for word in words)
            yield rf"(?-i:(?<!\w){pattern}(?!\w))", _stem(words[0]), len(words) > 1


def _bounded(word: str) -> str:
    return rf"(?-i:(?<!\w){_declined(word)}(?!\w))" if word[0] < "\u3400" else re.escape(word)


def _declined(word: str) -> str:
    """Return what finds a word in any case that Russian gives it."""
    return re.escape(_stem(word)) + (r"[а-я]{0,3}" if _is_russian(word) else "")


def _stem(word: str) -> str:
    stem = _RUSSIAN_END.sub("", word) if _is_russian(word) else word
    return stem if len(stem) >= _SHORTEST else word


def _is_russian(word: str) -> bool:
    return "А" <= word[0] <= "я"
