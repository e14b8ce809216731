"""Checks what people post about answers."""

from django import forms

THUMBS = {"up": 1, "down": -1, "none": 0}


class ThumbForm(forms.Form):
    """The thumb that an answer is to have; none takes it back."""

    thumb = forms.ChoiceField(choices=[(name, name) for name in THUMBS])

    def clean_thumb(self) -> int:
        """Return it as a number."""
        return THUMBS[self.cleaned_data["thumb"]]
