"""Accepts, commits and breaks off turns: each one transaction."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import IntegrityError, transaction

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.models import Branch, Feedback, Message, Turn
from chatapp.services.accepting import Divergence, NewTurn, alternative, insert_turn, keep_left
from chatapp.services.branching import branch_select
from chatapp.services.outcomes import Accepted, Archived, Busy, Missing, MovedOn
from chatapp.services.transitions import Change
from chatapp.services.tree_log import TreeLog
from chatapp.store import conversations, turns
from chatapp.store.branches import viewed_branch

_BROKEN = frozenset({Turn.Status.FAILED, Turn.Status.INTERRUPTED})


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

    It lands on the branch on which it was typed, whatever is looked at elsewhere. The version says
    where that was: each turn, rollback and redo makes another one.

    Args:
        access: the conversation.
        new: the input; aside, it becomes a branch of its own at the head on which it was typed.
        owner: the process that will run the turn.

    Returns:
        The turn, also when the same key was accepted before; MovedOn when the head is not free.
    """

    def accepted(log: TreeLog, turn_id: UUID) -> Accepted | None:
        if new.aside:
            return _aside(access, log, new, turn_id, owner)
        return _at_end(access, log, new, turn_id, owner)

    found = _once(access, new.key, accepted)
    is_late = isinstance(found, MovedOn) and not new.aside
    return Archived() if is_late and _is_archived(access, new.branch_id) else found


def _at_end(
    access: Access, log: TreeLog, new: NewInput, turn_id: UUID, owner: UUID
) -> Accepted | None:
    if not conversations.reserve_head(access.conversation.id, new.branch_id, turn_id, new.version):
        return None
    branch = Branch.objects.select_related("tip", "redo_tip").get(pk=new.branch_id)
    keep_left(access, log, branch)
    turn = NewTurn(turn_id, branch, new.key, new.model_name, owner, new.text)
    return insert_turn(access, log, turn)


def _aside(
    access: Access, log: TreeLog, new: NewInput, turn_id: UUID, owner: UUID
) -> Accepted | None:
    """Accept an input on a branch of its own, at the head on which it was typed."""
    branches = Branch.objects.filter(pk=new.branch_id, conversation=access.conversation)
    left = branches.select_related("tip").first()
    known = Turn.objects.filter(conversation=access.conversation, status=Turn.Status.COMMITTED)
    head = None if new.head is None else known.filter(pk=new.head).first()
    if left is None or (new.head is not None and head is None) or _is_known(access, new.key):
        return None
    branch = alternative(access, log, Divergence(Branch.Origin.EDIT, left, head), turn_id)
    turn = NewTurn(turn_id, branch, new.key, new.model_name, owner, new.text)
    return insert_turn(access, log, turn)


def _is_archived(access: Access, branch_id: UUID) -> bool:
    mine = Branch.objects.filter(pk=branch_id, conversation=access.conversation)
    return mine.exclude(archived_ms=None).exists()


def _is_known(access: Access, key: str) -> bool:
    return Turn.objects.filter(conversation=access.conversation, idempotency_key=key).exists()


def _once(
    access: Access, key: str, accept: Callable[[TreeLog, UUID], Accepted | None]
) -> Accepted | MovedOn:
    """Accept what a key stands for, or return the turn that it has become before.

    Args:
        access: the conversation.
        key: idempotency key.
        accept: does it under the id that it is given; None when it cannot be done.
    """
    try:
        with transaction.atomic():
            found = accept(TreeLog(access), new_id())
            if found is not None:
                return found
            transaction.set_rollback(True)
    except IntegrityError:
        # The unique key refused a double; anything else does not lead to a turn below.
        pass
    earlier = Turn.objects.filter(conversation=access.conversation, idempotency_key=key)
    first = earlier.values_list("id", "branch_id").first()
    if first is None:
        return MovedOn()
    return Accepted(first[0], duplicate=True, branch_id=first[1])


