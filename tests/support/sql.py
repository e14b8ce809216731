"""Raw SQL, for tests that go past the application."""

from django.db import connection


def execute(sql, params=None):
    """Run one statement; a `%` in it stands for itself when there are no parameters."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
