"""Accepts, commits and breaks off turns: each one transaction."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar
from uuid import UUID

from django.db import IntegrityError, transaction

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.models import Branch, Conversation, Feedback, Message, Turn
from chatapp.services.branching import look_at, tree_payload
from chatapp.services.outcomes import Accepted, Archived, Busy, Missing, MovedOn
from chatapp.services.stems import Place, share_message, stem_of, store_message
from chatapp.services.titles import title_from
from chatapp.services.transitions import Change, record
from chatapp.store import conversations, paths, turns
from chatapp.store.branches import clock_of, committed_branch_ms, viewed_branch
from statecore.messages import Message as CoreMessage
from statecore.messages import encode_body

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class NewInput:
    """What a person posts, checked."""

    text: str
    key: str
    """Idempotency key of the draft."""
    branch_id: UUID
    version: int
    """Version of the branch that the page showed when it was typed."""
    model_name: str
    head: UUID | None = None
    """The newest turn that the page showed; None before the first."""
    aside: bool = False
    """It becomes a branch of its own at that head."""


def turn_accept(access: Access, new: NewInput, *, owner: UUID) -> Accepted | MovedOn | Archived:
    """Reserve the head of a branch and store the user's input as a running turn.

    It lands on the branch on which it was typed, whatever is looked at elsewhere.

    Args:
        access: the conversation.
        new: the input; aside, it becomes a branch of its own at the head on which it was typed.
        owner: the process that will run the turn.

    Returns:
        The turn, also when the same key was accepted before; MovedOn when the head is not free.
    """
    if new.aside:
        return _once(access, new.key, lambda turn_id: _accept_aside(access, new, turn_id, owner))
    return _once(access, new.key, lambda turn_id: _accept(access, new, turn_id, owner))


def turn_edit(
    access: Access, turn_id: UUID, new: NewInput, *, owner: UUID
) -> Accepted | MovedOn | Archived | Missing:
    """Say something else in the place of an input: an alternative beside the turn.

    A turn that broke off at the end of its branch has nothing beside it: the new input takes its
    place there.

    Args:
        access: the conversation.
        turn_id: whose input is written anew.
        new: the new input; its branch and version do not matter.
        owner: the process that will run the new turn.
    """
    old = _turn(access, turn_id)
    if old is None:
        return Missing()
    if old.status in _BROKEN and old.parent_id == old.branch.tip_id:
        at_end = replace(new, branch_id=old.branch_id, version=old.branch.version)
        return turn_accept(access, at_end, owner=owner)
    what = _Version(old, new.key, new.model_name, owner, Feedback.Kind.EDIT, new.text)
    return _once(access, new.key, lambda new_id_: _beside(access, what, new_id_))


def turn_regenerate(
    access: Access, turn_id: UUID, *, key: str, model_name: str, owner: UUID
) -> Accepted | MovedOn | Missing | Busy:
    """Ask for another answer to the same input: an alternative beside the turn that shares it.

    Args:
        access: the conversation.
        turn_id: whose answer is wanted anew; one that is being written is not.
        key: idempotency key of the wish.
        model_name: whom to ask.
        owner: the process that will run the new turn.
    """
    old = _turn(access, turn_id)
    if old is None or old.input_message_id is None:
        return Missing()
    if old.status == Turn.Status.RUNNING:
        return Busy()
    what = _Version(old, key, model_name, owner, Feedback.Kind.REGENERATE, None)
    return _once(access, key, lambda new_id_: _beside(access, what, new_id_))


_BROKEN = frozenset({"failed", "interrupted"})


def _turn(access: Access, turn_id: UUID) -> Turn | None:
    rows = Turn.objects.filter(pk=turn_id, conversation=access.conversation)
    return rows.select_related("branch", "parent").first()


def _once(
    access: Access, key: str, accept: Callable[[UUID], Found | None]
) -> Found | Accepted | MovedOn:
    """Accept what a key stands for, or return the turn that it has become before."""
    earlier = Turn.objects.filter(conversation=access.conversation, idempotency_key=key)
    try:
        with transaction.atomic():
            found = accept(new_id())
            if found is not None:
                return found
    except IntegrityError:
        # The unique key refused a double; anything else does not lead to a turn below.
        pass
    first = earlier.values_list("id", "branch_id").first()
    if first is None:
        return MovedOn()
    return Accepted(first[0], duplicate=True, branch_id=first[1])


def _accept(
    access: Access, new: NewInput, turn_id: UUID, owner: UUID
) -> Accepted | Archived | None:
    if not conversations.reserve_head(access.conversation.id, new.branch_id, turn_id, new.version):
        mine = Branch.objects.filter(pk=new.branch_id, conversation=access.conversation)
        was_there = Turn.objects.filter(conversation=access.conversation, idempotency_key=new.key)
        is_archived = mine.exclude(archived_ms=None).exists() and not was_there.exists()
        return Archived() if is_archived else None
    branch = Branch.objects.select_related("tip", "redo_tip").get(pk=new.branch_id)
    _keep_left(access, branch)
    place = _Place(turn_id, branch, branch.tip, new.key, new.model_name, owner)
    return _insert_turn(access, place, new.text)


def _keep_left(access: Access, branch: Branch) -> None:
    """Give the turns that were rolled back a branch of their own: this one goes another way."""
    redo_tip = branch.redo_tip
    if redo_tip is None:
        return
    now = now_ms()
    left_id = new_id()
    what = {"branch": left_id, "left_branch": branch.id, "turn": redo_tip.id}
    change = Change("branch_left", redo_tip.id, input=tree_payload(what))
    Branch.objects.create(
        id=left_id,
        conversation=access.conversation,
        origin=Branch.Origin.ROLLBACK,
        parent_turn=branch.tip,
        left_branch=branch,
        tip=redo_tip,
        clock_ms=committed_branch_ms(redo_tip, now),
        created_seq=record(access.conversation.id, access.keys, change, now),
        created_ms=now,
    )
    Branch.objects.filter(pk=branch.id).update(redo_tip=None)


def _accept_aside(access: Access, new: NewInput, turn_id: UUID, owner: UUID) -> Accepted | None:
    """Accept an input on a branch of its own, at the head on which it was typed."""
    left = (
        Branch.objects.select_related("tip")
        .filter(pk=new.branch_id, conversation=access.conversation)
        .first()
    )
    head = None if new.head is None else _committed(access, new.head)
    if left is None or (new.head is not None and head is None) or _is_known(access, new.key):
        return None
    branch = _alternative(access, left, head, turn_id, Branch.Origin.EDIT)
    place = _Place(turn_id, branch, head, new.key, new.model_name, owner)
    return _insert_turn(access, place, new.text)


def _committed(access: Access, turn_id: UUID) -> Turn | None:
    rows = Turn.objects.filter(pk=turn_id, conversation=access.conversation, status="committed")
    return rows.first()


def _is_known(access: Access, key: str) -> bool:
    return Turn.objects.filter(conversation=access.conversation, idempotency_key=key).exists()


@dataclass(frozen=True, slots=True)
class _Version:
    """Another version of a turn."""

    old: Turn
    key: str
    model_name: str
    owner: UUID
    kind: Feedback.Kind
    text: str | None
    """The new input; None shares that of the turn."""


def _beside(access: Access, what: _Version, turn_id: UUID) -> Accepted | None:
    """Accept another version of a turn on a branch of its own."""
    if _is_known(access, what.key):
        return None
    old = what.old
    left = viewed_branch(access)
    origin = {
        Feedback.Kind.EDIT: Branch.Origin.EDIT,
        Feedback.Kind.REGENERATE: Branch.Origin.REGENERATE,
    }[what.kind]
    branch = _alternative(access, left, old.parent, turn_id, origin, beside=old.id)
    place = _Place(turn_id, branch, old.parent, what.key, what.model_name, what.owner)
    accepted = _insert_turn(access, place, what.text, shared=old.input_message_id)
    _judge(access, what, turn_id, branch)
    return accepted


def _judge(access: Access, what: _Version, turn_id: UUID, branch: Branch) -> None:
    """Keep what the person did instead of the turn as feedback on its message."""
    judged = what.old.input_message_id
    if judged is None:
        return
    if what.kind == Feedback.Kind.REGENERATE:
        answers = Message.objects.filter(turn=what.old, role="assistant").order_by("-position")
        judged = answers.values_list("id", flat=True).first() or judged
    Feedback.objects.create(
        conversation=access.conversation,
        user_id=access.owner.user_id,
        message_id=judged,
        turn=what.old,
        replaced_by=turn_id,
        kind=what.kind,
        seq=branch.created_seq,
        created_ms=branch.created_ms,
    )


def _alternative(
    access: Access,
    left: Branch,
    parent: Turn | None,
    turn_id: UUID,
    origin: Branch.Origin,
    *,
    beside: UUID | None = None,
) -> Branch:
    """Make a branch whose head a new turn has reserved, and select it."""
    now = now_ms()
    branch_id = new_id()
    kind = "turn_regenerated" if origin == Branch.Origin.REGENERATE else "turn_edited"
    what = {
        "branch": branch_id,
        "left_branch": left.id,
        "parent": None if parent is None else parent.id,
        "beside": beside,
        "turn": turn_id,
    }
    seq = record(
        access.conversation.id, access.keys, Change(kind, turn_id, input=tree_payload(what)), now
    )
    is_live = parent is not None and parent.id == left.tip_id
    branch = Branch.objects.create(
        id=branch_id,
        conversation=access.conversation,
        origin=origin,
        parent_turn=parent,
        left_branch=left,
        tip=parent,
        version=1,
        active_turn=turn_id,
        clock_ms=clock_of(left).at(now) if is_live else committed_branch_ms(parent, now),
        clock_set_ms=now,
        created_seq=seq,
        created_ms=now,
    )
    look_at(access, branch, now)
    return branch


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a new turn goes, and who runs it."""

    turn_id: UUID
    branch: Branch
    parent: Turn | None
    key: str
    model_name: str
    owner: UUID


