"""Small differences between the databases that raw SQL has to mind."""

from uuid import UUID

from django.db import connection


def db_id(value: UUID) -> UUID | str:
    """Return an id as a query parameter: SQLite keeps hexadecimal text."""
    return value if connection.vendor == "postgresql" else value.hex


def to_id(value: object) -> UUID:
    """Return an id from a raw row."""
    return value if isinstance(value, UUID) else UUID(str(value))


def to_id_or_none(value: object) -> UUID | None:
    """Return an id from a raw row, or None for NULL."""
    return None if value is None else to_id(value)


def placeholders(count: int) -> str:
    """Return `count` parameter marks for an IN list."""
    return ", ".join(["%s"] * count)
