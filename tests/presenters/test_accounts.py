"""Accounts as pages show them: every refusal has a sentence, and none says too much."""

from datetime import UTC, datetime

import pytest

from chatapp.presenters.accounts import present_account, refused_sentence
from chatapp.selectors.accounts import AccountRow
from chatapp.services.accounts import Refused


@pytest.mark.parametrize("refused", Refused)
def test_every_refusal_is_said_in_words_of_people(refused):
    sentence = refused_sentence(refused)

    assert sentence.endswith(".")
    assert "_" not in sentence


def test_a_wrong_password_beside_a_name_does_not_say_which_was_wrong():
    assert "password do not match" in refused_sentence(Refused.MISMATCH)
    assert refused_sentence(Refused.MISMATCH, name_typed=False) == "That is not your password."


def test_an_account_is_shown_as_it_is():
    since = datetime(2026, 1, 2, tzinfo=UTC)

    shown = present_account(AccountRow("Аня", since, 2))

    assert shown == {"name": "Аня", "since": since, "sessions": 2}
