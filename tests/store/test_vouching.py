"""Rows that the log vouches for: whatever is done to one of them is found and named."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from chatapp.access import Access
from chatapp.ids import new_id
from chatapp.models import (
    Branch,
    Feedback,
    MemoryDelta,
    Message,
    Operation,
    Payload,
    Turn,
)
from chatapp.services.commits import Broken, Measured, turn_commit, turn_fail
from chatapp.services.conversations import conversation_delete
from chatapp.services.feedback import feedback_give
from chatapp.services.importing import state_import_new
from chatapp.services.memory import field_set, memory_add, memory_pin
from chatapp.services.turns import turn_regenerate, turn_retry
from chatapp.store import verification
from chatapp.store.sealing import seal
from chatapp.store.verification import Finding, verify_conversation
from statecore.messages import Message as Said
from statecore.messages import ToolCall, encode_body
from statecore.state.operations import FieldSet
from tests.statecore.contract_builders import contract, said, turn
from tests.support.people import MODEL, accept, answered, new_process, prepare, say
from tests.support.remembering import learn, remembered
from tests.support.tamper import guards_down

pytestmark = pytest.mark.django_db

NOTHING = Measured(None, None, None, None, "estimated")


@dataclass(frozen=True)
class Told:
    """A conversation with three answers, a turn that failed, and what was learned and done."""

    access: Access
    turns: tuple[UUID, ...]
    failed: UUID

    def findings(self) -> list[Finding]:
        """Return what verification finds now."""
        return list(verify_conversation(self.access.conversation.id, self.access.keys).findings)

    def faults(self) -> list[tuple[str, int, str]]:
        """Return its faults in short."""
        return [(one.kind, one.seq, one.what) for one in self.findings() if one.is_fault]


@pytest.fixture
def told(cast):
    return make_told(cast.access)


def make_told(access: Access) -> Told:
    process = new_process()
    turns = [say(access, f"Question {n}, 问题.", f"Answer {n}.", process) for n in range(3)]
    for turn_id in turns[:2]:
        learn(access, turn_id, "rule")
    memory_add(access, "task", "Call the hotel.")
    memory_pin(access, remembered(access).entries[0].id, pinned=True)
    field_set(access, FieldSet("step", "2"))
    for thumb in (1, -1):
        feedback_give(access, turns[1], thumb)
    failed = accept(access, "This one breaks.", process).turn_id
    attempt = prepare(failed, process).attempt_id
    turn_fail(failed, attempt, Broken("network", "", "It be", NOTHING), owner=process, model=MODEL)
    again = turn_regenerate(
        access, turns[1], key="again", model_name=MODEL.name, owner=process
    ).turn_id
    attempt = prepare(again, process).attempt_id
    turn_commit(again, attempt, answered("Another answer."), owner=process, model=MODEL)
    return Told(access, tuple(turns), failed)


def with_a_tool():
    """Return a turn of four messages."""
    return turn(
        1,
        said("a", "user", "What time is it?"),
        said(
            "b",
            "assistant",
            "",
            tool_calls=(ToolCall("c1", "now", "{}"),),
        ),
        said("c", "tool", "12:00", tool_call_id="c1"),
        said("d", "assistant", "Noon."),
    )


def sealed(told: Told, message: Message, text: str) -> bytes:
    body = encode_body(Said(str(message.id), "user", text, 0))
    return seal(told.access.keys, "chatapp_message", "body", message.id, body)


def question(told: Told, number: int = 1) -> Message:
    return Message.objects.get(turn=told.turns[number], position=0)


def answer(told: Told, number: int = 1) -> Message:
    return Message.objects.get(turn=told.turns[number], position=1)


def test_what_nobody_touched_has_no_finding(told):
    assert told.findings() == []


def test_a_turn_that_is_tried_again_has_no_finding(told):
    turn_retry(told.access, told.failed, owner=new_process(), model_name=MODEL.name)
    assert told.findings() == []


def test_what_came_from_elsewhere_has_no_finding(cast):
    conversation_id = state_import_new(cast.owner, contract(with_a_tool()))
    assert verify_conversation(conversation_id, cast.owner.keys).findings == ()


def test_words_sealed_again_are_changed(told):
    row = question(told)
    with guards_down():
        Message.objects.filter(pk=row.id).update(body=sealed(told, row, "What was never said"))
    (found,) = told.findings()
    expected = ("changed", row.seq, row.id, row.created_ms, "message row: body")
    assert (found.kind, found.seq, found.row_id, found.created_ms, found.what) == expected


@pytest.mark.parametrize("find", [question, answer])
def test_a_message_that_was_removed_is_missing(told, find):
    row = find(told)
    Turn.objects.filter(input_message=row).update(input_message=None)
    with guards_down():
        row.delete()
    assert ("missing", row.seq, "message row") in told.faults()


def test_a_message_that_was_put_in_is_changed(told):
    row = answer(told)
    with guards_down():
        row.id, row.position = new_id(), 2
        row.body = sealed(told, row, "And more.")
        row.save(force_insert=True)
    assert told.faults() == [("changed", row.seq, "message row: the log does not speak of it")]


def test_messages_that_changed_places_are_reordered(told):
    one, other = question(told, 0), question(told, 1)
    with guards_down():
        Message.objects.filter(pk=one.id).update(seq=other.seq)
        Message.objects.filter(pk=other.id).update(seq=one.seq)
    kinds = {(kind, seq, what) for kind, seq, what in told.faults()}
    assert {
        ("reordered", one.seq, "message row: seq"),
        ("reordered", other.seq, "message row: seq"),
    } <= kinds


def test_answers_of_one_turn_that_changed_places_are_reordered(cast):
    conversation_id = state_import_new(cast.owner, contract(with_a_tool()))
    rows = Message.objects.filter(conversation_id=conversation_id, turn__isnull=False)
    with guards_down():
        rows.filter(position=1).update(position=9)
        rows.filter(position=3).update(position=1)
        rows.filter(position=9).update(position=3)
    findings = verify_conversation(conversation_id, cast.owner.keys).findings
    assert [(found.kind, found.what) for found in findings] == [
        ("reordered", "message row: position")
    ] * 2


def test_a_redacted_message_is_told_and_excused(told):
    row = question(told)
    with guards_down():
        Message.objects.filter(pk=row.id).update(body=b"", redacted_ms=5)
    (found,) = told.findings()
    assert (found.kind, found.row_id, found.is_fault) == ("erased", row.id, False)


def test_a_message_said_to_be_redacted_that_has_its_words_is_changed(told):
    row = question(told)
    with guards_down():
        Message.objects.filter(pk=row.id).update(redacted_ms=5)
    assert [(kind, seq) for kind, seq, _ in told.faults()] == [("changed", row.seq)]


def test_an_erased_conversation_has_no_fault(told):
    conversation_delete(told.access)
    findings = told.findings()
    assert findings
    assert told.faults() == []


def test_a_turn_that_ran_when_its_conversation_was_deleted_is_no_fault(told):
    accept(told.access, "And now?", new_process())
    conversation_delete(told.access)
    assert told.faults() == []


def test_a_turn_is_still_checked_after_erasure(told):
    conversation_delete(told.access)
    Turn.objects.filter(pk=told.turns[1]).update(path_hash=b"x")
    assert [(kind, what) for kind, _, what in told.faults()] == [("changed", "turn row: path hash")]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"parent_id": None}, "parent"),
        ({"depth": 7}, "depth"),
        ({"path_hash": b"x"}, "path hash"),
        ({"committed_seq": None}, "seq of the answer"),
        ({"status": "failed"}, "status"),
        ({"accepted_ms": 1}, "time of the input"),
        ({"committed_ms": None}, "time of the answer"),
    ],
)
def test_a_column_of_a_turn_that_changed_is_named(told, change, what):
    row = Turn.objects.get(pk=told.turns[1])
    Turn.objects.filter(pk=row.id).update(**change)
    assert told.faults() == [("changed", row.accepted_seq, f"turn row: {what}")]


def test_a_turn_that_hangs_on_another_parent_is_changed(told):
    row = Turn.objects.get(pk=told.turns[2])
    Turn.objects.filter(pk=row.id).update(parent_id=told.turns[0], depth=2)
    assert ("changed", row.accepted_seq, "turn row: parent") in told.faults()


def test_an_input_that_was_exchanged_is_changed(told):
    row = Turn.objects.get(pk=told.turns[1])
    Turn.objects.filter(pk=row.id).update(input_message=question(told, 0))
    assert ("changed", row.accepted_seq, "turn row: input") in told.faults()


def test_a_turn_that_was_put_on_another_branch_is_changed(told):
    row = Turn.objects.get(pk=told.turns[1])
    Turn.objects.filter(pk=row.id).update(branch=Branch.objects.get(origin="regenerate"))
    assert told.faults() == [("changed", row.accepted_seq, "turn row: branch")]


def test_turns_that_changed_places_are_reordered(told):
    one, other = (Turn.objects.get(pk=told.turns[n]) for n in (0, 1))
    Turn.objects.filter(pk=one.id).update(accepted_seq=other.accepted_seq)
    Turn.objects.filter(pk=other.id).update(accepted_seq=one.accepted_seq)
    assert told.faults() == [
        ("reordered", one.accepted_seq, "turn row: seq of the input"),
        ("reordered", other.accepted_seq, "turn row: seq of the input"),
    ]


def test_a_failed_turn_that_is_said_to_be_answered_is_changed(told):
    row = Turn.objects.get(pk=told.failed)
    Turn.objects.filter(pk=row.id).update(status="committed", committed_seq=row.accepted_seq)
    assert {what for _, _, what in told.faults()} == {
        "turn row: status",
        "turn row: seq of the answer",
    }


def test_a_turn_that_was_put_in_is_changed(told):
    row = Turn.objects.get(pk=told.failed)
    row.id, row.idempotency_key = new_id(), "planted"
    row.save(force_insert=True)
    (found,) = told.findings()
    assert (found.row_id, found.what) == (row.id, "turn row: the log does not speak of it")


def test_what_a_turn_taught_is_missed_when_it_was_removed(told):
    row = MemoryDelta.objects.get(turn=told.turns[0])
    row.delete()
    assert told.faults() == [("missing", row.seq, "memory row")]


def test_what_turns_taught_is_reordered_when_it_changed_places(told):
    one, other = (MemoryDelta.objects.get(turn=told.turns[n]) for n in (0, 1))
    MemoryDelta.objects.filter(pk=one.id).update(seq=other.seq)
    MemoryDelta.objects.filter(pk=other.id).update(seq=one.seq)
    assert [(kind, what) for kind, _, what in told.faults()] == [
        ("reordered", "memory row: seq")
    ] * 2


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"scope": "elsewhere"}, "scope"),
        ({"target": b"x"}, "target"),
        ({"created_ms": 1}, "time"),
        ({"turn": None}, "turn"),
        ({"body": b"x"}, "body"),
    ],
)
def test_a_column_of_an_act_that_changed_is_named(told, change, what):
    row = Operation.objects.get(scope="path", seq=Operation.objects.latest("seq").seq)
    Operation.objects.filter(pk=row.id).update(**change)
    assert told.faults() == [("changed", row.seq, f"operation row: {what}")]


def test_an_act_that_was_removed_is_missing(told):
    row = Operation.objects.latest("seq")
    row.delete()
    assert told.faults() == [("missing", row.seq, "operation row")]


@pytest.mark.parametrize("model", [Message, Operation, MemoryDelta])
def test_a_row_beyond_the_newest_seq_is_changed(told, model):
    with guards_down():
        model.objects.filter(pk=model.objects.latest("seq").pk).update(seq=999)
    faults = told.faults()
    assert any(kind == "changed" and seq == 999 and "beyond" in what for kind, seq, what in faults)
    assert any(kind == "missing" for kind, _, _ in faults)


def test_where_the_log_itself_is_broken_rows_are_not_blamed(told):
    row = Turn.objects.get(pk=told.turns[1])
    with guards_down(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE chatapp_transition SET kind = 'forged' WHERE seq = %s", [row.committed_seq]
        )
    assert told.faults() == [("changed", row.committed_seq, "transition")]


def test_a_damaged_payload_leaves_its_row_alone(told):
    row = answer(told)
    with guards_down():
        Payload.objects.filter(transition__seq=row.seq, part="output").update(body=b"x")
    assert told.faults() == [("changed", row.seq, "output")]


def test_turns_that_go_on_meanwhile_are_no_fault(told, monkeypatch):
    def unbroken_after_another_turn(records, key, **options):
        say(told.access, "Meanwhile?", "Yes.", new_process())
        turn_retry(told.access, told.failed, owner=new_process(), model_name=MODEL.name)
        return plain_check(records, key, **options)

    plain_check = verification.unbroken
    monkeypatch.setattr(verification, "unbroken", unbroken_after_another_turn)
    assert told.findings() == []


@dataclass(frozen=True)
class Harm:
    """One thing that is done to the rows of a table behind the log's back."""

    model: type
    column: str
    """Empty where the row is removed."""
    value: Callable[[object], object]
    """What the column becomes, by what it was."""


