"""Checks what people post to a conversation."""

from django import forms
from django.utils.translation import gettext_lazy as _

from chatapp.forms.choosing import ChoosesModel, model_field

TEXT_CHARACTERS = 400_000
TITLE_CHARACTERS = 200


class TextForm(forms.Form):
    """A text that is sent, with the key under which it is sent once."""

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

    def clean_text(self) -> str:
        """Refuse blank text and characters that databases cannot keep."""
        text: str = self.cleaned_data["text"].replace("\r\n", "\n")
        if not text.strip():
            raise forms.ValidationError(_("Write something first."))
        return text


class KeyForm(forms.Form):
    """The key under which something is asked for once."""

    key = forms.RegexField(r"\A[\w-]{8,64}\Z")


class TurnForm(ChoosesModel, TextForm):
    """A new input."""

    branch = forms.UUIDField()
    version = forms.IntegerField(min_value=0)
    head = forms.UUIDField(required=False)
    aside = forms.BooleanField(required=False)
    """Sent as an alternative at that head, where the branch has moved on."""
    model = model_field(required=False)


class TitleForm(forms.Form):
    """A new title."""

    title = forms.CharField(
        max_length=TITLE_CHARACTERS,
        error_messages={"required": _("A title needs at least one character.")},
    )


class ModelForm(ChoosesModel):
    """A model chosen for the turns to come."""

    model = model_field(required=True)


def first_error(form: forms.Form) -> str:
    """Return the first thing that is wrong, naming the field where a person would not see it."""
    name, errors = next(iter(form.errors.items()))
    return str(errors[0]) if name in {"text", "title", "name", "model"} else f"{name}: {errors[0]}"
