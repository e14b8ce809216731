"""Whether the database answers."""

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from chatapp.selectors.service import database_answers


@pytest.mark.django_db
def test_a_database_that_answers_is_fine():
    with CaptureQueriesContext(connection) as asked:
        database_answers()

    assert [query["sql"] for query in asked] == ["SELECT 1"]


@pytest.mark.django_db
def test_a_database_that_does_not_answer_is_an_error():
    def refuse(execute, sql, params, many, context):
        raise DatabaseError("no connection")

    with connection.execute_wrapper(refuse), pytest.raises(DatabaseError):
        database_answers()
