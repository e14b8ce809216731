"""What a plan gave back to the model from memory, and what it left out, as ids and codes."""

from typing import Literal, NamedTuple

from statecore.memory.summary import EntryGroup, EntryReason

Group = EntryGroup | Literal["field", "waiting"]
"""The lines of the state block. field: session fields; waiting: turns that are not summarised yet
and stand outside the window."""

SelectedReason = EntryReason | Literal["field", "waiting"]

LeftOutReason = Literal["visible", "over_limit", "not_active"]
"""visible: it stands word for word in the window; over_limit: the block was full; not_active:
paused, replaced or done; of a field: expired, or hidden from the model."""


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
