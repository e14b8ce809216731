"""Checks the name of a model, wherever one is posted."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

MODEL_NAME_CHARACTERS = 200


class ChoosesModel(forms.Form):
    """A form with a field `model`, which is empty or names a model of the registry."""

    def __init__(self, *args: Any, names: frozenset[str], **kwargs: Any) -> None:  # noqa: ANN401  # Django's signature
        super().__init__(*args, **kwargs)
        self._names = names

    def clean_model(self) -> str:
        """Refuse names that are not in the registry."""
        name: str = self.cleaned_data["model"]
        if name and name not in self._names:
            raise forms.ValidationError(_("There is no model “%(name)s”."), params={"name": name})
        return name


def model_field(*, required: bool) -> forms.CharField:
    """Return the field for the name of a model."""
    return forms.CharField(
        max_length=MODEL_NAME_CHARACTERS,
        required=required,
        error_messages={
            "required": _("Choose a model."),
            "max_length": _("The name of a model has at most %(limit_value)s characters."),
        },
    )
