"""Sealing: what comes back, what is refused, and what a refusal says."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.vault import (
    Aad,
    SealBroken,
    Sealer,
    derive,
    new_key,
    seal,
    unseal,
    unwrap_key,
    wrap_key,
)

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))
ROW = UUID("01930000-0000-7000-8000-000000000001")
OTHER_ROW = UUID("01930000-0000-7000-8000-000000000002")
SPACE = UUID("01930000-0000-7000-8000-0000000000aa")
OTHER_SPACE = UUID("01930000-0000-7000-8000-0000000000bb")
PLACE = Aad("chatapp_message", "body", ROW, SPACE)

names = st.text(max_size=12)
places = st.builds(Aad, names, names, st.uuids() | names, st.uuids())


@given(key=st.binary(min_size=32, max_size=32), place=places, text=st.binary())
def test_what_was_sealed_comes_back(key, place, text):
    assert unseal(key, place, seal(key, place, text)) == text


@given(text=st.text())
def test_the_text_is_not_in_the_blob(text):
    encoded = text.encode()
    blob = seal(KEY, PLACE, encoded)
    assert len(encoded) < 3 or encoded not in blob


@given(text=st.binary(max_size=40), data=st.data())
def test_any_flipped_bit_is_refused(text, data):
    blob = bytearray(seal(KEY, PLACE, text))
    bit = data.draw(st.integers(0, len(blob) * 8 - 1))
    blob[bit // 8] ^= 1 << bit % 8
    with pytest.raises(SealBroken):
        unseal(KEY, PLACE, bytes(blob))


@given(text=st.binary(max_size=40), data=st.data())
def test_any_cut_is_refused(text, data):
    blob = seal(KEY, PLACE, text)
    end = data.draw(st.integers(0, len(blob) - 1))
    with pytest.raises(SealBroken):
        unseal(KEY, PLACE, blob[:end])


@pytest.mark.parametrize(
    "elsewhere",
    [
        PLACE._replace(table="chatapp_payload"),
        PLACE._replace(column="title"),
        PLACE._replace(row=OTHER_ROW),
        PLACE._replace(key_space=OTHER_SPACE),
    ],
    ids=["table", "column", "row", "key space"],
)
def test_a_blob_moved_elsewhere_is_refused(elsewhere):
    with pytest.raises(SealBroken):
        unseal(KEY, elsewhere, seal(KEY, PLACE, b"text"))


def test_another_key_is_refused():
    with pytest.raises(SealBroken):
        unseal(OTHER_KEY, PLACE, seal(KEY, PLACE, b"text"))


@given(one=places, other=places)
def test_two_places_never_share_an_encoding(one, other):
    same = (one.table, one.column, str(one.row), one.key_space) == (
        other.table,
        other.column,
        str(other.row),
        other.key_space,
    )
    assert (one.encode() == other.encode()) is same


def test_a_letter_that_moves_between_table_and_column_is_another_place():
    assert Aad("ab", "c", ROW, SPACE).encode() != Aad("a", "bc", ROW, SPACE).encode()


def test_a_refusal_is_one_sentence_that_names_the_place_and_no_text():
    blob = seal(KEY, PLACE, b"planted-secret")
    with pytest.raises(SealBroken) as refusal:
        unseal(OTHER_KEY, PLACE, blob)
    assert str(refusal.value) == (
        f"chatapp_message.body of row {ROW} does not open:"
        " it was damaged, moved, or sealed under another key."
    )
    assert refusal.value.__cause__ is None


def test_plain_text_in_place_of_a_blob_is_named_as_such():
    with pytest.raises(SealBroken, match="is not a sealed value"):
        unseal(KEY, PLACE, b"hello, this was never sealed at all")


def test_the_same_text_is_never_sealed_alike():
    sealer = Sealer(KEY)
    blobs = {sealer.seal(PLACE, b"text") for _ in range(1000)}
    assert len(blobs) == 1000


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_key_of_another_length_is_refused(length):
    with pytest.raises(ValueError, match=f"has 32 bytes, not {length}"):
        Sealer(bytes(length))


def test_keys_for_two_purposes_differ_and_hide_the_key_they_come_from():
    content, log = derive(KEY, "content"), derive(KEY, "log")
    assert len({KEY, content, log}) == 3
    assert derive(KEY, "content") == content


def test_derivation_stays_as_it_is_because_stored_blobs_depend_on_it():
    # HKDF-SHA256 without salt, computed apart from this code by RFC 5869's two HMAC steps.
    assert derive(KEY, "content").hex() == (
        "b5870692a04313a69c9b36793dec9274f7545f9e6bf98d66599b73d74243d9bc"
    )


def test_a_wrapped_key_opens_under_its_master_key_and_for_its_key_space_only():
    key = new_key()
    wrapped = wrap_key(KEY, SPACE, key)
    assert unwrap_key(KEY, SPACE, wrapped) == key
    with pytest.raises(SealBroken):
        unwrap_key(OTHER_KEY, SPACE, wrapped)
    with pytest.raises(SealBroken):
        unwrap_key(KEY, OTHER_SPACE, wrapped)


def test_a_blob_of_the_first_format_still_opens():
    blob = bytes.fromhex(
        "01000102030405060708090a0b2c67a66fe583b074e061f1e4c3841919a3e7f7ec31ca5f80b58b7c32c700e0f68b14"
    )
    assert unseal(KEY, PLACE, blob) == b"kept from format 1"


def test_an_opener_opens_what_was_sealed_for_its_column_and_nothing_else():
    sealer, other = Sealer(KEY), Sealer(OTHER_KEY)
    blob = sealer.seal(Aad("message", "body", ROW, SPACE), b"river")
    opened = sealer.opener("message", "body", SPACE)

    assert opened(str(ROW), blob) == b"river"
    for wrong in (
        sealer.opener("message", "title", SPACE),
        sealer.opener("turn", "body", SPACE),
        sealer.opener("message", "body", OTHER_SPACE),
        other.opener("message", "body", SPACE),
    ):
        with pytest.raises(SealBroken, match="does not open"):
            wrong(str(ROW), blob)
    with pytest.raises(SealBroken, match="does not open"):
        opened(str(OTHER_ROW), blob)
    with pytest.raises(SealBroken, match="not a sealed value"):
        opened(str(ROW), b"river")
