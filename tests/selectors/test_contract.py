"""The state of a conversation as it is read: the path that is looked at, as of one moment."""

import pytest

from chatapp.access import conversation_for
from chatapp.models import Turn
from chatapp.selectors.contract import TooLong, contract_of
from chatapp.services.commits import Broken, Measured, turn_fail
from chatapp.services.memory import memory_add, memory_delete, memory_pin, memory_undo
from statecore.contract.checks import check
from tests.support.people import MODEL, accept, branch_of, new_process, prepare, say
from tests.support.remembering import beside, last_seq, learn, remembered

pytestmark = pytest.mark.django_db
UNMEASURED = Measured(None, None, None, None, "estimated")


@pytest.fixture
def process(cast):
    return new_process()


def fail(access, text, process):
    turn_id = accept(access, text, process).turn_id
    attempt = prepare(turn_id, process).attempt_id
    broken = Broken("server_error", "500", "", UNMEASURED)
    assert turn_fail(turn_id, attempt, broken, owner=process, model=MODEL)
    return turn_id


def test_an_empty_conversation_has_its_system_prompt_only(cast):
    found = contract_of(cast.access)
    assert (found.turns, found.memory.deltas, found.conversation.title) == ((), (), None)
    assert found.system.role == "system"
    check(found)


def test_turns_tell_when_and_how_they_were_said(cast, process):
    turn_id = say(cast.access, "Привет.", "Здравствуйте.", process)
    row = Turn.objects.get(pk=turn_id)
    (turn,) = contract_of(cast.access).turns
    assert [message.text for message in turn.messages] == ["Привет.", "Здравствуйте."]
    assert (turn.id, turn.depth, turn.finish) == (str(turn_id), 1, "complete")
    assert (turn.accepted_ms, turn.committed_ms) == (row.accepted_ms, row.committed_ms)
    assert (turn.accepted_seq, turn.committed_seq) == (row.accepted_seq, row.committed_seq)


def test_memory_is_that_of_the_newest_moment(cast, process):
    learn(cast.access, say(cast.access, "No seafood.", "Noted.", process), "rule")
    memory_add(cast.access, "task", "Call.")
    found = contract_of(cast.access)
    assert found.memory.as_of == last_seq(cast.access)
    assert found.memory.folded().entries == remembered(cast.access).entries
    check(found)


def test_of_inputs_that_broke_off_the_newest_at_the_end_waits(cast, process):
    fail(cast.access, "First try", process)
    fail(cast.access, "Second try", process)
    (waiting,) = contract_of(cast.access).turns
    assert (waiting.status, waiting.messages[0].text) == ("failed", "Second try")
    say(cast.access, "Third try", "Yes.", process)
    (said,) = contract_of(cast.access).turns
    assert said.messages[0].text == "Third try"


def test_of_another_branch_only_what_holds_everywhere_is_told(cast, process):
    first = say(cast.access, "No seafood.", "Noted.", process)
    learn(cast.access, first, "rule")
    other = beside(say(cast.access, "Table for six.", "Noted.", process))
    # What stands beside has the input only.
    Turn.objects.filter(pk=other).update(finish="stopped")
    (rule,) = remembered(cast.access).entries
    pinned = memory_pin(cast.access, rule.id, pinned=True)
    memory_undo(cast.access, pinned.seq)
    memory_delete(cast.access, rule.id)
    branch = branch_of(cast.access)
    branch.tip_id = other
    branch.save(update_fields=["tip"])
    found = contract_of(cast.access)
    (deleted,) = found.memory.acts()
    assert (deleted.turn_id, deleted.depth) == (None, 0)
    assert [entry.status for entry in found.memory.folded().entries] == ["deleted"]
    check(found)


def test_how_requests_were_made_stands_beside_the_state(cast, process):
    turn_id = fail(cast.access, "Hello?", process)
    meta = contract_of(conversation_for(cast.alice, cast.access.conversation.id)).request_meta
    (attempt,) = meta.attempts
    assert (attempt.turn_id, attempt.status, attempt.reason) == (
        str(turn_id),
        "failed",
        "server_error",
    )
    assert (attempt.model, attempt.window_tokens, attempt.tier) == (MODEL.name, 4_000, 0)
    assert (meta.model, meta.strategy) == (MODEL.name, "elastic")


def test_a_path_that_is_too_long_is_not_read(cast, process, monkeypatch):
    say(cast.access, "One.", "Two.", process)
    monkeypatch.setattr("chatapp.selectors.contract.MAX_TURNS", 0)
    assert contract_of(cast.access) == TooLong(1, 0)
