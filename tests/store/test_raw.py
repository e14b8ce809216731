"""Quick inserts and ids of raw rows, the same on both databases."""

from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.models import TokenCount
from chatapp.store.raw import MAX_PARAMETERS, db_id, id_text, insert, to_id
from tests.support.people import accept, new_process

pytestmark = pytest.mark.django_db


def counts(message_id, number):
    return [
        TokenCount(message_id=message_id, tokenizer=f"t{n}", form="full", tokens=n, quality="exact")
        for n in range(number)
    ]


def message_of(cast):
    accept(cast.access, "Hi", new_process())
    return TokenCount.objects.first().message_id


def test_more_rows_than_a_statement_takes_are_inserted_in_several(cast):
    message_id = message_of(cast)
    rows = counts(message_id, MAX_PARAMETERS // 6 + 1)

    with CaptureQueriesContext(connection) as queries:
        insert(rows)

    assert len(queries) == 2
    assert TokenCount.objects.filter(message_id=message_id, tokenizer="t7").get().tokens == 7
    assert TokenCount.objects.filter(tokenizer__startswith="t").count() == len(rows)


def test_no_rows_are_no_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        insert([])


def test_a_row_that_is_there_stays_where_that_is_asked_for(cast):
    message_id = message_of(cast)
    insert(counts(message_id, 2))

    again = counts(message_id, 3)
    again[0].tokens = 99
    insert(again, ignore_conflicts=True)

    found = TokenCount.objects.filter(tokenizer__startswith="t").order_by("tokenizer")
    assert list(found.values_list("tokens", flat=True)) == [0, 1, 2]


def test_an_id_comes_back_from_the_database_as_it_was():
    value = uuid4()

    assert to_id(db_id(value)) == value
    assert id_text(db_id(value)) == str(value)
    assert id_text(UUID(int=0)) == "00000000-0000-0000-0000-000000000000"
