"""`verify_log`: its lines, its exit code, and that it puts triggers back when asked to."""

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chatapp import keyring
from chatapp.ids import new_id
from chatapp.models import Conversation, Message, Transition
from chatapp.store import log, triggers
from chatapp.store.payloads import erase_payloads
from chatapp.store.permits import erasure_permit
from chatapp.vault import new_key
from tests.support.people import new_process, say
from tests.support.sql import execute
from tests.support.tamper import tamper

pytestmark = pytest.mark.django_db

WRITTEN_MS = 1_785_585_600_123


@pytest.fixture(autouse=True)
def _empty_cache():
    keyring.clear()
    yield
    keyring.clear()


@pytest.fixture
def conversation(django_user_model):
    """A conversation whose log holds three transitions."""
    space = keyring.for_user(django_user_model.objects.create_user("alice"))
    conversation = Conversation.objects.create(key_space=space, created_ms=1, updated_ms=1)
    head = log.next_seq(conversation.id, count=3)
    for number in range(3):
        change = log.Change(kind="renamed", input=f"title {number}".encode())
        head = log.append_transition(
            conversation.id, keyring.keys_of(space.id), change, head=head, created_ms=WRITTEN_MS
        )
    return conversation


def run(*arguments):
    """Return the lines that the command printed and the sentence that it failed with, if any."""
    output = StringIO()
    try:
        call_command("verify_log", *arguments, stdout=output)
    except CommandError as error:
        return output.getvalue().splitlines(), str(error)
    return output.getvalue().splitlines(), None


def line(conversation, kind, seq, what="transition"):
    row = Transition.objects.get(conversation=conversation, seq=seq)
    return (
        f"{kind}: conversation {conversation.id}, seq {seq}, row {row.id},"
        f" 2026-08-01T12:00:00.123Z: {what}"
    )


def test_a_whole_log_is_verified(conversation):
    assert run() == (["3 transitions of 1 conversation verified"], None)


def test_an_empty_database_is_verified():
    assert run() == (["0 transitions of 0 conversations verified"], None)


def test_a_changed_row_is_named_and_fails(conversation):
    tamper("UPDATE chatapp_transition SET kind = 'forged' WHERE seq = 2")
    assert run() == (
        [line(conversation, "changed", 2)],
        "The log is not what was written: 1 fault.",
    )


def test_a_missing_row_is_named_by_its_seq(conversation):
    tamper(
        "DELETE FROM chatapp_payload WHERE transition_id IN"
        " (SELECT id FROM chatapp_transition WHERE seq = 2)",
        "DELETE FROM chatapp_transition WHERE seq = 2",
    )
    lines, failure = run()
    assert lines == [f"missing: conversation {conversation.id}, seq 2: transition"]
    assert failure == "The log is not what was written: 1 fault."


def test_erased_contents_are_told_and_do_not_fail(conversation):
    with erasure_permit(conversation.id) as permit:
        erase_payloads(conversation.id, permit)
    erased = [line(conversation, "payload erased", seq, "input") for seq in (1, 2, 3)]
    assert run() == ([*erased, "3 transitions of 1 conversation verified"], None)


def test_tampered_is_told_from_erased(conversation):
    with erasure_permit(conversation.id) as permit:
        erase_payloads(conversation.id, permit)
    tamper("UPDATE chatapp_payload SET erased_ms = NULL")
    lines, failure = run()
    assert lines == [line(conversation, "changed", seq, "input") for seq in (1, 2, 3)]
    assert failure == "The log is not what was written: 3 faults."


def test_a_time_that_no_calendar_has_is_still_a_line(conversation):
    tamper("UPDATE chatapp_transition SET created_ms = 9000000000000000000 WHERE seq = 2")
    (only,), failure = run()
    assert only.endswith(", 9000000000000000000 ms: transition")
    assert failure is not None


def test_a_missing_trigger_fails(conversation):
    triggers.remove()
    faults = triggers.trigger_faults()
    lines, failure = run()
    assert lines == [f"trigger absent: {f.trigger} on {f.table} is missing" for f in faults]
    assert failure == f"The log is not what was written: {len(faults)} faults."


def test_triggers_are_put_back_when_asked_for(conversation):
    triggers.remove()
    lines, failure = run("--restore-triggers")
    assert lines[-2].endswith(" triggers restored")
    assert failure is None
    assert triggers.trigger_faults() == ()


def test_putting_triggers_back_does_not_hide_what_was_changed_meanwhile(conversation):
    triggers.remove()
    execute("UPDATE chatapp_transition SET kind = 'forged' WHERE seq = 2")
    lines, failure = run("--restore-triggers")
    assert line(conversation, "changed", 2) in lines
    assert failure == "The log is not what was written: 1 fault."


def test_a_permit_left_open_fails(conversation):
    execute(
        "INSERT INTO chatapp_erasurepermit (id, conversation, created_ms)"
        " VALUES ('00000000000000000000000000000001', NULL, 0)"
    )
    lines, failure = run()
    assert lines[-1] == "permit open: an erasure permit stands outside its transaction"
    assert failure is not None


def test_one_conversation_is_verified_alone(conversation):
    other = Conversation.objects.create(
        key_space=conversation.key_space, last_seq=7, created_ms=1, updated_ms=1
    )
    lines, failure = run("--conversation", str(conversation.id))
    assert (lines, failure) == (["3 transitions of 1 conversation verified"], None)
    lines, failure = run("--conversation", str(other.id))
    assert lines == [f"missing: conversation {other.id}, seq 1: transition"]


def test_an_unknown_conversation_fails(conversation):
    unknown = new_id()
    lines, failure = run("--conversation", str(unknown))
    assert (lines, failure) == ([], f"There is no conversation {unknown}.")


def test_a_wrong_master_key_is_one_sentence(conversation, settings):
    keyring.clear()
    settings.MASTER_KEY = new_key()
    lines, failure = run()
    assert lines == []
    assert failure == (
        f"The master key does not open key space {conversation.key_space_id}: it is another one's."
    )


def test_a_row_that_the_log_does_not_vouch_for_is_named(cast):
    turn_id = say(cast.access, "Hello", "Good morning.", new_process())
    message = Message.objects.get(turn=turn_id, position=1)
    tamper(f"UPDATE chatapp_message SET role = 'tool' WHERE seq = {message.seq}")  # noqa: S608  # a number
    lines, failure = run()
    written = datetime.fromtimestamp(message.created_ms / 1000, UTC)
    time = written.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    place = f"conversation {cast.access.conversation.id}, seq {message.seq}, row {message.id}"
    assert lines == [f"changed: {place}, {time}: message row: role"]
    assert failure == "The log is not what was written: 1 fault."


def test_a_row_that_is_missing_is_named_with_its_seq_and_time(cast):
    message = Message.objects.get(conversation=cast.access.conversation, role="system")
    tamper(f"DELETE FROM chatapp_message WHERE seq = {message.seq}")  # noqa: S608  # a number
    lines, _ = run()
    (only,) = lines
    place = f"conversation {cast.access.conversation.id}, seq {message.seq}"
    assert only.startswith(f"missing: {place}: message row")
