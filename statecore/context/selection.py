"""What a plan gave back to the model from memory, and what it left out, as ids and codes."""

from typing import Literal, NamedTuple

Group = Literal["goal", "rule", "agreement", "open", "other", "assumption", "field", "waiting"]
"""The lines of the state block. rule: rules and prohibitions; agreement: agreements and decisions;
open: questions, tasks and promises; other: facts, preferences and steps; field: session fields;
waiting: turns that are not summarised yet and stand outside the window."""

SelectedReason = Literal[
    "pinned",
    "edited",
    "added",
    "goal",
    "rule",
    "agreement",
    "open",
    "named_by_input",
    "newest",
    "assumption",
    "field",
    "waiting",
]
"""pinned, edited, added: a person did; goal to open, field and waiting: what the line holds always
comes along; named_by_input: it shares words with the input; newest: of the rest the newest come."""

LeftOutReason = Literal["visible", "over_limit", "not_active"]
"""visible: it stands word for word in the window; over_limit: the block was full; not_active:
paused, replaced or done."""


class Selected(NamedTuple):
    """One thing that the state block holds."""

    id: str
    """Id of the entry, `field:<key>` or `waiting:<turn id>`."""
    group: Group
    reason: SelectedReason


class LeftOut(NamedTuple):
    """One thing that memory holds and the state block does not."""

    id: str
    reason: LeftOutReason
