"""Django's database sessions, with the account in a column."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.base_session import AbstractBaseSession

from chatapp.models import Session


class SessionStore(db.SessionStore):
    """Stores whose session it is beside what is in it."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Return the rows of this store."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """Return a row with its account."""
        return _with_account(super().create_model_instance(data), data)

    async def acreate_model_instance(self, data: dict[str, Any]) -> Session:
        """Return a row with its account."""
        return _with_account(await super().acreate_model_instance(data), data)


def _with_account(row: AbstractBaseSession, data: dict[str, Any]) -> Session:
    assert isinstance(row, Session)  # noqa: S101  # the rows of this store
    account = data.get(SESSION_KEY)
    row.account_id = None if account is None else int(account)
    return row
