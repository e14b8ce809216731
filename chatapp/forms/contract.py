"""Checks a state file that a person chooses."""

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class StateFileForm(forms.Form):
    """A file with the state of a conversation."""

    file = forms.FileField(
        error_messages={
            "required": _("Choose a state file first."),
            "empty": _("The file is empty."),
        }
    )


def is_too_large(size_bytes: int) -> bool:
    """Return whether a state file is larger than this installation takes."""
    return size_bytes > settings.STATE_FILE_BYTES
