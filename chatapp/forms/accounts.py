"""Checks what people type on the pages of accounts."""

import unicodedata
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils.translation import gettext_lazy as _

NAME_CHARACTERS = 150
PASSWORD_CHARACTERS = 1_000


def _name_field(**more: Any) -> forms.CharField:  # noqa: ANN401  # Django's own options
    return forms.CharField(
        label=_("Name"),
        max_length=NAME_CHARACTERS,
        error_messages={
            "required": _("Write your name."),
            "max_length": _("A name has at most %(limit_value)s characters."),
        },
        widget=forms.TextInput(
            attrs={
                "class": "field",
                "autocomplete": "username",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
        **more,
    )


def _password_field(label: Any, autocomplete: str, required: Any) -> forms.CharField:  # noqa: ANN401  # lazy text has no name at run time
    return forms.CharField(
        label=label,
        strip=False,
        max_length=PASSWORD_CHARACTERS,
        error_messages={
            "required": required,
            "max_length": _("A password has at most %(limit_value)s characters."),
        },
        widget=forms.PasswordInput(attrs={"class": "field", "autocomplete": autocomplete}),
    )


class SignInForm(forms.Form):
    """A name and its password."""

    username = _name_field()
    password = _password_field(_("Password"), "current-password", _("Write your password."))

    def clean_username(self) -> str:
        """Return the name in the form in which names are stored."""
        return unicodedata.normalize("NFKC", self.cleaned_data["username"])


class NewPasswordForm(forms.Form):
    """A new password, typed twice."""

    password1 = _password_field(_("New password"), "new-password", _("Write a password."))
    password2 = _password_field(
        _("New password again"), "new-password", _("Write the password once more.")
    )

    def clean(self) -> dict[str, Any]:
        """Refuse passwords that differ or that are easy to guess."""
        cleaned = self.cleaned_data
        first, second = cleaned.get("password1"), cleaned.get("password2")
        # What is missing already has its sentence, and one sentence at a time is enough.
        if first is None:
            return cleaned
        try:
            validate_password(first, self.owner())
        except forms.ValidationError as error:
            self.add_error("password1", error)
            return cleaned
        if second is not None and first != second:
            self.add_error("password2", _("The two passwords are not the same."))
        return cleaned

    def owner(self) -> User:
        """Return whose password it will be: it must not be like the name."""
        raise NotImplementedError


class SignUpForm(NewPasswordForm):
    """A name and a password for a new account."""

    field_order = ("username", "password1", "password2")

    username = _name_field(help_text=_("Letters of any script, digits and @ . + - _"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # Django's signature
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = _("Password")
        self.fields["password2"].label = _("Password again")

    def clean_username(self) -> str:
        """Refuse names that Django would not take."""
        name = unicodedata.normalize("NFKC", self.cleaned_data["username"])
        UnicodeUsernameValidator(
            message=_("A name is made of letters, digits and @ . + - _ only, without spaces.")
        )(name)
        if len(name) > NAME_CHARACTERS:
            raise forms.ValidationError(
                _("A name has at most %(limit_value)s characters."),
                params={"limit_value": NAME_CHARACTERS},
            )
        return name

    def owner(self) -> User:
        """Return the account to be."""
        return User(username=self.cleaned_data.get("username", ""))


class PasswordForm(NewPasswordForm):
    """The old password and a new one."""

    field_order = ("old", "password1", "password2")

    old = _password_field(_("Old password"), "current-password", _("Write your old password."))

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:  # noqa: ANN401  # the same
        super().__init__(*args, **kwargs)
        self._user = user

    def owner(self) -> User:
        """Return who is signed in."""
        return self._user


def focus(form: forms.Form) -> None:
    """Put the cursor where to type next: what is wrong, else the password, else the beginning."""
    fields = list(form)
    wrong = [field for field in fields if field.errors]
    first = fields[-1] if form.errors else fields[0]
    (wrong[0] if wrong else first).field.widget.attrs["autofocus"] = True
