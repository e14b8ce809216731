"""Answers of memory models are kept once, for their owner alone, as long as the conversation."""

import pytest

from chatapp.access import owner_of
from chatapp.clock import now_ms
from chatapp.models import MemoryAnswer
from chatapp.services.conversations import conversation_create, conversation_delete
from chatapp.store.answers import keep_answer, kept_answer

pytestmark = pytest.mark.django_db

QUESTION = "1. Мне нужна комната на 4 человек.".encode()
ANSWER = '{"1": "goal"}'


def keep(access, text=ANSWER, question=QUESTION):
    keep_answer(access.conversation.id, question, text, access.keys, now_ms())


def test_a_question_that_was_asked_has_its_answer(cast):
    assert kept_answer(QUESTION, cast.access.keys) is None

    keep(cast.access)

    assert kept_answer(QUESTION, cast.access.keys) == ANSWER
    assert kept_answer(QUESTION + b" ", cast.access.keys) is None


def test_the_first_answer_stays(cast):
    keep(cast.access)
    keep(cast.access, '{"1": "rule"}')

    assert kept_answer(QUESTION, cast.access.keys) == ANSWER
    assert MemoryAnswer.objects.count() == 1


def test_nobody_else_finds_it(cast):
    keep(cast.access)

    assert kept_answer(QUESTION, owner_of(cast.mallory).keys) is None


def test_neither_question_nor_answer_can_be_read_in_the_table(cast):
    keep(cast.access)

    row = MemoryAnswer.objects.get()
    assert b"goal" not in bytes(row.body)
    assert QUESTION not in bytes(row.digest)


def test_it_goes_with_its_conversation_and_nothing_is_kept_after(cast):
    other = conversation_create(cast.owner, model_name="")
    keep(cast.access)
    keep_answer(other.id, b"another question", "{}", cast.owner.keys, now_ms())
    conversation_delete(cast.access)

    assert kept_answer(QUESTION, cast.access.keys) is None
    assert kept_answer(b"another question", cast.access.keys) == "{}"
    keep(cast.access)
    assert kept_answer(QUESTION, cast.access.keys) is None
