"""The one question that a memory model is asked about a turn, and what counts of its answer."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from statecore.memory.ledger import EntryKind, Span

Label = Literal[
    "goal", "fact", "decision", "rule", "preference", "task", "question", "assumption", "skip"
]
"""What a model may call a sentence of the user; skip: nothing to remember. Steps, promises and
agreements are no labels: they come from others than the user."""

LABELS: tuple[Label, ...] = get_args(Label)

RefusalReason = Literal["bad_label", "not_asked"]

MAX_OBJECTS = 20
"""An answer with more opening braces than this before its object is prose about something else."""
MAX_ANSWER = 20_000
"""Characters of an answer that are looked at: forty labels take a tenth of it."""
MAX_WORD = 40
"""Characters of a label that does not exist which are kept for the audit."""
_NUMBER = re.compile(r"\D{0,3}(\d{1,4})\D?")
_KINDS: Mapping[str, EntryKind] = {
    "goal": "goal",
    "fact": "fact",
    "decision": "decision",
    "rule": "rule",
    "preference": "preference",
    "task": "task",
    "question": "question",
    "assumption": "assumption",
}


@dataclass(frozen=True, slots=True)
class LabelPrompt:
    """One version of the texts around the question; the caller hands them in."""

    name: str
    version: int
    system: str
    """The same for every question, so that a server keeps it in its prompt cache."""
    user: str
    """With the fields {before}, {after} and {sentences}."""
    before: str
    """The line with the assistant's words before, with the field {text}; left out without any."""
    after: str
    """The same for the answer; empty where it is not shown."""
    left_out: str
    """Stands for a sentence that is not shown to the model."""


class AskedSentence(NamedTuple):
    """One sentence that the model labels."""

    number: int
    """Its place in the message, from 1 on."""
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class LabelQuestion:
    """One call of a memory model."""

    prompt_name: str
    prompt_version: int
    system: str
    user: str
    asked: tuple[AskedSentence, ...]

    @property
    def schema(self) -> dict[str, object]:
        """The JSON schema of the answer: one required label for each number."""
        label = {"type": "string", "enum": list(LABELS)}
        numbers = [str(sentence.number) for sentence in self.asked]
        return {
            "type": "object",
            "properties": dict.fromkeys(numbers, label),
            "required": numbers,
            "additionalProperties": False,
        }

    @property
    def max_output_tokens(self) -> int:
        """Enough for every number with the longest label, and the braces."""
        return 16 + 10 * len(self.asked)

    def key_bytes(self) -> bytes:
        """Return the canonical bytes that an answer is kept under, together with the model."""
        document = {
            "prompt": [self.prompt_name, self.prompt_version],
            "system": self.system,
            "user": self.user,
            "numbers": [sentence.number for sentence in self.asked],
        }
        text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return text.encode()


class RefusedLabel(NamedTuple):
    """A part of an answer that does not count."""

    number: int
    label: str
    """The model's own word, shortened."""
    reason: RefusalReason


@dataclass(frozen=True, slots=True)
class CheckedLabels:
    """What counts of an answer."""

    labels: Mapping[int, EntryKind]
    """By number; a sentence to skip is not in it."""
    refused: tuple[RefusedLabel, ...] = ()


class Unreadable(NamedTuple):
    """An answer without a readable label."""


def checked(question: LabelQuestion, answer: str) -> CheckedLabels | Unreadable:
    """Return what counts of an answer: fences and prose around it, and cases, do not matter."""
    found = _labels_in(answer)
    if found is None:
        return Unreadable()
    asked = {sentence.number for sentence in question.asked}
    labels: dict[int, EntryKind] = {}
    refused: list[RefusedLabel] = []
    for number, word in found.items():
        label = word.strip().casefold()
        if number not in asked:
            refused.append(RefusedLabel(number, _kept(word), "not_asked"))
        elif label in _KINDS:
            labels[number] = _KINDS[label]
        elif label != "skip":
            refused.append(RefusedLabel(number, _kept(word), "bad_label"))
    return CheckedLabels(labels, tuple(refused))


def _kept(word: str) -> str:
    """Return the beginning of a word; JSON may hold half a character, which cannot be stored."""
    return word[:MAX_WORD].encode(errors="replace").decode()


def _labels_in(answer: str) -> dict[int, str] | None:
    """Return the words by number of the first object that has a number."""
    text = answer[:MAX_ANSWER]
    decoder = json.JSONDecoder()
    start = -1
    for _ in range(MAX_OBJECTS):
        start = text.find("{", start + 1)
        if start < 0:
            return None
        try:
            found, _end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        numbered = _numbered(found)
        if numbered:
            return numbered
    return None


def _numbered(found: Mapping[str, object]) -> dict[int, str]:
    """Return the values by the number in their key; other keys are left out."""
    places = ((_NUMBER.fullmatch(key.strip()), value) for key, value in found.items())
    return {int(place[1]): str(value) for place, value in places if place}
