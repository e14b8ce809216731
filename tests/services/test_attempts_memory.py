"""A request says what memory holds and the window does not, and nothing that was deleted."""

import json
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.models import Attempt, PlanInput
from chatapp.selectors.requests import sent_request
from chatapp.selectors.turns import turn_row
from chatapp.services.attempts import Prepared, attempt_prepare
from chatapp.services.commits import turn_commit, turn_interrupt
from chatapp.services.memory import field_set, memory_add, memory_delete, memory_pin, memory_undo
from chatapp.services.outcomes import TextNeeded
from chatapp.services.turns import turn_retry
from statecore.context.block_text import CLOSE, OPEN
from statecore.routing.wire import wire_request
from statecore.state.operations import FieldSet
from statecore.tokens import Count
from tests.support.lengthen import lengthen
from tests.support.people import MODEL, accept, answered, new_process, prepare, say
from tests.support.remembering import learn, remembered

pytestmark = pytest.mark.django_db

NARROW = replace(MODEL, window_tokens=1_000, reply_reserve_tokens=100)
ELSEWHERE = replace(NARROW, name="elsewhere", tokenizer="server:elsewhere")
MAX_READS = 8


@pytest.fixture
def process(cast):
    return new_process()


@pytest.fixture
def long(cast, process):
    """A conversation whose first turn is a rule that a narrow window does not show."""
    first = say(cast.access, "Never book a night train.", "I will not.", process)
    learn(cast.access, first, "rule")
    for number in range(6):
        words = f"Tell me of day {number}. " + "river " * 60
        learn(cast.access, say(cast.access, words, "water " * 60, process), "fact")
    return cast.access


def texts(prepared):
    return [message.text for message in prepared.request.messages]


def blocks(prepared):
    return [text for text in texts(prepared) if OPEN in text]


def entry_of(access, text):
    return next(found for found in remembered(access).entries if found.text == text)


def named(row):
    return row["id"], row["group"], row["reason"]


def attempts_of(access, turn_id):
    return turn_row(access, turn_id).attempts


def test_what_the_window_has_lost_is_given_back_and_said_so(long, process):
    turn_id = accept(long, "Which train?", process).turn_id

    prepared = prepare(turn_id, process, NARROW)

    (block,) = blocks(prepared)
    assert '"Never book a night train."' in block
    assert block.endswith(CLOSE)
    assert (texts(prepared)[1], texts(prepared)[-1]) == (block, "Which train?")
    (attempt,) = attempts_of(long, turn_id)
    rule = entry_of(long, "Never book a night train.")
    assert named(attempt.selected[0]) == (rule.id, "rule", "rule")
    assert {row["reason"] for row in attempt.left_out} <= {"visible", "over_limit"}
    assert {row["id"] for row in (*attempt.selected, *attempt.left_out)} == {
        entry.id for entry in remembered(long).entries
    }
    segment = next(found for found in attempt.segments if found["kind"] == "state_block")
    assert rule.sources[0].message_id in segment["source_ids"]


def test_a_short_conversation_has_no_notes_and_nothing_selected(cast, process):
    learn(cast.access, say(cast.access, "Never call me.", "Fine.", process), "rule")
    turn_id = accept(cast.access, "Hello?", process).turn_id

    prepared = prepare(turn_id, process)

    assert blocks(prepared) == []
    (attempt,) = attempts_of(cast.access, turn_id)
    assert attempt.selected == []
    assert [row["reason"] for row in attempt.left_out] == ["visible"]


def test_a_conversation_without_memory_stores_no_account_of_it(cast, process):
    prepare(accept(cast.access, "Hello?", process).turn_id, process)

    assert "selection" not in PlanInput.objects.get().result


def test_what_was_deleted_before_a_retry_is_not_in_the_retry(long, process):
    memory_pin(long, entry_of(long, "Never book a night train.").id, pinned=True)
    turn_id = accept(long, "Which train?", process).turn_id
    first = prepare(turn_id, process)
    turn_interrupt(turn_id, owner=process)
    memory_delete(long, entry_of(long, "Never book a night train.").id)
    turn_retry(long, turn_id, owner=process, model_name=MODEL.name)

    second = prepare(turn_id, process)

    assert "night train" in "".join(texts(first))
    assert "night train" not in "".join(texts(second))
    before, after = PlanInput.objects.filter(attempt__turn=turn_id).order_by("attempt__ordinal")
    assert before.as_of_seq < after.as_of_seq


