"""Turns whose sentences somebody has labelled by hand, one JSON object a line.

`said` holds pairs of a sentence and the labels that are right for it, with "|" between them.
`temporary` is a wish that holds for a while; where `skip` stands beside others, both are right.
"""

import json
from pathlib import Path
from typing import NamedTuple

from statecore.messages import Message, Role
from statecore.state.learning import TurnTexts

UNSPACED = frozenset({"zh"})


class Said(NamedTuple):
    """One sentence with its place in the message."""

    start: int
    end: int
    text: str
    right: frozenset[str]

    @property
    def is_either(self) -> bool:
        """Whether it may be kept as well as skipped."""
        return "skip" in self.right and len(self.right) > 1

    @property
    def is_kept(self) -> bool:
        """Whether it is to be kept."""
        return "skip" not in self.right


class Sample(NamedTuple):
    """One turn."""

    language: str
    part: str
    """tuned: looked at while the question was worded; unseen: not."""
    before: str
    """The assistant's words before it; empty for none."""
    text: str
    said: tuple[Said, ...]

    def turn(self, number: int) -> TurnTexts:
        """Return it as a committed turn."""
        before = _message(f"b{number}", "assistant", self.before) if self.before else None
        question = _message(f"u{number}", "user", self.text)
        return TurnTexts(
            turn_id=f"t{number}",
            depth=1,
            said_seq=1,
            branch_ms=0,
            question=question,
            answer=None,
            before=before,
            finish="complete",
        )


def read_samples(path: Path) -> tuple[Sample, ...]:
    """Return the turns of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(_sample(json.loads(line)) for line in lines if line.strip())


def _sample(data: dict[str, object]) -> Sample:
    language = str(data["language"])
    gap = "" if language in UNSPACED else " "
    pairs = data["said"]
    assert isinstance(pairs, list)  # noqa: S101  # tells the type checker
    said: list[Said] = []
    text = ""
    for sentence, labels in pairs:
        start = len(text) + (len(gap) if text else 0)
        text = f"{text}{gap}{sentence}" if text else sentence
        said.append(Said(start, len(text), sentence, frozenset(labels.split("|"))))
    part = str(data.get("part", "unseen"))
    return Sample(language, part, str(data.get("before", "")), text, tuple(said))


def _message(message_id: str, role: Role, text: str) -> Message:
    return Message(id=message_id, role=role, text=text, created_ms=0)
