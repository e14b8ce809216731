"""What raw SQL has to mind: small differences between the databases, and quick inserts."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import Field, Model

MAX_PARAMETERS: Final = 30_000
"""Of one statement; SQLite takes 32,766 and PostgreSQL twice as many."""


def db_id(value: UUID) -> UUID | str:
    """Return an id as a query parameter: SQLite keeps hexadecimal text."""
    return value if connection.vendor == "postgresql" else value.hex


def to_id(value: object) -> UUID:
    """Return an id from a raw row."""
    return value if isinstance(value, UUID) else UUID(str(value))


def id_text(value: object) -> str:
    """Return an id from a raw row as text; five times as fast as by way of a UUID."""
    if not isinstance(value, str):
        return str(value)
    return f"{value[:8]}-{value[8:12]}-{value[12:16]}-{value[16:20]}-{value[20:]}"


def to_id_or_none(value: object) -> UUID | None:
    """Return an id from a raw row, or None for NULL."""
    return None if value is None else to_id(value)


def placeholders(count: int) -> str:
    """Return `count` parameter marks for an IN list."""
    return ", ".join(["%s"] * count)


def insert(rows: Sequence[Model], *, ignore_conflicts: bool = False) -> None:
    """Insert rows of one table, all columns as they stand in the objects; one query for hundreds.

    The ORM compiles every insert anew, which takes three times as long as the database does; a
    first token waits for eight of them.

    Args:
        rows: new objects with their ids; of one model.
        ignore_conflicts: leaves rows that are there already as they are.
    """
    if not rows:
        return
    fields, head, marks = _shape(type(rows[0]))
    tail = " ON CONFLICT DO NOTHING" if ignore_conflicts else ""
    at_once = MAX_PARAMETERS // len(fields)
    with connection.cursor() as cursor:
        for first in range(0, len(rows), at_once):
            some = rows[first : first + at_once]
            values = [
                field.get_db_prep_save(getattr(row, field.attname), connection)
                for row in some
                for field in fields
            ]
            cursor.execute(head + ", ".join([marks] * len(some)) + tail, values)


@lru_cache(maxsize=64)
def _shape(model: type[Model]) -> "tuple[tuple[Field[Any, Any], ...], str, str]":
    fields = tuple(model._meta.concrete_fields)  # noqa: SLF001  # Django's documented API
    columns = ", ".join(f'"{field.column}"' for field in fields)
    head = f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES '  # noqa: S608, SLF001  # names of our own tables
    return fields, head, f"({placeholders(len(fields))})"
