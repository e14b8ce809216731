"""Brings the database up to date before the web starts."""

from django.core.management import call_command
from django.db import DatabaseError, connections

from chatapp.local.faults import LocalError


def migrate() -> None:
    """Apply all migrations.

    Raises:
        LocalError: when the database cannot be reached or refuses.
    """
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        reason = str(error).strip().splitlines()[0]
        raise LocalError(f"The database cannot be brought up to date: {reason}.") from error
    finally:
        connections.close_all()
