"""Segments: the parts of a plan, each with its source, its size and why it is there or not."""

from dataclasses import dataclass
from typing import Literal

from statecore.messages import Role
from statecore.requests import RequestMessage
from statecore.tokens import CountKey, Form, Quality

Decision = Literal["kept", "digested", "moved_to_summary", "dropped", "injected"]
SegmentKind = Literal["system", "tools", "state_block", "message", "input", "gap"]
"""tools: the definitions of tools, which are no message; gap: what stands for turns left out."""

Reason = Literal[
    "system_prompt",
    "current_input",
    "full_history",
    "within_window",
    "outside_window",
    "stopped_without_text",
    "no_text_returned",
    "answer_missing",
    "tool_result_missing",
    "tool_result_orphan",
    "tool_result_duplicate",
    "before_first_user",
    "system_not_leading",
    "masked",
    "memory",
    "settled_notes",
    "tool_definitions",
    "tool_result_digest",
    "tool_result_stale",
    "answer_digest",
    "older_version",
    "artefact_outline",
    "user_message",
    "recent_turn",
    "referred_to",
    "newest_version",
    "workflow_source",
    "not_learned",
    "nothing_gained",
    "turns_too_large",
    "summary_only",
]
"""full_history, within_window, outside_window: the verdict of the window on a turn. The rest are
repairs. stopped_without_text, no_text_returned: the template's text stands for an empty answer;
answer_missing: it closes a turn without one. tool_result_missing: a result was made up for a call;
tool_result_orphan, tool_result_duplicate: left out, no open call or answered already.
before_first_user: left out, a request begins with a user message. system_not_leading: left out.
masked: sent without what a person deleted. memory: what memory holds beyond the window and this
turn needs; settled_notes: the same for all turns until the window makes a step.
tool_result_digest, answer_digest: shortened in tier 1; tool_result_stale: shortened, a newer result
answers the same call; older_version: an artefact of which a newer version stands below;
artefact_outline: its newest version, too long to be sent whole. user_message to nothing_gained: why
a message is whole where others are shortened; not_learned: memory does not hold its turn yet;
nothing_gained: it has nothing to leave out. turns_too_large: left out in the last resort, where
not even the last two turns fit. summary_only: left out by the strategy that sends no history."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a plan, without its text: what it is, where from, what was decided and why."""

    kind: SegmentKind
    role: Role
    source_ids: tuple[str, ...]
    """Message ids; for a gap the ids of the turns left out; empty for text of the template."""
    tokens: int
    """With the overhead of a message."""
    quality: Quality
    decision: Decision
    reason: str
    """A `Reason`; presenters translate it."""
    depth: int = 0
    """Depth of its turn, for a gap of the first turn after it; 0 for what stands in front of all
    turns."""


@dataclass(frozen=True, slots=True)
class Sent:
    """Where one message of a request comes from."""

    kind: SegmentKind
    depth: int
    """Depth of its turn; 0 for what stands in front of all turns."""
    message_id: str | None
    """The message that it equals word for word; None when its text is its own."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A message on its way into a request, before it is counted."""

    kind: SegmentKind
    content: RequestMessage
    source_ids: tuple[str, ...]
    depth: int
    decision: Decision
    reason: Reason
    count_id: str
    """Message id, or what stands for it, in the key of its token count."""
    verbatim: bool = False
    """Whether the content equals the message that `source_ids` names."""
    form: Form = "full"
    """Which text of the message `count_id` names; a digest is a function of its message alone."""

    def because(self, reason: Reason, decision: Decision | None = None) -> "Piece":
        """Return it with another reason, and with another decision if one is given."""
        # Hundreds of pieces a plan: `dataclasses.replace` takes five times as long.
        return Piece(
            self.kind,
            self.content,
            self.source_ids,
            self.depth,
            decision or self.decision,
            reason,
            self.count_id,
            self.verbatim,
            self.form,
        )

    def key(self, tokenizer: str) -> CountKey:
        """Return the name of its token count."""
        return CountKey(self.count_id, tokenizer, self.form)
