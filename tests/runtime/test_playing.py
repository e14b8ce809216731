"""A recorded session is played: the same services, the same times, and no provider."""

from dataclasses import replace

import pytest

from chatapp.llm import labelling, openai_chat
from chatapp.models import (
    Attempt,
    Branch,
    Conversation,
    Feedback,
    MemoryDelta,
    Outbox,
    Payload,
    PlanInput,
    Process,
    Transition,
    Turn,
    Usage,
)
from chatapp.runtime.playing import NotPlayable, play, player
from chatapp.selectors.replays import replayable
from chatapp.services.branching import (
    branch_archive,
    branch_fork,
    branch_name,
    branch_redo,
    branch_roll_back,
    branch_select,
)
from chatapp.services.commits import Broken, turn_commit, turn_fail, turn_interrupt
from chatapp.services.conversations import conversation_choose_model, conversation_rename
from chatapp.services.feedback import feedback_give
from chatapp.services.importing import state_import
from chatapp.services.memory import field_set, memory_add, memory_delete, memory_pin, memory_undo
from chatapp.services.outcomes import Selected
from chatapp.services.turns import turn_retry
from chatapp.store.erasure import remove_conversation, remove_unfinished_plays
from chatapp.store.permits import erasure_permit
from chatapp.store.recordings import seal_recording
from statecore.contract.document import parse
from statecore.errors import InvalidInput
from statecore.routing.recording import Recording
from statecore.routing.stream import UsageSeen
from statecore.state.operations import FieldSet
from tests.services.test_branching import Talk
from tests.statecore.contract_builders import sample
from tests.support.people import MODEL, accept, answered, prepare
from tests.support.remembering import learn

pytestmark = pytest.mark.django_db


class Session(Talk):
    """A talk in which everything happens that can happen."""

    def everything(self):
        one = self.says("My order is 48371, please never call me.")
        learn(self.access, one.id, "rule")
        conversation_rename(self.access, "Мой заказ")
        two = self.says("What is in it?")
        memory_add(self.access, "fact", "It is for my sister.")
        added = Transition.objects.get(kind="memory_added").seq
        memory_pin(self.access, f"op:{added}", pinned=True)
        field_set(self.access, FieldSet("tone", "short"))
        self.regenerates(two)
        self.says("Go on.")
        other = self.edits(two, "And when does it come?")
        learn(self.access, other.id, "question")
        conversation_choose_model(self.access, "another")
        main = Branch.objects.get(origin="main")
        fork = branch_fork(self.access, one.id, "если вернуть")
        self.says("I want to send it back.")
        branch_select(self.access, main.id)
        self.says("Where is it now?")
        last = self.says("Thanks.")
        branch_roll_back(self.access, two.id)
        branch_redo(self.access)
        branch_roll_back(self.access, two.id)
        self.says("Another way.")
        self.breaks()
        self.stops()
        branch_name(self.access, Branch.objects.get(origin="edit").id, "Когда")
        branch_archive(self.access, fork.branch_id, archived=True)
        feedback_give(self.access, last.id, -1)
        memory_delete(self.access, f"op:{added}")
        deleted = Transition.objects.get(kind="memory_deleted").seq
        memory_undo(self.access, deleted)
        # What a turn taught may be known much later.
        learn(self.access, two.id, "fact")
        return self

    def breaks(self):
        broken = accept(self.access, "Can you hear me?", self.process).turn_id
        prepared = prepare(broken, self.process)
        failed = Broken("server_error", "It broke.", "Half an ", answered("").measured)
        turn_fail(broken, prepared.attempt_id, failed, owner=self.process, model=MODEL)
        turn_retry(self.access, broken, owner=self.process, model_name=MODEL.name)
        prepare(broken, self.process)
        turn_interrupt(broken, owner=self.process)
        turn_retry(self.access, broken, owner=self.process, model_name=MODEL.name)
        self.answered(broken, "I can.")

    def stops(self):
        stopped = accept(self.access, "Tell me a long story.", self.process).turn_id
        prepared = prepare(stopped, self.process)
        answer = answered("Once upon", "stopped")
        turn_commit(stopped, prepared.attempt_id, answer, owner=self.process, model=MODEL)


@pytest.fixture
def session(cast):
    return Session(cast.access)


def counts():
    models = (Attempt, Branch, Conversation, Feedback, MemoryDelta, Outbox, Payload, Turn, Usage)
    return {model.__name__: model.objects.count() for model in (*models, Transition)}


def test_a_session_ends_in_the_same_state_and_leaves_no_trace(session):
    access = session.everything().access
    before = counts()
    played = play(access)
    assert played.fault is None
    assert played.transitions == Transition.objects.count()
    assert played.requests == Attempt.objects.count()
    assert played.branches == Branch.objects.count() > 4
    assert played.erased == 0
    assert counts() == before


