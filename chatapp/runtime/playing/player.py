"""Goes through the log of a session, and compares how it ends."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final
from uuid import UUID

from chatapp.access import Access
from chatapp.clock import clock_set_to
from chatapp.models import Branch, Conversation, Message
from chatapp.runtime.playing import acts, turns
from chatapp.runtime.playing.session import NotPlayable, Played, Session
from chatapp.selectors.contract import TooLong, contract_of
from chatapp.services.conversations import (
    conversation_choose_model,
    conversation_create,
    conversation_rename,
)
from chatapp.store import erasure, processes
from chatapp.store.transcripts import Step, attempts_of, steps_of
from statecore.contract.differences import difference
from statecore.contract.hashing import state_hash
from statecore.messages import decode_body

Steps = list[Step]

LEADS: Final = frozenset({"turn_edited", "turn_regenerated", "branch_left"})
"""Kinds that were written in one go with the turn that follows them."""


def play(access: Access, *, until: int | None = None, keep: bool = False) -> Played:
    """Play the session of a conversation and compare how it ends.

    Args:
        access: the conversation; nothing in it is changed.
        until: the last seq that is played; None for all.
        keep: whether the played conversation stays; else it is removed without a trace.

    Raises:
        NotPlayable: when a step cannot be done again.
    """
    session = Session(replace(access, branch_id=None))
    erasure.remove_unfinished_plays()
    processes.register(session.process, kind=processes.PLAY, host="", pid=0)
    try:
        _Player(session).play(until)
        if session.played.fault is None and until is None:
            _compare(session)
    finally:
        _end(session, keep=keep)
    return session.played


class _Player:
    """Does the steps of one session again."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._waiting = attempts_of(session.old.conversation.id)[::-1]
        """Attempts that are still to be planned, the next one last."""

    def play(self, until: int | None) -> None:
        """Do every transition again, until one comes out otherwise."""
        last_seq = 0
        for steps in self._groups(until):
            processes.beat(self._session.process)
            self._plan_before(steps[0].seq)
            with clock_set_to(steps[-1].created_ms):
                self._do(steps)
            last_seq = steps[-1].seq
            self._session.played.transitions += len(steps)
            self._check_seq(steps[-1])
            if self._session.played.fault is not None:
                return
        self._plan_before(last_seq + 1)

    def _groups(self, until: int | None) -> Iterator[Steps]:
        """Yield transitions with those that were written in one go before them."""
        group: Steps = []
        for step in steps_of(self._session.old.conversation.id, self._session.keys):
            if until is not None and step.seq > until:
                return
            self._session.played.erased += step.is_erased
            group.append(step)
            if step.kind not in LEADS:
                yield group
                group = []

    def _plan_before(self, seq: int) -> None:
        """Plan every attempt that was planned before a transition."""
        while self._waiting and self._waiting[-1].plan_input.as_of_seq < seq:
            old = self._waiting.pop()
            with clock_set_to(old.plan_input.now_ms):
                turns.plan(self._session, old)

    def _do(self, steps: Steps) -> None:
        step = steps[-1]
        self._session.seqs |= {one.seq: one.seq for one in steps}
        doer = DOERS.get(step.kind)
        if step.kind == "turn_accepted":
            turns.accept(self._session, steps)
        elif doer is not None:
            doer(self._session, step)
        else:
            raise NotPlayable(f"transition {step.seq} is of a kind that is not played: {step.kind}")
        self._note_branches([one.seq for one in steps])

    def _note_branches(self, seqs: list[int]) -> None:
        """Note the branches that steps have made: they bear the seq of one of them."""
        old = _made_at(self._session.old.conversation.id, seqs)
        new = _made_at(self._session.new().conversation.id, seqs)
        pairs = {str(old[seq]): str(new[seq]) for seq in old.keys() & new.keys()}
        self._session.branches |= pairs

    def _check_seq(self, step: Step) -> None:
        rows = Conversation.objects.filter(pk=self._session.new().conversation.id)
        last_seq = rows.values_list("last_seq", flat=True).get()
        if last_seq != step.seq:
            self._session.fail(step.seq, step.kind, f"the log has {last_seq} transitions here")


def _create(session: Session, step: Step) -> None:
    body = step.parts.get("input", b"")
    system = "" if not body else decode_body(body, message_id="", role="system", created_ms=0).text
    owner = session.old.owner
    # The log does not say which model a conversation began with: until it was changed, that of now.
    model_name = session.old.conversation.model_name
    made = conversation_create(owner, model_name=model_name, system=system)
    Conversation.objects.filter(pk=made.id).update(temporary=True)
    # Whoever finds the process dead knows what is to be removed.
    processes.note_work(session.process, str(made.id))
    session.begin(Access(owner, Conversation.objects.get(pk=made.id)))
    both = (session.old.conversation.id, made.id)
    for old, new in zip(*map(_system_ids, both), strict=False):
        session.note_message(old, new)
    mains = [Branch.objects.get(conversation=one, origin=Branch.Origin.MAIN).id for one in both]
    session.branches[str(mains[0])] = str(mains[1])


def _rename(session: Session, step: Step) -> None:
    conversation_rename(session.new(), step.text("input"))


def _choose_model(session: Session, step: Step) -> None:
    conversation_choose_model(session.new(), step.text("input"))


DOERS: Final[Mapping[str, Callable[[Session, Step], None]]] = {
    "conversation_created": _create,
    "conversation_renamed": _rename,
    "model_chosen": _choose_model,
    "turn_retried": turns.retry,
    "turn_committed": turns.commit,
    "turn_failed": turns.break_off,
    "turn_interrupted": turns.break_off,
    "memory_learned": acts.learn,
    "feedback_given": acts.judge,
    **dict.fromkeys(acts.ON_MEMORY, acts.on_memory),
    **dict.fromkeys(acts.ON_TREE, acts.on_tree),
}
"""Who does a step again, by its kind."""


def _made_at(conversation_id: UUID, seqs: list[int]) -> dict[int, UUID]:
    rows = Branch.objects.filter(conversation=conversation_id, created_seq__in=seqs)
    return dict(rows.exclude(origin=Branch.Origin.MAIN).values_list("created_seq", "id"))


def _system_ids(conversation_id: UUID) -> list[UUID]:
    rows = Message.objects.filter(conversation=conversation_id, role="system")
    return list(rows.order_by("seq", "position").values_list("id", flat=True))


def _compare(session: Session) -> None:
    """Compare the state at the end of every branch."""
    session.look_again()
    last_seq = session.old.conversation.last_seq
    for old, new in session.branches.items():
        processes.beat(session.process)
        before = contract_of(replace(session.old, branch_id=UUID(old)))
        after = contract_of(session.new(new))
        if isinstance(before, TooLong) or isinstance(after, TooLong):
            session.fail(last_seq, "state", f"branch {old} is too long to be compared")
            continue
        session.played.branches += 1
        if state_hash(before) != state_hash(after):
            first = next(iter(difference(before, after)), "")
            session.fail(last_seq, "state", f"branch {old} ends in another state: {first}")


def _end(session: Session, *, keep: bool) -> None:
    """Remove what was made, or leave it to its owner."""
    processes.unregister(session.process)
    if not session.is_begun:
        return
    conversation_id = session.new().conversation.id
    if keep:
        Conversation.objects.filter(pk=conversation_id).update(temporary=False)
        session.played.conversation_id = conversation_id
    else:
        erasure.remove_conversation(conversation_id)
