"""Reads what a person is shown of their account, and whether a session still stands."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone

from chatapp.models import Session


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account."""

    name: str
    since: datetime
    sessions: int
    """How many browsers are signed in."""


def account_row(user: User) -> AccountRow:
    """Return the account of a user."""
    return AccountRow(user.get_username(), user.date_joined, _standing(user.pk).count())


def account_named(name: str) -> User | None:
    """Return an account that may be used, by its name; without a name the only one there is."""
    found = User.objects.filter(is_active=True)
    if name:
        return found.filter(username=name).first()
    some = list(found[:2])
    return some[0] if len(some) == 1 else None


def session_stands(session_key: str | None, user_id: int) -> bool:
    """Return whether a session is open and its account may still be used."""
    return _standing(user_id).filter(session_key=session_key or "").exists()


def _standing(user_id: int) -> QuerySet[Session]:
    return Session.objects.filter(
        account_id=user_id, account__is_active=True, expire_date__gt=timezone.now()
    )
