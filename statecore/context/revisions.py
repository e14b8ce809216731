"""Revisions: whether one long answer is a new version of another, by its wording."""

import re
from typing import NamedTuple

from statecore.context.remembering import remembered
from statecore.language.features import features
from statecore.language.terms import terms

LONG_CHARS = 400
"""A shorter answer is read as fast as an outline; a Chinese character counts as three."""

TELLING = 16
"""Clauses by which an answer is looked up; two versions nearly always share one of them."""

_HAN = re.compile(r"[\u3400-\u9fff]")
_CLAUSE = re.compile(r"[\n.!?…,;:。！？；，：|]+")
_SHORTEST_CLAUSE = 12
"""A shorter clause stands in many texts by chance."""
_DEFINED = re.compile(
    r"\b(?:def|class|function|func|fn|interface|struct|enum|trait|module|TABLE|VIEW)\s+([^\W\d]\w*)"
    r"|\b(?:const|let|var)\s+([^\W\d]\w*)\s*=\s*(?:async\s*)?(?:\(|function)"
)
_FENCE_LANGUAGE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*([\w+#-]+)", re.MULTILINE)

_SAME = 0.5
"""Part of the shorter one's wording that both share, so that nobody need have asked."""
_CHANGED = 0.2
"""Part that both share when the user asked for a change."""
_SAME_TERMS = 0.6
"""Part of the shorter one's terms that both share, when it was put in other words on demand: the
next answer on the same subject shares about half."""
_SAME_NAMES = 0.5

_REVISE = re.compile(
    r"""\b(?:
        shorter | longer | shorten\w* | simpler | simplify | simplified | expand | condense
        | (?:re)?(?:write|word|phrase)\s+(?:it|this|that|the) | rewrite\w* | rephrase\w* | reword\w*
        | revise\w* | rework\w* | redo | refactor\w* | polish | proofread
        | (?:modify|replace|rename|remove|delete|add|insert|include|fix|edit|swap|translate)\b
        | (?:make|turn|convert|put|move|change|correct|update|improve|adjust|tweak)\s
            (?:it|this|that|these|those|them|the|your)\b
        | more\ (?:formal|polite|concise|detailed|friendly) | less\ (?:formal|wordy)
        | (?:new|another|second|third|final|updated|next)\ (?:version|draft)
        | ещё\ раз | (?:по)?короче | (?:по)?длиннее | сократи\w* | перепиши\w* | переписать
        | переделай\w* | переформулируй\w* | исправь\w* | поправь\w* | измени\w* | поменяй\w*
        | замени\w* | убери\w* | удали\w* | добавь\w* | вставь\w* | дополни\w* | обнови\w*
        | улучши\w* | упрости\w* | сделай\ (?:его|её|ее|их|это|эт\w+|по\w+е)\b | расширь\w*
        | отредактируй\w* | переведи\w*
        | (?:нов|друг|втор|следующ|финальн|итогов)\w+\ (?:верси|вариант|черновик)\w*
    )"""
    r"|修改|改成|改为|改一下|改写|重写|重新写|换成|替换|缩短|精简|简化|[短长]一[点些]|再短|再长"
    r"|加上|加一|添加|增加|删掉|删除|去掉|补充|润色|更新|完善|优化|扩写|翻译成|新版|另一[版稿]",
    re.VERBOSE | re.IGNORECASE,
)
_ASKED_CHARS = 400
"""What is asked stands before a pasted document or behind it."""


class Wording(NamedTuple):
    """What of a long answer is compared with another one."""

    clauses: frozenset[str]
    """Folded; of code the lines."""
    telling: tuple[str, ...]
    """The longest ones, by which an older version is found."""
    chars: int
    """Of all clauses."""
    terms: frozenset[str]
    languages: frozenset[str]
    """Of its code; empty without code."""
    names: frozenset[str]
    """What its code defines."""


@remembered
def wording(text: str) -> Wording | None:
    """Return what a text is compared by; None when it is neither long nor code nor a table."""
    blocks = [found for found in features(text) if found.kind in {"code", "table"}]
    if not blocks and len(text) + 2 * len(_HAN.findall(text)) < LONG_CHARS:
        return None
    pieces = (" ".join(piece.split()).casefold() for piece in _CLAUSE.split(text))
    clauses = frozenset(piece for piece in pieces if _weight(piece) >= _SHORTEST_CLAUSE)
    codes = [text[found.start : found.end] for found in blocks if found.kind == "code"]
    names = {name for code in codes for pair in _DEFINED.findall(code) for name in pair if name}
    languages = {m[1].casefold() for code in codes if (m := _FENCE_LANGUAGE.match(code))}
    return Wording(
        clauses,
        tuple(sorted(clauses, key=lambda clause: (-len(clause), clause))[:TELLING]),
        sum(map(len, clauses)),
        terms(text),
        frozenset(languages),
        frozenset(names),
    )


def _weight(clause: str) -> int:
    return len(clause) + 2 * len(_HAN.findall(clause))


@remembered
def asks_to_revise(text: str) -> bool:
    """Return whether an input asks for a change of what is there."""
    asked = text if len(text) <= 2 * _ASKED_CHARS else text[:_ASKED_CHARS] + text[-_ASKED_CHARS:]
    return bool(_REVISE.search(asked))


def is_revision(older: Wording, newer: Wording, *, was_asked: bool) -> bool:
    """Return whether an answer is a new version of an older one.

    Args:
        older: the wording of the answer before.
        newer: of the answer after it.
        was_asked: whether the user asked for a change in between.
    """
    shared = sum(map(len, older.clauses & newer.clauses))
    alike = shared / max(min(older.chars, newer.chars), 1)
    if alike >= _SAME:
        return True
    if not was_asked or older.languages != newer.languages:
        return False
    return (
        alike >= _CHANGED
        or _part(older.names, newer.names) >= _SAME_NAMES
        or _part(older.terms, newer.terms) >= _SAME_TERMS
    )


def _part(older: frozenset[str], newer: frozenset[str]) -> float:
    """Return which part of the smaller set both share; 0 when one is empty."""
    return len(older & newer) / min(len(older), len(newer)) if older and newer else 0.0
