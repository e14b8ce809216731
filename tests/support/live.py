"""What a page knows of a conversation from its socket's frames, without a page."""

import html
import re
from dataclasses import dataclass, field
from typing import Any

TAG = re.compile(r"<[^>]*>")


@dataclass(slots=True)
class LiveAnswer:
    """The answer of one attempt as far as it has come."""

    turn: str
    attempt: str
    seq: int = 0
    blocks: list[str] = field(default_factory=list)
    tail: str = ""

    @property
    def text(self) -> str:
        """What a reader sees, without tags."""
        return plain("".join(self.blocks)) + self.tail


class LiveView:
    """Applies frames as a page does: what it has seen it ignores, a gap it asks about."""

    def __init__(self) -> None:
        self.status: dict[str, str] = {}
        """Status of each turn that a frame told of."""
        self.html: dict[str, str] = {}
        """The newest markup of each turn."""
        self.answers: dict[str, LiveAnswer] = {}
        """The running answer of each turn."""
        self.gone = False
        self.refreshed: list[str] = []
        self.repeats = 0
        """Frames that told nothing new."""

    def apply(self, frame: dict[str, Any]) -> dict[str, Any] | None:
        """Take one frame; return the frame to send back, if one is due."""
        match frame["kind"]:
            case "turn":
                self.status[frame["turn"]] = frame["status"]
                self.html[frame["turn"]] = frame["html"]
                if frame["status"] != "running":
                    self.answers.pop(frame["turn"], None)
            case "start":
                self._start(frame)
            case "delta" | "blocks":
                return self._advance(frame)
            case "refresh":
                self.refreshed += frame["targets"]
            case "gone":
                self.gone = True
        return None

    def _start(self, frame: dict[str, Any]) -> None:
        self.answers[frame["turn"]] = LiveAnswer(
            frame["turn"], frame["attempt"], frame["seq"], list(frame["blocks"]), frame["tail"]
        )

    def _advance(self, frame: dict[str, Any]) -> dict[str, Any] | None:
        answer = self.answers.get(frame["turn"])
        if answer is None or answer.attempt != frame["attempt"]:
            return resume(frame["turn"], None, 0)
        if frame["seq"] <= answer.seq:
            self.repeats += 1
            return None
        if frame["seq"] > answer.seq + 1:
            return resume(answer.turn, answer.attempt, answer.seq)
        answer.seq = frame["seq"]
        if frame["kind"] == "delta":
            answer.tail += frame["text"]
        else:
            answer.blocks += frame["htmls"]
            answer.tail = frame["tail"]
        return None


def resume(turn: str, attempt: str | None, after: int) -> dict[str, Any]:
    """Return the frame that asks for what follows a sequence number."""
    return {"kind": "resume", "turn": turn, "attempt": attempt, "after": after}


def plain(markup: str) -> str:
    """Return markup without its tags."""
    return html.unescape(TAG.sub("", markup))