def other_number(number):
    return 1 if number is None else number + 1_000


HARMS = (
    *(
        Harm(Message, column, value)
        for column, value in (
            ("seq", other_number),
            ("position", other_number),
            ("role", lambda role: "tool" if role != "tool" else "user"),
            ("body", lambda body: bytes(body)[:-1] + bytes([bytes(body)[-1] ^ 1])),
            ("created_ms", other_number),
        )
    ),
    *(
        Harm(Turn, column, value)
        for column, value in (
            ("depth", other_number),
            ("accepted_seq", other_number),
            ("committed_seq", other_number),
            ("accepted_ms", other_number),
            ("committed_ms", other_number),
            ("status", lambda status: "failed" if status != "failed" else "interrupted"),
            ("path_hash", lambda found: bytes(found)[::-1] or b"planted"),
        )
    ),
    Harm(MemoryDelta, "seq", other_number),
    Harm(MemoryDelta, "body", lambda body: bytes(body)[::-1]),
    Harm(Feedback, "thumb", lambda thumb: 0),
    Harm(Feedback, "created_ms", other_number),
    Harm(Feedback, "seq", other_number),
    Harm(Operation, "seq", other_number),
    Harm(Operation, "scope", lambda scope: f"not {scope}"),
    Harm(Operation, "target", lambda target: bytes(target) + b"x"),
    Harm(Operation, "created_ms", other_number),
    Harm(Operation, "body", lambda body: bytes(body)[::-1]),
)

