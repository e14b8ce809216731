"""Reading a turn again adds what memory lacked, and brings back nothing that was deleted."""

import pytest

from chatapp.clock import now_ms
from chatapp.models import MemoryDelta, Outbox, Transition
from chatapp.services import relabelling
from chatapp.services.conversations import conversation_delete
from chatapp.services.learning import TRIES, Verdict
from chatapp.services.memory import memory_delete, memory_edit, memory_undo
from chatapp.services.outcomes import Missing, Queued, Relabelled, Unchanged
from chatapp.services.relabelling import (
    memory_again,
    relabelling_due,
    relabelling_fail,
    relabelling_next,
    relabelling_write,
)
from chatapp.store import outbox
from chatapp.store.verification import verify_conversation
from statecore.memory.labels import CheckedLabels
from tests.support.people import accept, new_process, say
from tests.support.remembering import last_seq, learn, remembered, texts

pytestmark = pytest.mark.django_db

FIRST = "The meeting room has a round table."
SECOND = "在三楼有一个小厨房。"
KIND = "memory_again"


@pytest.fixture
def process(cast):
    return new_process()


@pytest.fixture
def turn_id(cast, process):
    """A turn of two sentences, of which the first was learned."""
    found = say(cast.access, f"{FIRST} {SECOND}", "Noted.", process)
    learn(cast.access, found, text=FIRST)
    return found


def read_again(access, turn_id, *, kind="fact"):
    """Do what a worker does, with a model that gives every sentence of the turn a label."""
    assert memory_again(access, turn_id) == Queued(1)
    piece = relabelling_next(turn_id)
    return relabelling_write(piece, Verdict(CheckedLabels({1: kind, 2: kind}), "scripted"))


def work(turn_id):
    return Outbox.objects.get(turn_id=turn_id, kind=KIND)


# What is put to be read again.


def test_all_turns_of_the_path_are_read_again_oldest_first(cast, turn_id, process):
    later = say(cast.access, FIRST, "Yes.", process)
    learn(cast.access, later)

    assert memory_again(cast.access) == Queued(2)

    assert relabelling_due() == [turn_id, later]


def test_one_turn_is_read_again_alone(cast, turn_id, process):
    learn(cast.access, say(cast.access, FIRST, "Yes.", process))

    assert memory_again(cast.access, turn_id) == Queued(1)

    assert relabelling_due() == [turn_id]


def test_what_was_read_again_can_be_read_once_more(cast, turn_id):
    read_again(cast.access, turn_id)
    assert relabelling_due() == []

    assert memory_again(cast.access, turn_id) == Queued(1)

    assert relabelling_due() == [turn_id]
    assert work(turn_id).tries == 0


def test_what_waits_already_is_not_put_twice(cast, turn_id):
    memory_again(cast.access)
    before = work(turn_id).created_ms

    assert memory_again(cast.access) == Unchanged()
    assert work(turn_id).created_ms == before


def test_a_turn_that_still_waits_or_runs_is_not_read_again(cast, turn_id, process):
    waiting = say(cast.access, FIRST, "Yes.", process)
    running = accept(cast.access, FIRST, process).turn_id

    for found in (waiting, running):
        assert memory_again(cast.access, found) == Unchanged()
    assert memory_again(cast.access) == Queued(1)
    assert relabelling_due() == [turn_id]


def test_a_turn_of_another_conversation_is_not_there(cast, turn_id):
    assert memory_again(cast.access, cast.access.conversation.id) == Missing()
    assert relabelling_due() == []


def test_an_empty_conversation_has_nothing_to_read(cast):
    assert memory_again(cast.access) == Unchanged()


def test_with_a_broker_a_worker_is_woken_for_one_turn(
    cast, turn_id, process, settings, monkeypatch
):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    woken = []
    monkeypatch.setattr(relabelling, "wake_worker", lambda *args: woken.append(args))
    learn(cast.access, say(cast.access, FIRST, "Yes.", process))

    memory_again(cast.access)

    assert woken == [(KIND, turn_id)]


# What a worker takes.


def test_the_question_asks_about_the_sentences_of_the_turn(cast, turn_id):
    memory_again(cast.access)

    piece = relabelling_next(turn_id)

    assert [sentence.text for sentence in piece.question.asked] == [FIRST, SECOND]
    assert (piece.kind, piece.kept) == (KIND, None)