def test_what_was_deleted_and_taken_back_is_sent_as_it_was_said(cast, process):
    learn(cast.access, say(cast.access, "It is QX-4417.", "So QX-4417.", process), "fact")
    gone = memory_delete(cast.access, entry_of(cast.access, "It is QX-4417.").id)
    masked = prepare(accept(cast.access, "And?", process).turn_id, process)
    turn_interrupt(PlanInput.objects.get(attempt=masked.attempt_id).attempt.turn_id, owner=process)
    memory_undo(cast.access, gone.seq)

    shown = prepare(accept(cast.access, "And?", process).turn_id, process)

    assert "4417" not in "".join(texts(masked))
    assert texts(shown)[1:] == ["It is QX-4417.", "So QX-4417.", "And?"]


def test_a_request_with_notes_and_masks_is_rebuilt_and_proven(long, process):
    memory_add(long, "rule", "Только по-русски.")
    newest = next(entry for entry in remembered(long).entries if "day 5" in entry.text)
    memory_delete(long, newest.id)
    turn_id = accept(long, "Which train?", process).turn_id
    prepared = prepare(turn_id, process, NARROW)

    found = sent_request(long, prepared.attempt_id)

    assert found.proven
    assert found.body == wire_request(prepared.request, NARROW)
    segments = Attempt.objects.get(pk=prepared.attempt_id).segments
    assert {"settled_notes", "masked"} <= {segment["reason"] for segment in segments}


def test_an_old_request_is_proven_after_its_sentence_was_deleted(long, process):
    turn_id = accept(long, "Which train?", process).turn_id
    prepared = prepare(turn_id, process, NARROW)
    memory_delete(long, entry_of(long, "Never book a night train.").id)

    found = sent_request(long, prepared.attempt_id)

    assert found.proven
    assert found.body == wire_request(prepared.request, NARROW)


def test_the_account_holds_no_words_of_a_person(cast, process):
    field_set(cast.access, FieldSet("xylophone", "wombat"))
    turn_id = accept(cast.access, "Hello?", process).turn_id
    prepare(turn_id, process)

    plain = json.dumps(list(PlanInput.objects.values_list("result", flat=True)))
    plain += json.dumps(list(Attempt.objects.values_list("segments", flat=True)))

    (attempt,) = attempts_of(cast.access, turn_id)
    assert list(map(named, attempt.selected)) == [("field:xylophone", "field", "field")]
    assert "xylophone" not in plain
    assert "wombat" not in plain


def test_a_plan_with_memory_reads_no_more_than_allowed_whatever_the_length(long, process):
    reads = {}
    for length in (20, 200):
        lengthen(long, length)
        turn_id = accept(long, "Which train?", process).turn_id
        with CaptureQueriesContext(connection) as queries:
            prepare(turn_id, process, NARROW)
        turn_interrupt(turn_id, owner=process)
        statements = [query["sql"].lstrip() for query in queries.captured_queries]
        reads[length] = sum(sql.startswith(("SELECT", "WITH")) for sql in statements)

    assert reads[20] == reads[200] <= MAX_READS


def test_a_server_s_tokenizer_counts_the_notes_too_and_is_asked_once(long, process):
    def prepared_with(turn_id, fresh):
        asked = []
        while True:
            outcome = attempt_prepare(turn_id, owner=process, model=ELSEWHERE, fresh=fresh)
            if isinstance(outcome, Prepared):
                return outcome, asked
            assert isinstance(outcome, TextNeeded)
            asked.append(outcome.texts)
            fresh |= {id_: Count(len(text) // 4, "exact") for id_, text in outcome.texts.items()}

    turn_id = accept(long, "Which train?", process).turn_id
    first, asked = prepared_with(turn_id, {})
    turn_commit(turn_id, first.attempt_id, answered("None."), owner=process, model=ELSEWHERE)
    again = accept(long, "Sure?", process).turn_id
    _, asked_again = prepared_with(again, {})

    assert blocks(first) == list(asked[-1].values())
    known = {text for texts in asked for text in texts.values()}
    assert known.isdisjoint(text for texts in asked_again for text in texts.values())
