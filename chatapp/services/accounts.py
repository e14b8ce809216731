"""Makes accounts, proves and changes passwords, ends sessions."""

import unicodedata
from enum import Enum

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from chatapp.models import AccountName, Session
from chatapp.services.sign_in_failures import try_begin, try_succeeded

LOCAL_NAME = "local"
"""The user whom a machine of one's own signs in without a password; nobody else may have it."""


class Refused(Enum):
    """Why an account was not made or not opened."""

    NAME_TAKEN = "name_taken"
    MISMATCH = "mismatch"
    TOO_MANY = "too_many"


def folded(name: str) -> str:
    """Return a name as it is told apart from others: without case, in one Unicode form."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def account_create(name: str, password: str) -> User | Refused:
    """Make an account whose name differs from every other in more than case."""
    if folded(name) == LOCAL_NAME:
        return Refused.NAME_TAKEN
    try:
        with transaction.atomic():
            user = User.objects.create_user(name, password=password)
            if AccountName.objects.filter(user=user).exists():
                return user
            transaction.set_rollback(True)
    except IntegrityError:
        # Somebody took the very same name at the same moment, or long ago.
        pass
    return Refused.NAME_TAKEN


def account_prove(name: str, password: str, address: str) -> User | Refused:
    """Return the account that name and password open; a wrong name is told by nothing.

    Args:
        name: In any case, unless two old accounts differ in case only.
        password: As typed.
        address: Where the try comes from.
    """
    begun = try_begin(folded(name), address)
    if begun is None:
        return Refused.TOO_MANY
    user = authenticate(username=_username_of(name), password=password)
    if not isinstance(user, User):
        return Refused.MISMATCH
    try_succeeded(begun)
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
    return user


def account_change_password(user: User, old: str, new: str, address: str) -> Refused | None:
    """Give an account another password, if the old one is right.

    Sessions opened with the old password are refused from now on; who calls ends them.
    """
    proven = account_prove(user.get_username(), old, address)
    if isinstance(proven, Refused):
        return proven
    user.set_password(new)
    user.save(update_fields=["password"])
    return None


def account_end_sessions(user_id: int, *, keep: str | None = None) -> None:
    """End the sessions of an account in all processes, but for one.

    Args:
        user_id: Whose.
        keep: Key of the session that stays.
    """
    Session.objects.filter(account_id=user_id).exclude(session_key=keep or "").delete()


def account_saved(instance: User, *, created: bool, **_: object) -> None:
    """Note the name of a new account, and end the sessions of one that was switched off.

    Called whenever a user is saved, because commands make and switch off users as well. Of two
    whose names differ in case only, the older keeps the note.
    """
    if created:
        row = AccountName(user=instance, folded=folded(instance.username))
        AccountName.objects.bulk_create([row], ignore_conflicts=True)
    elif not instance.is_active:
        account_end_sessions(instance.pk)


def _username_of(name: str) -> str:
    known = Q(username=name) | Q(account_name__folded=folded(name))
    found = list(User.objects.filter(known).values_list("username", flat=True))
    return name if name in found or not found else found[0]
