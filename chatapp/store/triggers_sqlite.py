"""The guards as SQLite triggers."""

from collections.abc import Iterator

from django.db.backends.utils import CursorWrapper

from chatapp.store.guards import GUARDS, PERMIT_TABLE, Guard

TriggerKey = tuple[str, str]
"""Table and trigger."""


def creations() -> tuple[str, ...]:
    """Return the statements that create every trigger."""
    return tuple(expected().values())


def removals() -> tuple[str, ...]:
    """Return the statements that drop every trigger."""
    return tuple(f"DROP TRIGGER IF EXISTS {name}" for _, name in expected())


def expected() -> dict[TriggerKey, str]:
    """Return the CREATE statement that the database must hold of every trigger."""
    return {
        (guard.table, f"glassbox_{guard.noun}_{event}"): _create(guard, event, when)
        for guard in GUARDS
        for event, when in _refused(guard)
    }


def standing(cursor: CursorWrapper) -> dict[TriggerKey, str]:
    """Return the CREATE statement of every trigger that the database holds."""
    cursor.execute("SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'")
    return {(table, name): sql for table, name, sql in cursor.fetchall()}


def _refused(guard: Guard) -> Iterator[tuple[str, str]]:
    """Yield each event with the condition under which it is refused."""
    permit = (
        f"EXISTS (SELECT 1 FROM {PERMIT_TABLE} AS permit"  # noqa: S608  # constants only
        f" WHERE permit.conversation IS NULL OR permit.conversation = {guard.conversation})"
    )
    unchanged = (f"NEW.{column} IS OLD.{column}" for column in guard.kept)
    yield "update", f"NOT ({' AND '.join((permit, guard.erased, *unchanged))})"
    yield "delete", f"NOT {permit}"
    # INSERT OR REPLACE removes the row in its way, and asks the DELETE trigger only on a
    # connection with recursive_triggers: a connection that is not ours may come without it.
    doubles = (
        " AND ".join(f"held.{column} = NEW.{column}" for column in key) for key in guard.unique
    )
    either = " OR ".join(f"({double})" for double in doubles)
    yield "insert", f"EXISTS (SELECT 1 FROM {guard.table} AS held WHERE {either})"  # noqa: S608  # the same


def _create(guard: Guard, event: str, when: str) -> str:
    return (
        f"CREATE TRIGGER glassbox_{guard.noun}_{event} BEFORE {event.upper()} ON {guard.table}"
        f" WHEN {when} BEGIN SELECT RAISE(ABORT, '{guard.refusal}'); END"
    )
