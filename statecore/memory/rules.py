"""Rules: what a sentence of the user becomes in memory where its words alone settle it.

They come before the memory model. What they settle holds without one: rules, prohibitions and
refusals, numbers, codes and dates, corrections and guesses are the first things to keep, and the
last that a model may lose. What they leave open the model is asked about.
"""

import re
from typing import NamedTuple

from statecore.language.marks import Mark, marks
from statecore.memory.ledger import EntryKind


class RuleVerdict(NamedTuple):
    """What the rules make of one sentence."""

    kind: EntryKind | None
    """None: it is not kept, if that is settled."""
    is_settled: bool
    """Whether the model need not be asked."""
    is_temporary: bool
    """Whether a wish holds for now only."""


_NOT_KEPT = RuleVerdict(None, is_settled=True, is_temporary=False)
_OPEN = RuleVerdict(None, is_settled=False, is_temporary=False)

_KINDS: tuple[tuple[Mark, EntryKind], ...] = (
    ("task", "task"),
    ("identity", "fact"),
    ("refusal", "rule"),
    ("decision", "decision"),
    ("preference", "preference"),
    ("goal", "goal"),
    ("value", "fact"),
)
"""The first mark that a sentence bears decides: a date in a task makes no fact of it."""

_IDLE_IN_QUESTION: frozenset[Mark] = frozenset({"question", "request", "small_talk", "temporary"})
_DECLINED = re.compile(
    r"\W*(?:no|nope|нет|不(?:用|要)?了?)\W*(?:thanks|thank you|спасибо|谢谢)", re.IGNORECASE
)
"""An offer declined politely; the offer is in another sentence."""
_CHOICE = re.compile(r"[\s(#№]*\d{1,3}[\s).,!。，！]*")
"""A small number alone answers something that is not in the sentence."""
_FEWEST_LETTERS = 12
"""A refusal shorter than this says nothing without what it answers."""


def ruled(text: str) -> RuleVerdict:
    """Return what one sentence of the user becomes.

    In this order: small talk and questions that tell nothing are not kept; a request for the next
    answer is left to the model; what must or must not be done is a rule; a corrected value is a
    fact; what is hedged is an assumption, never a fact or a decision; then the first of `_KINDS`.
    """
    found = marks(text)
    if "small_talk" in found or _says_nothing(text):
        return _NOT_KEPT
    if "question" in found:
        return _of_question(found)
    if "request" in found:
        return _OPEN
    kind = _kind(found, text)
    if kind is None:
        return _OPEN
    is_wish = kind in {"rule", "preference"}
    return RuleVerdict(kind, is_settled=True, is_temporary=is_wish and "temporary" in found)


def _says_nothing(text: str) -> bool:
    return not any(character.isalnum() for character in text) or bool(_CHOICE.fullmatch(text))


def _of_question(found: frozenset[Mark]) -> RuleVerdict:
    """Judge a question: "can you remind me?" asks for something lasting, "is 14:30 fine?" may."""
    if "task" in found:
        return RuleVerdict("task", is_settled=True, is_temporary=False)
    return _NOT_KEPT if found <= _IDLE_IN_QUESTION else _OPEN


def _kind(found: frozenset[Mark], text: str) -> EntryKind | None:
    if "prohibition" in found or ("obligation" in found and "task" not in found):
        return "rule"
    if "correction" in found and "value" in found and "hedge" not in found:
        return "fact"
    if "hedge" in found:
        return "assumption"
    for mark, kind in _KINDS:
        if mark in found and not (mark == "refusal" and _is_bare(text)):
            return kind
    return None


def _is_bare(text: str) -> bool:
    """Whether a refusal has no matter of its own; a Chinese character counts as three letters."""
    if _DECLINED.match(text):
        return True
    letters = sum(3 if character > "\u3400" else 1 for character in text if character.isalpha())
    return letters < _FEWEST_LETTERS
