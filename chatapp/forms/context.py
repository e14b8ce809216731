"""Checks what people ask about requests that are not sent: previews and comparisons."""

from django import forms
from django.utils.translation import gettext_lazy as _

from chatapp.forms.choosing import ChoosesModel, model_field
from chatapp.forms.turns import TEXT_CHARACTERS

MOST_MESSAGES = 100_000
MOST_TOKENS = 10_000_000

_TOO_LONG = _("The message is too long: %(show_value)s of %(limit_value)s characters.")


class _Typed(forms.CharField):
    """A text as it was typed, with one kind of line end; it may be empty."""

    def __init__(self) -> None:
        super().__init__(
            max_length=TEXT_CHARACTERS,
            strip=False,
            required=False,
            error_messages={"max_length": _TOO_LONG},
        )

    def to_python(self, value: object) -> str:
        """Count characters as they would be sent."""
        text = super().to_python(value)
        return text.replace("\r\n", "\n") if text else ""


class PreviewForm(forms.Form):
    """A text that is being typed."""

    text = _Typed()
    branch = forms.UUIDField()
    whole = forms.BooleanField(required=False)
    """Show the request, too, and not only its size."""


class CompareForm(ChoosesModel):
    """What is planned under every strategy."""

    model = model_field(required=False)
    text = _Typed()
    turn = forms.UUIDField(required=False)
    """Whose input is planned again where no text is typed."""
    last_messages = forms.IntegerField(
        min_value=1, max_value=MOST_MESSAGES, required=False, label=_("last messages")
    )
    last_tokens = forms.IntegerField(
        min_value=1, max_value=MOST_TOKENS, required=False, label=_("last tokens")
    )
