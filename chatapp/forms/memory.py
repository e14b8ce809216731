"""Checks what people post about memory: entries and session fields."""

from collections.abc import Mapping
from types import MappingProxyType

from django import forms
from django.utils.translation import gettext_lazy as _

from statecore.memory.ledger import EntryKind
from statecore.memory.session import Expiry

TEXT_CHARACTERS = 2_000
KEY_CHARACTERS = 64
ENTRY_ID_CHARACTERS = 200

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS
_WEEK_MS = 7 * _DAY_MS

ADDABLE: tuple[EntryKind, ...] = (
    "rule",
    "goal",
    "preference",
    "fact",
    "decision",
    "agreement",
    "task",
    "question",
    "assumption",
)
"""Kinds that a person may add: steps and promises are made by the assistant."""

EXPIRIES: Mapping[str, Expiry] = MappingProxyType(
    {
        "never": Expiry(),
        "hour": Expiry("time", _HOUR_MS),
        "day": Expiry("time", _DAY_MS),
        "week": Expiry("time", _WEEK_MS),
        "idle_day": Expiry("idle", _DAY_MS),
        "idle_week": Expiry("idle", _WEEK_MS),
    }
)
"""When a session field may end, by the code that a form posts."""

_MISSING = _("Write something first.")
_TOO_LONG = _("The text is too long: %(show_value)s of %(limit_value)s characters.")


class _Words(forms.CharField):
    """A text of some sentences, with one kind of line end."""

    def __init__(self) -> None:
        super().__init__(
            max_length=TEXT_CHARACTERS,
            error_messages={"required": _MISSING, "max_length": _TOO_LONG},
        )

    def to_python(self, value: object) -> str:
        """Count characters as they will be stored."""
        text = super().to_python(value)
        return text.replace("\r\n", "\n") if text else ""


class EntryForm(forms.Form):
    """One entry that is meant, by its id."""

    entry = forms.CharField(max_length=ENTRY_ID_CHARACTERS)


class EditForm(EntryForm):
    """New words for an entry."""

    words = _Words()
    seen = forms.IntegerField(min_value=0, required=False)
    """Seq of the last act on it when the form was opened."""
    over = forms.BooleanField(required=False)
    """Save although it was changed meanwhile."""
    as_new = forms.BooleanField(required=False)
    """Keep the words as an entry of their own: the one that was meant is gone."""
    kind = forms.CharField(max_length=32, required=False)

    def clean_kind(self) -> EntryKind:
        """Return the kind of a new entry; what a person may not add becomes a fact."""
        kind = self.cleaned_data["kind"]
        return kind if kind in ADDABLE else "fact"


class PinForm(EntryForm):
    """An entry to be pinned, or not any more."""

    pinned = forms.BooleanField(required=False)


class AddForm(forms.Form):
    """An entry of a person's own."""

    kind = forms.ChoiceField(choices=[(kind, kind) for kind in ADDABLE])
    words = _Words()


class UndoForm(forms.Form):
    """An act to be taken back."""

    seq = forms.IntegerField(min_value=1)


class AgainForm(forms.Form):
    """A turn to be read again; without one all are meant."""

    turn = forms.UUIDField(required=False)


class KeyForm(forms.Form):
    """One session field that is meant, by its key."""

    key = forms.RegexField(
        r"\A[^\W_](?:[\w ]*\w)?\Z",
        max_length=KEY_CHARACTERS,
        error_messages={
            "required": _("A field needs a name."),
            "invalid": _("A name has letters, digits, spaces and “_”, and begins with a letter."),
            "max_length": _("The name is too long: %(show_value)s of %(limit_value)s characters."),
        },
    )


class FieldForm(KeyForm):
    """A session field to be set."""

    value = _Words()
    expiry = forms.ChoiceField(choices=[(code, code) for code in EXPIRIES])
    visible = forms.BooleanField(required=False)
    seen = forms.IntegerField(min_value=0, required=False)
    """Seq at which it was set when the form was opened; empty for a new one."""
    over = forms.BooleanField(required=False)


def first_error(form: forms.Form) -> str:
    """Return the first thing that is wrong, naming the field where a person would not see it."""
    name, errors = next(iter(form.errors.items()))
    return str(errors[0]) if name in {"words", "key", "value"} else f"{name}: {errors[0]}"