def test_a_turn_is_taken_by_one_worker(cast, turn_id):
    memory_again(cast.access)

    assert relabelling_next(turn_id) is not None
    assert relabelling_next(turn_id) is None


def test_nothing_is_taken_that_nobody_wished(cast, turn_id):
    assert relabelling_next(turn_id) is None


def test_a_deleted_conversation_is_not_read(cast, turn_id):
    memory_again(cast.access)
    conversation_delete(cast.access)

    assert relabelling_next(turn_id) is None
    assert relabelling_due() == []


def test_a_turn_that_cannot_be_loaded_is_put_off(cast, turn_id, monkeypatch):
    memory_again(cast.access)
    monkeypatch.setattr(relabelling, "piece_of", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        relabelling_next(turn_id)

    assert work(turn_id).tries == 1
    assert work(turn_id).not_before_ms > now_ms()


def test_a_turn_that_fails_again_and_again_is_let_be(cast, turn_id):
    memory_again(cast.access)

    for _ in range(TRIES):
        relabelling_fail(turn_id)
    assert work(turn_id).done_ms is None
    relabelling_fail(turn_id)

    assert work(turn_id).done_ms is not None
    assert work(turn_id).tries == outbox.GIVEN_UP


# What comes of it.


def test_what_memory_lacked_is_added_in_its_place(cast, turn_id, process):
    say(cast.access, "Later.", "Yes.", process)
    delta = MemoryDelta.objects.get()

    outcome = read_again(cast.access, turn_id)

    first, second = remembered(cast.access).entries
    assert (first.text, second.text) == (FIRST, SECOND)
    assert (second.author, second.kind, second.depth) == ("model", "fact", 1)
    assert (second.quote, second.said_seq) == (SECOND, first.said_seq)
    assert outcome == Relabelled((last_seq(cast.access),))
    assert MemoryDelta.objects.get() == delta
    assert Transition.objects.get(seq=outcome.seqs[0]).kind == "memory_added"
    assert verify_conversation(cast.access.conversation.id, cast.access.keys).findings == ()
    assert work(turn_id).done_ms is not None


def test_a_reading_that_finds_nothing_new_writes_nothing(cast, turn_id):
    read_again(cast.access, turn_id)
    before = last_seq(cast.access)

    assert read_again(cast.access, turn_id) == Unchanged()
    assert last_seq(cast.access) == before


def test_rules_alone_may_find_nothing(cast, turn_id):
    memory_again(cast.access)
    piece = relabelling_next(turn_id)

    assert relabelling_write(piece, Verdict(None, note="no_model")) == Unchanged()

    assert work(turn_id).tries == outbox.GIVEN_UP


def test_what_rules_settle_needed_no_model(cast, turn_id):
    memory_again(cast.access)

    relabelling_write(relabelling_next(turn_id), Verdict(None, note="settled"))

    assert work(turn_id).tries == 0


def test_what_was_deleted_stays_deleted(cast, turn_id):
    memory_delete(cast.access, remembered(cast.access).entries[0].id)

    read_again(cast.access, turn_id)

    assert texts(remembered(cast.access)) == [SECOND]


def test_what_is_deleted_while_the_model_reads_stays_deleted(cast, turn_id):
    memory_again(cast.access)
    piece = relabelling_next(turn_id)
    memory_delete(cast.access, remembered(cast.access).entries[0].id)

    relabelling_write(piece, Verdict(CheckedLabels({1: "rule"})))

    assert texts(remembered(cast.access)) == []


def test_what_was_edited_stays_edited(cast, turn_id):
    memory_edit(cast.access, remembered(cast.access).entries[0].id, "Стол овальный.")

    read_again(cast.access, turn_id)

    assert texts(remembered(cast.access)) == ["Стол овальный.", SECOND]


def test_what_it_added_can_be_taken_back_and_is_not_added_again(cast, turn_id):
    outcome = read_again(cast.access, turn_id)

    memory_undo(cast.access, outcome.seqs[0])

    assert texts(remembered(cast.access)) == [FIRST]
    assert read_again(cast.access, turn_id) == Unchanged()


def test_a_conversation_deleted_while_the_model_reads_keeps_nothing(cast, turn_id):
    memory_again(cast.access)
    piece = relabelling_next(turn_id)
    conversation_delete(cast.access)

    assert relabelling_write(piece, Verdict(CheckedLabels({2: "fact"}))) == Missing()
    assert relabelling_due() == []
