"""System checks: what must hold before a page is served; every one has a stable id and a hint."""

from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as Caution
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

from chatapp.keyring import unreadable_key_space
from chatapp.store.permits import permit_left_open
from chatapp.store.triggers import trigger_faults

TRIGGER_MIGRATION: Final = ("chatapp", "0002_triggers")

PRAGMAS: Final = {
    "secure_delete": (1, "deleted personal text stays readable in the file"),
    "recursive_triggers": (1, "INSERT OR REPLACE removes rows without asking the triggers"),
    "foreign_keys": (1, "rows can point at nothing"),
    "journal_mode": ("wal", "readers and writers wait for each other"),
}
"""Needed value of each SQLite pragma, and what happens without it."""


@register(Tags.database)
def check_database(databases: Sequence[str] | None, **_: object) -> list[CheckMessage]:
    """Check what only the database can tell: triggers, permits, pragmas, the master key."""
    if "default" not in (databases or ()):
        return []
    connection = connections["default"]
    if TRIGGER_MIGRATION not in MigrationRecorder(connection).applied_migrations():
        # Django asks before it migrates as well; there is nothing to guard yet.
        return pragma_problems(connection)
    return [
        *missing_triggers(),
        *open_permits(),
        *wrong_master_key(),
        *pragma_problems(connection),
    ]


def missing_triggers() -> list[CheckMessage]:
    """Return an error for each trigger that does not guard its table."""
    return [
        Error(
            f"The trigger {fault.trigger} on {fault.table} is {fault.state}: rows can be changed.",
            hint="Find out why, then run `manage.py verify_log --restore-triggers`.",
            id="glassbox.E001",
        )
        for fault in trigger_faults()
    ]


def open_permits() -> list[CheckMessage]:
    """Return an error when an erasure permit outlived its transaction."""
    if not permit_left_open():
        return []
    return [
        Error(
            "An erasure permit is left open: the log can be changed.",
            hint="Find out who gave it, then take it back: the rows of chatapp_erasurepermit, and "
            "on PostgreSQL the setting glassbox.erasure. Then run `manage.py verify_log`.",
            id="glassbox.E002",
        )
    ]


def wrong_master_key() -> list[CheckMessage]:
    """Return an error when the master key does not open what is stored."""
    key_space_id = unreadable_key_space()
    if key_space_id is None:
        return []
    return [
        Error(
            f"The master key does not open key space {key_space_id}: nothing stored can be read.",
            hint="Bring back the master key that this database was written with: "
            "GLASSBOX_MASTER_KEY, the file in GLASSBOX_MASTER_KEY_FILE, or keys/master.key.",
            id="glassbox.E003",
        )
    ]


def pragma_problems(connection: BaseDatabaseWrapper) -> list[CheckMessage]:
    """Return an error for each SQLite pragma that does not have the value we rely on."""
    if connection.vendor != "sqlite":
        return []
    problems: list[CheckMessage] = []
    with connection.cursor() as cursor:
        for pragma, (needed, otherwise) in PRAGMAS.items():
            cursor.execute(f"PRAGMA {pragma}")
            value = cursor.fetchone()[0]
            if value != needed:
                problems.append(
                    Error(
                        f"SQLite's {pragma} is {value}, not {needed}: {otherwise}.",
                        hint="Set it in init_command of DATABASES; WAL needs a local disk.",
                        id="glassbox.E004",
                    )
                )
    return problems


@register(Tags.security)
def check_exposure(**_: object) -> list[CheckMessage]:
    """Check that what is safe on this machine only is not offered to others."""
    strangers = [host for host in settings.ALLOWED_HOSTS if not is_loopback(host)]
    if not strangers:
        return []
    names = ", ".join(strangers)
    problems: list[CheckMessage] = []
    if settings.DEBUG:
        problems.append(
            Error(
                f"GLASSBOX_DEBUG is on and {names} is served: error pages would show secrets.",
                hint="Unset GLASSBOX_DEBUG, or leave only loopback in GLASSBOX_ALLOWED_HOSTS.",
                id="glassbox.E005",
            )
        )
    if settings.LOCAL_USER:
        problems.append(
            Error(
                f"GLASSBOX_LOCAL_USER is on and {names} is served: a proxy signs in anybody.",
                hint="Unset GLASSBOX_LOCAL_USER and make accounts: `manage.py createsuperuser`.",
                id="glassbox.E006",
            )
        )
    if not settings.HTTPS:
        problems.append(
            Caution(
                f"GLASSBOX_HTTPS is off and {names} is served: sessions travel in the open.",
                hint="Put a proxy with a certificate in front and set GLASSBOX_HTTPS=1.",
                id="glassbox.W001",
            )
        )
    return problems


@register(Tags.security)
def check_key_files(**_: object) -> list[CheckMessage]:
    """Check that no other account of the machine can read the key files."""
    return [
        Error(
            f"The key file {path} can be read by other accounts of this machine.",
            hint=f"chmod 600 {path}",
            id="glassbox.E007",
        )
        for path in sorted(Path(settings.DATA_DIR, "keys").glob("*.key"))
        if path.stat().st_mode & 0o077
    ]


def is_loopback(host: str) -> bool:
    """Say whether a host name can only mean this machine."""
    name = host.strip("[]").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
