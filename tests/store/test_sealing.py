"""Sealed columns: whose keys open them, and where."""

import json

import pytest

from chatapp import keyring
from chatapp.ids import new_id
from chatapp.models import KeySpace
from chatapp.store import sealing
from chatapp.vault import SealBroken

pytestmark = pytest.mark.django_db

TITLE = ("chatapp_conversation", "title")


@pytest.fixture
def strangers_keys():
    return keyring.keys_of(keyring.create_key_space(None, KeySpace.Kind.TEAM).id)


@pytest.mark.parametrize("text", ["", "plain", "Grüße 👋 你好, да", "\x00", "line\r\nline"])
def test_text_comes_back_as_it_was(keys, text):
    row = new_id()
    blob = sealing.seal_text(keys, *TITLE, row, text)
    assert sealing.unseal_text(keys, *TITLE, row, blob) == text


@pytest.mark.parametrize("value", [None, 0, 1.5, "текст", [1, [2]], {"a": {"b": None}}])
def test_json_comes_back_as_it_was(keys, value):
    row = new_id()
    blob = sealing.seal_json(keys, *TITLE, row, value)
    assert sealing.unseal_json(keys, *TITLE, row, blob) == value


def test_a_number_that_json_does_not_know_is_refused(keys):
    with pytest.raises(ValueError, match="JSON compliant"):
        sealing.seal_json(keys, *TITLE, new_id(), float("nan"))


def test_sealed_json_is_plain_json_inside(keys):
    row = new_id()
    body = sealing.unseal(keys, *TITLE, row, sealing.seal_json(keys, *TITLE, row, {"k": "你好"}))
    assert body == '{"k":"你好"}'.encode()
    assert json.loads(body) == {"k": "你好"}


def test_a_stranger_cannot_open_it(keys, strangers_keys):
    row = new_id()
    blob = sealing.seal_text(keys, *TITLE, row, "text")
    with pytest.raises(SealBroken):
        sealing.unseal_text(strangers_keys, *TITLE, row, blob)


def test_it_does_not_open_in_another_row_or_column(keys):
    row = new_id()
    blob = sealing.seal_text(keys, *TITLE, row, "text")
    with pytest.raises(SealBroken):
        sealing.unseal_text(keys, *TITLE, new_id(), blob)
    with pytest.raises(SealBroken):
        sealing.unseal_text(keys, "chatapp_branch", "name", row, blob)


def test_a_row_that_the_database_numbers_is_named_by_text(keys):
    blob = sealing.seal_text(keys, "chatapp_partialtext", "body", "attempt/3", "text")
    assert sealing.unseal_text(keys, "chatapp_partialtext", "body", "attempt/3", blob) == "text"
    with pytest.raises(SealBroken):
        sealing.unseal_text(keys, "chatapp_partialtext", "body", "attempt/4", blob)


def test_a_content_address_depends_on_body_and_owner_only(keys, strangers_keys):
    address = sealing.digest(keys, b"body")
    assert address == sealing.digest(keys, b"body")
    assert len(address) == 32
    assert address != sealing.digest(keys, b"other body")
    assert address != sealing.digest(strangers_keys, b"body")
