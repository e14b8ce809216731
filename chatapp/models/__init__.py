"""Rows only: tables, columns, constraints. No behaviour."""

from chatapp.models.accounts import AccountName, Session, SignInFailure
from chatapp.models.attempts import (
    Attempt,
    PartialText,
    PlanInput,
    RequestBlock,
    RetrievalRecord,
    Snapshot,
    Usage,
)
from chatapp.models.conversations import Branch, Conversation, Selection
from chatapp.models.feedback import Feedback
from chatapp.models.keys import KeySpace
from chatapp.models.log import ErasurePermit, Outbox, Payload, Transition
from chatapp.models.memory import (
    Checkpoint,
    Fact,
    FactSource,
    MemoryAnswer,
    MemoryDelta,
    Operation,
    Tombstone,
)
from chatapp.models.processes import Process
from chatapp.models.replays import ReplayRun
from chatapp.models.turns import Feature, Message, TokenCount, Turn

__all__ = [
    "AccountName",
    "Attempt",
    "Branch",
    "Checkpoint",
    "Conversation",
    "ErasurePermit",
    "Fact",
    "FactSource",
    "Feature",
    "Feedback",
    "KeySpace",
    "MemoryAnswer",
    "MemoryDelta",
    "Message",
    "Operation",
    "Outbox",
    "PartialText",
    "Payload",
    "PlanInput",
    "Process",
    "ReplayRun",
    "RequestBlock",
    "RetrievalRecord",
    "Selection",
    "Session",
    "SignInFailure",
    "Snapshot",
    "TokenCount",
    "Tombstone",
    "Transition",
    "Turn",
    "Usage",
]
