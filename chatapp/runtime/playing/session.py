"""The session that is played beside the recorded one: what is called how in it, and how it goes."""

from dataclasses import dataclass, field, replace
from uuid import UUID

from chatapp.access import Access
from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys
from chatapp.models import Attempt, Conversation, Message
from chatapp.store.turns import insert_counts
from statecore.contract.renaming import Names
from statecore.models import ModelSpec, spec_from_document
from statecore.tokens import Count, CountKey


class NotPlayable(Exception):
    """Raised when a step cannot be done again; the message is one clear sentence."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing that came out otherwise."""

    seq: int
    """Of the transition; of a request that of the state that it was planned from."""
    kind: str
    """Of the transition, or `request`, or `state`."""
    what: str
    """One sentence."""


@dataclass(slots=True)
class Played:
    """What playing a session came to."""

    transitions: int = 0
    requests: int = 0
    """How many were planned again, each compared with the recorded one."""
    erased: int = 0
    """Transitions whose contents were erased since; what follows from them is excused."""
    branches: int = 0
    """Whose states were compared at the end."""
    fault: Fault | None = None
    conversation_id: UUID | None = None
    """The played conversation, where it was kept."""


@dataclass(slots=True)
class Session:
    """A recorded conversation, and what was made of it so far."""

    old: Access
    played: Played = field(default_factory=Played)
    process: UUID = field(default_factory=new_id)
    """The owner of the turns that are played."""
    turns: dict[str, str] = field(default_factory=dict)
    """New ids by the old ones, as the next three."""
    messages: dict[str, str] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    attempts: dict[UUID, UUID] = field(default_factory=dict)
    seqs: dict[int, int] = field(default_factory=dict)
    """What was played so far; a session that goes right keeps its seqs."""
    _new: Access | None = None

    @property
    def keys(self) -> SpaceKeys:
        """The keys of the owner of both."""
        return self.old.keys

    @property
    def is_begun(self) -> bool:
        """Whether there is a new conversation."""
        return self._new is not None

    def begin(self, new: Access) -> None:
        """Play in a conversation from now on."""
        self._new = new

    def look_again(self) -> None:
        """Read both conversations as they are now."""
        self.old = _now(self.old)
        self._new = _now(self.new())

    def new(self, branch: str | None = None) -> Access:
        """Return the new conversation as its reader sees it, or on one of its branches.

        Raises:
            NotPlayable: when the log has not begun with its conversation.
        """
        if self._new is None:
            raise NotPlayable("the log does not begin with its conversation")
        return replace(self._new, branch_id=None if branch is None else UUID(branch))

    def viewing(self, old_branch: str | None) -> Access:
        """Return the new conversation on the branch that a recorded one has become."""
        return self.new(None if old_branch is None else self.branches[old_branch])

    def turn(self, old: UUID | str) -> UUID:
        """Return what a recorded turn has become."""
        return UUID(self.turns[str(old)])

    def names(self) -> Names:
        """Return the new names for what memory speaks of."""
        conversation = str(self.new().conversation.id)
        return Names(conversation, self.turns, self.messages, self.seqs, {}, _as_it_was)

    def fail(self, seq: int, kind: str, what: str) -> None:
        """Note what came out otherwise: the first such thing counts, and erased words excuse it."""
        if self.played.fault is None and not self.played.erased:
            self.played.fault = Fault(seq, kind, what)

    def note_message(self, old: UUID | None, new: UUID | None) -> None:
        """Note a message; it is counted as it was, so that no server has to be asked."""
        if old is None or new is None:
            return
        self.messages[str(old)] = str(new)
        counts = Message.objects.get(pk=old).token_counts.all()
        insert_counts(
            {
                CountKey(str(new), row.tokenizer, row.form): Count(row.tokens, row.quality)  # type: ignore[arg-type]  # the columns hold no other words
                for row in counts
            }
        )

    def old_attempt(self, new: Attempt | None) -> Attempt | None:
        """Return the recorded attempt that a new one plays."""
        if new is None:
            return None
        old = next(old for old, made in self.attempts.items() if made == new.id)
        return Attempt.objects.select_related("plan_input__model").get(pk=old)


def _now(access: Access) -> Access:
    return replace(access, conversation=Conversation.objects.get(pk=access.conversation.id))


def _as_it_was(_what: str, name: str, _number: int) -> str:
    return name


def spec_of(attempt: Attempt) -> ModelSpec:
    """Return the model as it was when an attempt asked it."""
    return spec_from_document(attempt.plan_input.model.body)