def test_a_played_session_can_be_kept(session):
    session.says("one")
    played = play(session.access, keep=True)
    made = Conversation.objects.get(pk=played.conversation_id)
    assert not made.temporary
    assert made.turns.count() == 1
    assert not Outbox.objects.filter(conversation=made, done_ms=None).exists()
    remove_conversation(made.id)
    assert Conversation.objects.count() == 1


def test_what_providers_streamed_is_read_again_as_it_came(session):
    turn = session.says("one", "Волга is a river.")
    attempt = Attempt.objects.get(turn=turn)
    recording = Recording(((5, 6), (9, 11)), "stop", UsageSeen(120, 7, 40), is_done=True)
    sealed = seal_recording(attempt.id, recording, session.access.keys)
    Attempt.objects.filter(pk=attempt.id).update(recording=sealed)
    made = Attempt.objects.get(turn__conversation=play(session.access, keep=True).conversation_id)
    assert (made.prompt_tokens, made.cached_tokens, made.completion_tokens) == (120, 40, 7)
    assert made.recording is not None


def test_a_recording_of_another_text_is_not_played(session):
    attempt = Attempt.objects.get(turn=session.says("one", "Volga."))
    sealed = seal_recording(attempt.id, Recording(((5, 3),)), session.access.keys)
    Attempt.objects.filter(pk=attempt.id).update(recording=sealed)
    with pytest.raises(InvalidInput, match="another text"):
        play(session.access)
    assert Conversation.objects.count() == 1


def test_a_request_that_was_another_one_is_named(session):
    session.says("one")
    two = session.says("two")
    # As if the turn before had been planned with another memory.
    turn = Turn.objects.get(pk=two.id)
    PlanInput.objects.filter(attempt__turn=turn).update(as_of_seq=turn.accepted_seq)
    blocks = Attempt.objects.get(turn=turn).manifest
    Attempt.objects.filter(turn=turn).update(manifest=blocks[:-1])
    played = play(session.access)
    assert (played.fault.kind, played.fault.seq) == ("request", turn.accepted_seq)
    assert "from message" in played.fault.what


def test_a_state_that_ends_otherwise_is_named_with_the_place(session):
    one = session.says("one")
    Turn.objects.filter(pk=one.id).update(model_name="somebody else")
    Turn.objects.filter(pk=one.id).update(branch_ms=one.branch_ms + 5)
    played = play(session.access)
    assert played.fault.kind == "state"
    assert "turns 1 → branch_ms" in played.fault.what


def test_erased_words_are_counted_and_excused(session):
    session.says("one")
    conversation_rename(session.access, "Secret title")
    session.says("two")
    rows = Payload.objects.filter(transition__kind="conversation_renamed")
    with erasure_permit(session.access.conversation.id):
        rows.update(body=None, erased_ms=1)
    played = play(session.access)
    assert (played.erased, played.fault) == (1, None)


def test_a_session_is_played_until_a_transition(session):
    session.everything()
    played = play(session.access, until=6)
    assert (played.transitions, played.branches, played.fault) == (6, 0, None)


def test_what_came_from_elsewhere_is_not_played_and_said_so(cast):
    access = replace(cast.access)
    state_import(access, parse(sample("state.3.ru.json")))
    with pytest.raises(NotPlayable, match="of a kind that is not played: state_imported"):
        play(access)
    assert Conversation.objects.count() == 1


def test_no_provider_is_called(session, monkeypatch):
    def called(*_):
        raise AssertionError("A provider was called.")

    monkeypatch.setattr(openai_chat, "stream_chat", called)
    monkeypatch.setattr(openai_chat, "count_at_server", called)
    monkeypatch.setattr(labelling, "ask_labels", called)
    assert play(session.everything().access).fault is None


def test_going_to_the_chosen_branch_from_a_page_of_another_writes_nothing(session):
    one = session.says("one")
    main = session.branch
    fork = branch_fork(session.access, one.id, "other")
    before = Transition.objects.count()
    page = replace(session.access, branch_id=main.id)
    assert branch_select(page, fork.branch_id) == Selected(fork.branch_id, before)
    assert Transition.objects.count() == before
    assert play(session.access).fault is None


def test_what_a_killed_play_has_left_is_removed_by_whoever_finds_it(session, monkeypatch):
    session.says("one")
    before = counts()

    class Killed(BaseException):
        """What no handler sees: the process is gone."""

    def killed(*_, **__):
        raise Killed

    monkeypatch.setattr(player, "_compare", killed)
    monkeypatch.setattr(player, "_end", lambda *_, **__: None)
    with pytest.raises(Killed):
        play(session.access)
    monkeypatch.undo()
    assert Conversation.objects.filter(temporary=True).count() == 1
    assert replayable() == [session.access.conversation.id]
    remove_unfinished_plays()
    assert Conversation.objects.filter(temporary=True).count() == 1
    Process.objects.filter(kind="play").update(heartbeat_ms=1)
    remove_unfinished_plays()
    assert counts() == before
    assert not Process.objects.filter(kind="play").exists()
