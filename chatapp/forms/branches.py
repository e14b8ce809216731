"""Checks what people post about branches."""

from django import forms
from django.utils.translation import gettext_lazy as _

NAME_CHARACTERS = 200


class BranchNameForm(forms.Form):
    """The name of a branch."""

    name = forms.CharField(
        max_length=NAME_CHARACTERS,
        error_messages={
            "required": _("A name needs at least one character."),
            "max_length": _("A name has at most %(limit_value)s characters."),
        },
    )


class ForkForm(BranchNameForm):
    """A new branch."""

    before = forms.BooleanField(required=False)
    """Leaves before the input of the turn instead of after its answer."""


class ArchiveForm(forms.Form):
    """Whether a branch is put away."""

    archived = forms.BooleanField(required=False)


class BranchesForm(forms.Form):
    """What of the branches a panel shows."""

    shown = forms.IntegerField(min_value=1, max_value=10_000, required=False)
    archived = forms.BooleanField(required=False)
    edit = forms.UUIDField(required=False)