def turn_edit(
    access: Access, turn_id: UUID, new: NewInput, *, owner: UUID
) -> Accepted | MovedOn | Missing:
    """Say something else in the place of an input: an alternative beside the turn.

    A turn that broke off at the end of its branch has nothing beside it: the new input takes its
    place there, if it can. Either way it is selected.

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
        version = old.branch.version
        at_end = replace(new, branch_id=old.branch_id, version=version, aside=False)
        with transaction.atomic():
            found = turn_accept(access, at_end, owner=owner)
            if isinstance(found, Accepted) and not found.duplicate:
                # Their page goes there, as it goes to an alternative.
                branch_select(access, old.branch_id)
        if isinstance(found, Accepted):
            return found
    wanted = _Version(old, new.key, new.model_name, owner, new.text)
    return _once(access, new.key, lambda log, id_: _beside(access, log, wanted, id_))


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
    wanted = _Version(old, key, model_name, owner, None)
    return _once(access, key, lambda log, id_: _beside(access, log, wanted, id_))


def _turn(access: Access, turn_id: UUID) -> Turn | None:
    rows = Turn.objects.filter(pk=turn_id, conversation=access.conversation)
    return rows.select_related("branch", "parent").first()


@dataclass(frozen=True, slots=True)
class _Version:
    """Another version of a turn."""

    old: Turn
    key: str
    model_name: str
    owner: UUID
    text: str | None
    """The new input; None shares that of the turn."""


def _beside(access: Access, log: TreeLog, wanted: _Version, turn_id: UUID) -> Accepted | None:
    """Accept another version of a turn on a branch of its own."""
    if _is_known(access, wanted.key):
        return None
    old, is_edit = wanted.old, wanted.text is not None
    origin = Branch.Origin.EDIT if is_edit else Branch.Origin.REGENERATE
    at = Divergence(origin, viewed_branch(access), old.parent, beside=old.id)
    branch = alternative(access, log, at, turn_id)
    turn = NewTurn(
        turn_id,
        branch,
        wanted.key,
        wanted.model_name,
        wanted.owner,
        wanted.text,
        shared=None if is_edit else old.input_message_id,
    )
    accepted = insert_turn(access, log, turn)
    _judge(access, old, turn_id, branch)
    return accepted


def _judge(access: Access, old: Turn, turn_id: UUID, branch: Branch) -> None:
    """Keep what the person did instead of a turn as feedback on its message."""
    judged, kind = old.input_message_id, Feedback.Kind.EDIT
    if branch.origin == Branch.Origin.REGENERATE:
        answers = Message.objects.filter(turn=old, role="assistant").order_by("-position")
        judged, kind = answers.values_list("id", flat=True).first(), Feedback.Kind.REGENERATE
    if judged is None:
        # It broke off: there was no answer to think anything of.
        return
    Feedback.objects.create(
        conversation=access.conversation,
        user_id=access.owner.user_id,
        message_id=judged,
        turn=old,
        replaced_by=turn_id,
        kind=kind,
        seq=branch.created_seq,
        created_ms=branch.created_ms,
    )


def turn_retry(
    access: Access, turn_id: UUID, *, owner: UUID, model_name: str
) -> Accepted | MovedOn:
    """Run a turn again that failed or was interrupted, under the same id.

    Returns:
        The turn; MovedOn when something was committed after its parent or an answer is running.
    """
    with transaction.atomic():
        log = TreeLog(access)
        turn = _turn(access, turn_id)
        if (
            turn is None
            or not conversations.reserve_for_retry(turn.branch_id, turn_id, turn.parent_id)
            or not turns.take_over(turn_id, owner, model_name)
        ):
            transaction.set_rollback(True)
            return MovedOn()
        keep_left(access, log, turn.branch)
        log.append(Change(kind="turn_retried", turn=turn_id), now_ms())
    return Accepted(turn_id)


def turn_stop(access: Access, turn_id: UUID) -> UUID | None:
    """Flag a running turn to be stopped and return its owner; None when it does not run."""
    running = Turn.objects.filter(pk=turn_id, conversation=access.conversation, status="running")
    owner = running.values_list("owner_id", flat=True).first()
    if owner is None or not turns.request_stop(turn_id):
        return None
    return owner