def _insert_turn(
    access: Access, place: _Place, text: str | None, shared: UUID | None = None
) -> Accepted:
    """Insert a running turn with its input, or with one that is stored already.

    Args:
        access: the conversation.
        place: where it goes.
        text: what was said; None for what the shared message says.
        shared: the message of a sibling.
    """
    conversation, keys = access.conversation, access.keys
    stem = stem_of(place.parent)
    # Clocks may differ between machines: time never runs backwards along a path.
    now = max(now_ms(), stem.ended_ms)
    if text is None and shared is not None:
        message = paths.message_by_id(shared, keys)
    else:
        message = CoreMessage(id=str(new_id()), role="user", text=text or "", created_ms=now)
    # What is shared was written down when it was said; its transition before says whose it is.
    said = b"" if text is None else encode_body(message)
    change = Change(
        kind="turn_accepted", turn=place.turn_id, input=said, state_before=stem.path_hash
    )
    seq = record(conversation.id, keys, change, now, touch=True)
    if text is None:
        grown = share_message(UUID(message.id), stem)
    else:
        stored = Place(conversation.id, place.turn_id, seq, 0)
        grown = store_message(message, stem, stored, keys)
    turn = Turn(
        id=place.turn_id,
        conversation=conversation,
        branch=place.branch,
        parent=place.parent,
        depth=stem.depth + 1,
        input_message_id=UUID(message.id),
        idempotency_key=place.key,
        model_name=place.model_name,
        owner_id=place.owner,
        accepted_seq=seq,
        accepted_ms=now,
        branch_ms=clock_of(place.branch).at(now),
        **grown,
    )
    turns.insert_turn(turn)
    if conversation.title is None:
        title = conversations.seal_title(conversation.id, title_from(message.text), keys)
        Conversation.objects.filter(pk=conversation.id, title=None).update(title=title)
    return Accepted(
        place.turn_id,
        parent_id=None if place.parent is None else place.parent.id,
        depth=stem.depth + 1,
        accepted_ms=now,
        version=place.branch.version,
        branch_id=place.branch.id,
    )


def turn_retry(
    access: Access, turn_id: UUID, *, owner: UUID, model_name: str
) -> Accepted | MovedOn:
    """Run a turn again that failed or was interrupted, under the same id.

    Returns:
        The turn; MovedOn when something was committed after its parent or an answer is running.
    """
    with transaction.atomic():
        turn = Turn.objects.filter(pk=turn_id, conversation=access.conversation).first()
        if turn is None or not conversations.reserve_for_retry(
            turn.branch_id, turn_id, turn.parent_id
        ):
            return MovedOn()
        if not turns.take_over(turn_id, owner, model_name):
            transaction.set_rollback(True)
            return MovedOn()
        record(
            access.conversation.id,
            access.keys,
            Change(kind="turn_retried", turn=turn_id),
            now_ms(),
        )
    return Accepted(turn_id)


def turn_stop(access: Access, turn_id: UUID) -> UUID | None:
    """Flag a running turn to be stopped and return its owner; None when it does not run."""
    running = Turn.objects.filter(pk=turn_id, conversation=access.conversation, status="running")
    owner = running.values_list("owner_id", flat=True).first()
    if owner is None or not turns.request_stop(turn_id):
        return None
    return owner
