"""What a plan gave back to the model from memory, and what it left out, as ids and codes."""

from typing import Literal, NamedTuple

from statecore.memory.summary import EntryGroup, EntryReason

Group = EntryGroup | Literal["field", "waiting", "fact", "workflow", "contract", "anchor"]
"""The lines of the state block. field: session fields; waiting: turns that are not summarised yet
and stand outside the window; fact: long-term facts; workflow: the values that the state machine
holds; anchor: old messages that the input points at. contract: in the leading system message."""

AnchorReason = Literal[
    "link",
    "code",
    "table",
    "list",
    "file",
    "step",
    "message",
    "back_reference",
    "quotation",
    "named",
    "artefact",
    "last_intent",
]
"""What the input points at. step: an item of a list by its number; message: a message by its
place; back_reference: "as I said", "the same"; named: words that only one old message has;
artefact: the newest version of what is under revision, as the input asks for a change of it;
last_intent: nothing points there, but it says what the user wants."""

SelectedReason = (
    EntryReason
    | AnchorReason
    | Literal["settled", "field", "waiting", "fact", "workflow", "contract"]
)
"""settled: an entry of no higher rank that was chosen when the window last made a step."""

LeftOutReason = Literal["visible", "over_limit", "not_active"]
"""visible: it stands word for word in the window; over_limit: the block was full; not_active:
paused, replaced or done; of a field: expired, or hidden from the model."""


class Selected(NamedTuple):
    """One thing that a request holds beside the messages of its window, and where."""

    id: str
    """Id of the entry or fact, or `field:<key>`, `waiting:<turn id>`, `workflow:<key>`,
    `contract:<key>`, `anchor:<message id>`."""
    group: Group
    reason: SelectedReason
    message: int = -1
    """Index of the message of the request that it stands in; -1 where that was not kept."""
    start: int = 0
    """Offset in the text of that message."""
    end: int = 0
    """After the last character."""


class LeftOut(NamedTuple):
    """One thing that memory holds and the request does not."""

    id: str
    reason: LeftOutReason
