"""Counts wrong passwords, so that nobody can try many: by name, and by address."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.crypto import salted_hmac

from chatapp.clock import now_ms
from chatapp.models import SignInFailure

WINDOW_MS = 600_000
NAME_LIMIT = 10
ADDRESS_LIMIT = 50


@dataclass(frozen=True, slots=True)
class Try:
    """A try that is counted as failed until it is known to be right."""

    name_target: str
    rows: tuple[UUID, ...]


def try_begin(name: str, address: str) -> Try | None:
    """Count a try, before the password is looked at: tries at the same moment see each other.

    Args:
        name: Folded.
        address: Empty when it is not known; then only the name counts.

    Returns:
        None when too many have failed; such a try is not counted, so that waiting helps.
    """
    now = now_ms()
    SignInFailure.objects.filter(created_ms__lt=now - WINDOW_MS).delete()
    name_target = _target("name", name)
    limits = {name_target: NAME_LIMIT}
    if address:
        limits[_target("address", address)] = ADDRESS_LIMIT
    rows = [SignInFailure(target=target, created_ms=now) for target in limits]
    begun = Try(name_target, tuple(row.id for row in SignInFailure.objects.bulk_create(rows)))
    if any(_failures(target) > limit for target, limit in limits.items()):
        _take_back(begun.rows)
        return None
    return begun


def try_succeeded(begun: Try) -> None:
    """Forget a try that was right, and the failures of its name; those of the address stay."""
    _take_back(begun.rows)
    SignInFailure.objects.filter(target=begun.name_target).delete()


def _failures(target: str) -> int:
    return SignInFailure.objects.filter(target=target, created_ms__gte=now_ms() - WINDOW_MS).count()


def _take_back(rows: Sequence[UUID]) -> None:
    SignInFailure.objects.filter(pk__in=rows).delete()


def _target(kind: str, text: str) -> str:
    return salted_hmac(f"glassbox.sign-in.{kind}", text, algorithm="sha256").hexdigest()
