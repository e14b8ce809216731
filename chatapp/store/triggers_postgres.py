"""The guards as PostgreSQL triggers."""

from typing import Final, NamedTuple

from django.db.backends.utils import CursorWrapper

from chatapp.store.guards import GUARDS, PERMIT_ALL, PERMIT_SETTING, Guard

TriggerKey = tuple[str, str]
"""Table and trigger."""

BEFORE_ROW: Final = 1 | 2
BEFORE_STATEMENT: Final = 2
ON_DELETE: Final = 8
ON_UPDATE: Final = 16
ON_TRUNCATE: Final = 32
ENABLED_STATES: Final = ("O", "A")

PERMIT: Final = f"COALESCE(current_setting('{PERMIT_SETTING}', true), '')"


class Trigger(NamedTuple):
    """What PostgreSQL's catalogue says of a trigger."""

    kind: int
    """Bits of `pg_trigger.tgtype`."""
    function: str
    source: str


def creations() -> tuple[str, ...]:
    """Return the statements that create every function and trigger."""
    return tuple(sql for key, trigger in expected().items() for sql in _create(key, trigger))


def removals() -> tuple[str, ...]:
    """Return the statements that drop every trigger and function."""
    return (
        *(f"DROP TRIGGER IF EXISTS {name} ON {table}" for table, name in expected()),
        *(f"DROP FUNCTION IF EXISTS {trigger.function}()" for trigger in expected().values()),
    )


def expected() -> dict[TriggerKey, Trigger]:
    """Return what the catalogue must say of every trigger."""
    triggers = {}
    for guard in GUARDS:
        rows, truncate = f"glassbox_{guard.noun}_rows", f"glassbox_{guard.noun}_truncate"
        triggers[guard.table, rows] = Trigger(
            BEFORE_ROW | ON_DELETE | ON_UPDATE, rows, _rows_source(guard)
        )
        triggers[guard.table, truncate] = Trigger(
            BEFORE_STATEMENT | ON_TRUNCATE, truncate, _truncate_source(guard)
        )
    return triggers


def standing(cursor: CursorWrapper) -> dict[TriggerKey, Trigger | None]:
    """Return what the catalogue says of the triggers that the database has; None when disabled."""
    cursor.execute(
        "SELECT tgrelid::regclass::text, tgname, tgenabled, tgtype, proname, prosrc"
        " FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid"
        " WHERE NOT tgisinternal AND tgqual IS NULL AND tgattr = ''::int2vector"
        " AND tgrelid IN (SELECT to_regclass(name) FROM unnest(%s::text[]) AS name)",
        [[guard.table for guard in GUARDS]],
    )
    return {
        (table, name): Trigger(*rest) if enabled in ENABLED_STATES else None
        for table, name, enabled, *rest in cursor.fetchall()
    }


def _create(key: TriggerKey, trigger: Trigger) -> tuple[str, str]:
    table, name = key
    truncates = trigger.kind & ON_TRUNCATE
    events, level = ("TRUNCATE", "STATEMENT") if truncates else ("UPDATE OR DELETE", "ROW")
    create_function = (
        f"CREATE FUNCTION {trigger.function}() RETURNS trigger LANGUAGE plpgsql"
        f" AS $guard${trigger.source}$guard$"
    )
    create_trigger = (
        f"CREATE TRIGGER {name} BEFORE {events} ON {table}"
        f" FOR EACH {level} EXECUTE FUNCTION {trigger.function}()"
    )
    return create_function, create_trigger


def _rows_source(guard: Guard) -> str:
    unchanged = (f"NEW.{column} IS NOT DISTINCT FROM OLD.{column}" for column in guard.kept)
    return f"""
BEGIN
    IF {PERMIT} IN ('{PERMIT_ALL}', {guard.conversation}::text) THEN
        IF TG_OP = 'DELETE' THEN
            RETURN OLD;
        END IF;
        IF {" AND ".join((guard.erased, *unchanged))} THEN
            RETURN NEW;
        END IF;
    END IF;
    {_refuse(guard)}
END
"""


def _truncate_source(guard: Guard) -> str:
    return f"""
BEGIN
    IF {PERMIT} = '{PERMIT_ALL}' THEN
        RETURN NULL;
    END IF;
    {_refuse(guard)}
END
"""


def _refuse(guard: Guard) -> str:
    # The class of SQLite's RAISE(ABORT), so that both come as Django's IntegrityError.
    return (
        "RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',"
        f" MESSAGE = '{guard.refusal}';"
    )
