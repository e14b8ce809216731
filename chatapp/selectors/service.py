"""Reads whether the database answers."""

from django.db import connection


def database_answers() -> None:
    """Ask the database the smallest question.

    Raises:
        DatabaseError: when it does not answer.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()
