"""What one attempt's stream has brought so far, and what its end means."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from chatapp.services.commits import Measured
from statecore.messages import Finish
from statecore.routing.failures import Evidence, FailureReason, classify
from statecore.routing.recording import Recording
from statecore.routing.stream import (
    Done,
    Event,
    FinishSeen,
    ReasoningDelta,
    StreamError,
    TextDelta,
    ToolCallDelta,
    UsageSeen,
)


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


@dataclass
class Reading:
    """Collects the events of one stream."""

    started_ms: int = field(default_factory=_monotonic_ms)
    first_token_ms: int | None = None
    characters: int = 0
    saw_reasoning: bool = False
    saw_tool_call: bool = False
    done: bool = False
    finish: str = ""
    usage: UsageSeen | None = None
    error: StreamError | None = None
    chunks: list[tuple[int, int]] = field(default_factory=list)
    """Of each read that brought text: milliseconds since the start, and characters."""

    def take(self, events: Iterable[Event]) -> str:
        """Take the events of one read and return the text among them."""
        texts = []
        for event in events:
            if isinstance(event, TextDelta):
                texts.append(event.text)
            else:
                self._take_other(event)
        text = "".join(texts)
        if text:
            passed_ms = _monotonic_ms() - self.started_ms
            if self.first_token_ms is None:
                self.first_token_ms = passed_ms
            self.chunks.append((passed_ms, len(text)))
        self.characters += len(text)
        return text

    def _take_other(self, event: Event) -> None:
        if isinstance(event, FinishSeen):
            self.finish = event.reason
        elif isinstance(event, UsageSeen):
            self.usage = event
        elif isinstance(event, Done):
            self.done = True
        elif isinstance(event, StreamError):
            self.error = self.error or event
        elif isinstance(event, ReasoningDelta):
            self.saw_reasoning = True
        elif isinstance(event, ToolCallDelta):
            self.saw_tool_call = True

    def failure(self, text: str) -> FailureReason | None:
        """Return why the stream is no answer, or None when it is one."""
        error = self.error
        reason = classify(
            Evidence(
                phase="stream",
                error_code=error.code if error else "",
                message=error.message if error else "",
                finish=self.finish,
                saw_text=bool(text.strip()),
                saw_reasoning=self.saw_reasoning,
                saw_tool_call=self.saw_tool_call,
                saw_done=self.done,
            )
        )
        if reason is None and not text.strip():
            # Nobody has offered the model a tool: a call alone is no answer.
            return FailureReason.BAD_FORMAT
        return reason

    def answer_finish(self) -> Finish:
        """Return how a complete answer ended."""
        return "length" if self.finish == "length" else "complete"

    def recording(self) -> Recording:
        """Return how the stream came, so that it can be played."""
        return Recording(
            chunks=tuple(self.chunks),
            finish=self.finish,
            usage=self.usage,
            error=self.error,
            saw_reasoning=self.saw_reasoning,
            saw_tool_call=self.saw_tool_call,
            is_done=self.done,
        )

    def measured(self, estimated_completion_tokens: int) -> Measured:
        """Return times and tokens; the provider's figures where it reported them."""
        usage = self.usage
        if usage is None:
            return Measured(
                self.first_token_ms, None, None, estimated_completion_tokens, "estimated"
            )
        return Measured(
            self.first_token_ms, usage.prompt, usage.cached, usage.completion, "reported"
        )
