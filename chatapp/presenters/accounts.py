"""Accounts as pages show them, and why one was not opened, in one sentence."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chatapp.selectors.accounts import AccountRow
from chatapp.services.accounts import Refused

_SENTENCES: dict[Refused, Promise] = {
    Refused.NAME_TAKEN: _("That name is taken. Choose another one."),
    Refused.MISMATCH: _("Name and password do not match."),
    Refused.TOO_MANY: _("Too many wrong passwords. Wait ten minutes, then try again."),
}
_WRONG_PASSWORD = _("That is not your password.")


def refused_sentence(refused: Refused, *, name_typed: bool = True) -> str:
    """Return why nothing was done.

    Args:
        refused: What the service said.
        name_typed: Whether a name was typed beside the password, so that either may be wrong.
    """
    if refused is Refused.MISMATCH and not name_typed:
        return str(_WRONG_PASSWORD)
    return str(_SENTENCES[refused])


def present_account(row: AccountRow) -> dict[str, object]:
    """Return the context of `accounts/account.html`."""
    return {"name": row.name, "since": row.since, "sessions": row.sessions}
