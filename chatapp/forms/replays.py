"""Checks what a replay is asked for."""

from typing import Any, get_args
from uuid import UUID

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from chatapp.forms.choosing import ChoosesModel, model_field
from statecore.context.strategies import StrategyName

TEMPLATE_BYTES = 64_000
NAME_CHARACTERS = 100


class ReplayForm(ChoosesModel):
    """Which conversations are planned again, and with what."""

    conversation = forms.CharField(required=False)
    """Ids; see `conversations`."""
    name = forms.CharField(max_length=NAME_CHARACTERS, required=False)
    everything = forms.BooleanField(required=False)
    """All conversations, whatever is chosen beside."""
    model = model_field(required=False)
    strategy = forms.ChoiceField(
        choices=[("", ""), *((name, name) for name in get_args(StrategyName))], required=False
    )
    template = forms.FileField(required=False)
    tuning = forms.CharField(max_length=500, required=False)
    """Bounds of the planner, one a line or between blanks, as in `tier1=0.6`."""

    def clean_template(self) -> str:
        """Return the text of the file; empty for none."""
        file: Any = self.cleaned_data["template"]
        if not file:
            return ""
        if file.size > TEMPLATE_BYTES:
            raise forms.ValidationError(
                _("The template has %(size)s bytes; %(limit)s are the most."),
                params={"size": file.size, "limit": TEMPLATE_BYTES},
            )
        try:
            text: str = file.read().decode()
        except UnicodeDecodeError:
            raise forms.ValidationError(_("The template is no text in UTF-8.")) from None
        return text

    def conversations(self) -> tuple[UUID, ...]:
        """Return the ids that were chosen; whose they are is asked elsewhere."""
        found: tuple[UUID, ...] = self.cleaned_data["conversation"]
        return found

    def clean_conversation(self) -> tuple[UUID, ...]:
        """Return the ids of all boxes that are ticked."""
        names = self.data.getlist("conversation") if isinstance(self.data, QueryDict) else []
        try:
            return tuple(UUID(name) for name in names)
        except ValueError:
            raise forms.ValidationError(_("One of the conversations is none.")) from None

    def clean(self) -> dict[str, Any]:
        """Refuse an order of nothing."""
        data = super().clean() or self.cleaned_data
        if not data.get("everything") and not data.get("conversation"):
            raise forms.ValidationError(_("Choose a conversation."))
        return data
