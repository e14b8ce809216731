"""Installs and checks the triggers that keep log and messages append-only."""

from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Literal

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from chatapp.store import triggers_postgres, triggers_sqlite


@dataclass(frozen=True, slots=True)
class TriggerFault:
    """A trigger that does not guard its table."""

    table: str
    trigger: str
    state: Literal["missing", "changed", "disabled"]


def install(database: str = DEFAULT_DB_ALIAS) -> None:
    """Create the triggers in place of those that stand.

    A migration that rebuilds or renames a guarded table removes them first and installs them
    after: SQLite drops the triggers of a rebuilt table without a word.
    """
    with transaction.atomic(using=database):
        remove(database)
        _run(database, _vendor(database).creations())


def remove(database: str = DEFAULT_DB_ALIAS) -> None:
    """Drop the triggers."""
    _run(database, _vendor(database).removals())


def trigger_faults(database: str = DEFAULT_DB_ALIAS) -> tuple[TriggerFault, ...]:
    """Return the triggers that are missing, disabled or not ours any more; one query."""
    vendor = _vendor(database)
    with connections[database].cursor() as cursor:
        standing = vendor.standing(cursor)
    return tuple(
        TriggerFault(table, name, state)
        for (table, name), wanted in vendor.expected().items()
        if (state := _state(standing, (table, name), wanted)) is not None
    )


def _state(
    standing: dict[tuple[str, str], object], key: tuple[str, str], wanted: object
) -> Literal["missing", "changed", "disabled"] | None:
    if key not in standing:
        return "missing"
    if standing[key] is None:
        return "disabled"
    return None if standing[key] == wanted else "changed"


def _vendor(database: str) -> ModuleType:
    return triggers_postgres if connections[database].vendor == "postgresql" else triggers_sqlite


def _run(database: str, statements: Iterable[str]) -> None:
    with connections[database].cursor() as cursor:
        for sql in statements:
            cursor.execute(sql)
