"""Lets Django's test flush pass the triggers that keep the log append-only."""

from collections.abc import Iterator
from unittest import mock

import pytest
from django.db import connection

from chatapp.store.guards import PERMIT_ALL, PERMIT_SETTING, PERMIT_TABLE

POSTGRES_PERMIT = f"SET LOCAL {PERMIT_SETTING} = '{PERMIT_ALL}'"
SQLITE_PERMIT = (
    f"INSERT INTO {PERMIT_TABLE} (id, conversation, created_ms)"  # noqa: S608  # constants only
    f" VALUES ('{'0' * 32}', NULL, 0)"
)


@pytest.fixture(scope="session", autouse=True)
def flush_permitted() -> Iterator[None]:
    """Put a permit into the one transaction in which Django empties the tables after a test."""
    operations = type(connection.ops)
    plain_sql_flush = operations.sql_flush

    def sql_flush(self, style, tables, **options):
        statements = plain_sql_flush(self, style, tables, **options)
        if not statements:
            return []
        if connection.vendor == "postgresql":
            # TRUNCATE makes a new file for every table and index: a second for a handful of rows.
            names = map(connection.ops.quote_name, tables)
            emptied = [f"DELETE FROM {name}" for name in names]  # noqa: S608  # of the schema
            return [POSTGRES_PERMIT, *emptied]
        # The permit goes last, because every other table is emptied under it.
        last = [sql for sql in statements if PERMIT_TABLE in sql]
        return [SQLITE_PERMIT, *(sql for sql in statements if sql not in last), *last]

    with mock.patch.object(operations, "sql_flush", sql_flush):
        yield
