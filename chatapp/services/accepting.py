"""Puts a running turn on a branch: its input, and what becomes of turns that were rolled back."""

from dataclasses import dataclass
from uuid import UUID

from chatapp.access import Access
from chatapp.ids import new_id
from chatapp.models import Branch, Conversation, Turn
from chatapp.services.branching import look_at
from chatapp.services.outcomes import Accepted
from chatapp.services.stems import Place, Stem, share_message, stem_of, store_message
from chatapp.services.titles import title_from
from chatapp.services.transitions import Change
from chatapp.services.tree_log import TreeLog, tree_payload
from chatapp.store import conversations, turns
from chatapp.store.branches import clock_of, committed_branch_ms
from chatapp.store.raw import insert
from statecore.messages import Message, encode_body


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn that its branch has reserved the head for."""

    id: UUID
    branch: Branch
    """With its tip, which the turn grows from."""
    key: str
    """Idempotency key."""
    model_name: str
    owner: UUID
    """The process that will run it."""
    text: str | None
    """What is said; None for the input of another turn."""
    shared: UUID | None = None
    """The input message where it is that of another turn."""


def insert_turn(access: Access, log: TreeLog, new: NewTurn) -> Accepted:
    """Insert a running turn with its transition, and with its input where that is its own."""
    branch, stem = new.branch, stem_of(new.branch.tip)
    # Clocks may differ between machines: time never runs backwards along a path.
    now = max(log.now_ms, stem.ended_ms)
    said = None
    if new.text is not None:
        said = Message(id=str(new_id()), role="user", text=new.text, created_ms=now)
    change = Change(
        kind="turn_accepted",
        turn=new.id,
        # What is shared was written down when it was said.
        input=b"" if said is None else encode_body(said),
        request=tree_payload({"branch": branch.id, "model": new.model_name}),
        state_before=stem.path_hash,
    )
    seq = log.append(change, now, touch=True)
    branch_ms = clock_of(branch).at(now)
    turn = Turn(
        id=new.id,
        conversation=access.conversation,
        branch=branch,
        parent=branch.tip,
        depth=stem.depth + 1,
        input_message_id=new.shared if said is None else UUID(said.id),
        idempotency_key=new.key,
        model_name=new.model_name,
        owner_id=new.owner,
        accepted_seq=seq,
        accepted_ms=now,
        branch_ms=branch_ms,
        **_grown(access, new, said, stem, seq),
    )
    turns.insert_turn(turn)
    conversations.run_clock(branch, branch_ms, now)
    _name(access, new.text)
    return Accepted(
        new.id,
        parent_id=branch.tip_id,
        depth=stem.depth + 1,
        accepted_ms=now,
        version=branch.version,
        branch_id=branch.id,
    )


def _grown(
    access: Access, new: NewTurn, said: Message | None, stem: Stem, seq: int
) -> dict[str, object]:
    if said is not None:
        place = Place(access.conversation.id, new.id, seq, 0)
        return store_message(said, stem, place, access.keys)
    if new.shared is None:
        raise ValueError("A turn has an input.")
    return share_message(new.shared, stem)


def _name(access: Access, text: str | None) -> None:
    conversation = access.conversation
    if conversation.title is None and text is not None:
        title = conversations.seal_title(conversation.id, title_from(text), access.keys)
        Conversation.objects.filter(pk=conversation.id, title=None).update(title=title)


def keep_left(access: Access, log: TreeLog, branch: Branch) -> None:
    """Give the turns that were rolled back a branch of their own: theirs goes another way.

    Args:
        access: the conversation.
        log: of the act.
        branch: with its tip and its redo tip.
    """
    redo_tip = branch.redo_tip
    if redo_tip is None:
        return
    now = log.now_ms
    left_id = new_id()
    what = {"branch": left_id, "left_branch": branch.id, "turn": redo_tip.id}
    seq = log.append(Change("branch_left", redo_tip.id, input=tree_payload(what)), now)
    Branch.objects.create(
        id=left_id,
        conversation=access.conversation,
        origin=Branch.Origin.ROLLBACK,
        parent_turn=branch.tip,
        left_branch=branch,
        tip=redo_tip,
        clock_ms=committed_branch_ms(redo_tip, now),
        created_seq=seq,
        created_ms=now,
    )
    Branch.objects.filter(pk=branch.id).update(redo_tip=None)


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where a branch without a name leaves another, and why."""

    origin: Branch.Origin
    left: Branch
    """The branch that is looked at, with its tip."""
    parent: Turn | None
    """The turn after which it leaves; None at the root."""
    beside: UUID | None = None
    """The turn of which it has another version."""


def alternative(access: Access, log: TreeLog, at: Divergence, turn_id: UUID) -> Branch:
    """Make a branch whose head a new turn has reserved, and select it."""
    now = log.now_ms
    branch_id = new_id()
    kind = "turn_regenerated" if at.origin == Branch.Origin.REGENERATE else "turn_edited"
    what = {
        "branch": branch_id,
        "left_branch": at.left.id,
        "parent": None if at.parent is None else at.parent.id,
        "beside": at.beside,
        "turn": turn_id,
    }
    seq = log.append(Change(kind, turn_id, input=tree_payload(what)), now)
    is_live = at.parent is not None and at.parent.id == at.left.tip_id
    branch = Branch(
        id=branch_id,
        conversation=access.conversation,
        origin=at.origin,
        parent_turn=at.parent,
        left_branch=at.left,
        tip=at.parent,
        version=1,
        active_turn=turn_id,
        clock_ms=clock_of(at.left).at(now) if is_live else committed_branch_ms(at.parent, now),
        clock_set_ms=now,
        created_seq=seq,
        created_ms=now,
    )
    insert([branch])
    look_at(access, branch, now)
    return branch
