"""Checks what people post to a conversation."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

TEXT_CHARACTERS = 400_000
TITLE_CHARACTERS = 200


class TurnForm(forms.Form):
    """A new input."""

    text = forms.CharField(
        max_length=TEXT_CHARACTERS,
        strip=False,
        error_messages={
            "required": _("Write something first."),
            "max_length": _(
                "The message is too long: %(show_value)s of %(limit_value)s characters."
            ),
        },
    )
    key = forms.RegexField(r"\A[\w-]{8,64}\Z")
    branch = forms.UUIDField()
    version = forms.IntegerField(min_value=0)
    model = forms.CharField(max_length=200, required=False)

    def clean_text(self) -> str:
        """Refuse blank text and characters that databases cannot keep."""
        text: str = self.cleaned_data["text"].replace("\r\n", "\n")
        if not text.strip():
            raise forms.ValidationError(_("Write something first."))
        return text


class TitleForm(forms.Form):
    """A new title."""

    title = forms.CharField(
        max_length=TITLE_CHARACTERS,
        error_messages={"required": _("A title needs at least one character.")},
    )


class ModelForm(forms.Form):
    """A model chosen for the turns to come."""

    model = forms.CharField(max_length=200)

    def __init__(self, *args: Any, names: frozenset[str], **kwargs: Any) -> None:  # noqa: ANN401  # Django's signature
        super().__init__(*args, **kwargs)
        self._names = names

    def clean_model(self) -> str:
        """Refuse names that are not in the registry."""
        name: str = self.cleaned_data["model"]
        if name not in self._names:
            raise forms.ValidationError(_("There is no model “%(name)s”."), params={"name": name})
        return name


def first_error(form: forms.Form) -> str:
    """Return the first thing that is wrong, naming the field where a person would not see it."""
    name, errors = next(iter(form.errors.items()))
    return str(errors[0]) if name in {"text", "title"} else f"{name}: {errors[0]}"