SWAPS = (
    (Message, "seq"),
    (Message, "turn_id"),
    (Message, "body"),
    (Turn, "accepted_seq"),
    (Turn, "committed_seq"),
    (Turn, "parent_id"),
    (Turn, "input_message_id"),
    (Turn, "path_hash"),
    (Turn, "branch_id"),
    (MemoryDelta, "seq"),
    (MemoryDelta, "body"),
    (Operation, "body"),
    (Operation, "target"),
    (Feedback, "thumb"),
)

NOUNS = {
    Message: "message",
    Turn: "turn",
    MemoryDelta: "memory",
    Operation: "operation",
    Feedback: "feedback",
}

once = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def rows_of(model):
    """Return the rows of a table that the log vouches for."""
    rows = model.objects.order_by("created_ms" if model is not Turn else "depth", "id")
    # What was edited or regenerated is told by its branch; only thumbs are told by themselves.
    return list(rows.filter(kind="thumb") if model is Feedback else rows)


def faults_after(told, harm) -> list[Finding]:
    """Return what is found after some harm, and undo it for the next example."""
    with transaction.atomic():
        with guards_down():
            harm()
        found = [one for one in told.findings() if one.is_fault]
        transaction.set_rollback(True)
    return found


@once
@given(data=st.data())
def test_any_row_that_was_changed_is_found_and_named(told, data):
    harm = data.draw(st.sampled_from(HARMS))
    row = data.draw(st.sampled_from(rows_of(harm.model)))
    value = harm.value(getattr(row, harm.column))
    rows = harm.model.objects.filter(pk=row.pk)
    faults = faults_after(told, lambda: rows.update(**{harm.column: value}))
    assert row.pk in {fault.row_id for fault in faults}


@once
@given(data=st.data())
def test_any_row_that_was_removed_is_found_by_its_seq(told, data):
    model = data.draw(st.sampled_from(list(NOUNS)))
    row = data.draw(st.sampled_from(rows_of(model)))

    def remove():
        Turn.objects.filter(input_message=row.pk).update(input_message=None)
        Branch.objects.filter(tip=row.pk).update(tip=None)
        row.delete()

    seq = row.accepted_seq if model is Turn else row.seq
    faults = faults_after(told, remove)
    assert ("missing", seq, f"{NOUNS[model]} row") in {(f.kind, f.seq, f.what) for f in faults}


@once
@given(data=st.data())
def test_any_two_rows_that_were_swapped_are_found_and_named(told, data):
    model, column = data.draw(st.sampled_from(SWAPS))
    one, other = data.draw(st.permutations(rows_of(model)).map(lambda rows: rows[:2]))
    before = getattr(one, column), getattr(other, column)
    assume(before[0] != before[1])

    def swap():
        model.objects.filter(pk=one.pk).update(**{column: before[1]})
        model.objects.filter(pk=other.pk).update(**{column: before[0]})

    named = {fault.row_id for fault in faults_after(told, swap)}
    assert {one.pk, other.pk} <= named
