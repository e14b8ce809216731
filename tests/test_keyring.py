"""The keyring: who has which key, how long it is kept, and what a wrong master key says."""

import threading

import pytest
from django.db import IntegrityError, connection

from chatapp import keyring
from chatapp.models import KeySpace
from chatapp.vault import Aad, SealBroken, new_key


@pytest.fixture(autouse=True)
def _empty_cache():
    keyring.clear()
    yield
    keyring.clear()


@pytest.fixture
def alice(django_user_model):
    return django_user_model.objects.create_user("alice")


@pytest.fixture
def bob(django_user_model):
    return django_user_model.objects.create_user("bob")


def place(space):
    return Aad("chatapp_message", "body", "row", space.id)


@pytest.mark.django_db
def test_a_user_keeps_one_key_space(alice):
    assert keyring.for_user(alice) == keyring.for_user(alice)
    assert KeySpace.objects.count() == 1


@pytest.mark.django_db
def test_a_second_key_space_of_one_owner_is_refused(alice):
    keyring.create_key_space(alice)
    with pytest.raises(IntegrityError):
        keyring.create_key_space(alice)


@pytest.mark.django_db
def test_a_team_has_a_key_space_without_an_owner():
    space = keyring.create_key_space(None, KeySpace.Kind.TEAM)
    assert (space.kind, space.owner) == ("team", None)
    assert keyring.keys_of(space.id).id == space.id


@pytest.mark.django_db
def test_keys_last_longer_than_the_cache(alice):
    space = keyring.for_user(alice)
    blob = keyring.keys_of(space.id).content.seal(place(space), b"text")
    keyring.clear()
    assert keyring.keys_of(space.id).content.unseal(place(space), blob) == b"text"


@pytest.mark.django_db
def test_nobody_opens_what_another_sealed(alice, bob):
    hers, his = keyring.for_user(alice), keyring.for_user(bob)
    blob = keyring.keys_of(hers.id).content.seal(place(hers), b"text")
    with pytest.raises(SealBroken):
        keyring.keys_of(his.id).content.unseal(place(hers), blob)


@pytest.mark.django_db
def test_every_purpose_has_its_own_key(alice, bob):
    hers = keyring.keys_of(keyring.for_user(alice).id)
    his = keyring.keys_of(keyring.for_user(bob).id)
    assert len({hers.log, hers.digest, his.log, his.digest}) == 4


@pytest.mark.django_db
def test_printing_keys_shows_none_of_them(alice):
    keys = keyring.keys_of(keyring.for_user(alice).id)
    assert repr(keys) == f"SpaceKeys(id={keys.id!r})"


@pytest.mark.django_db
def test_the_stored_row_does_not_hold_the_key(alice, monkeypatch):
    key = new_key()
    monkeypatch.setattr(keyring, "new_key", lambda: key)
    space = keyring.for_user(alice)
    assert key not in bytes(KeySpace.objects.get(id=space.id).wrapped_key)


@pytest.mark.django_db
def test_keys_at_hand_cost_no_query(alice, django_assert_num_queries):
    space = keyring.for_user(alice)
    with django_assert_num_queries(1):
        keyring.keys_of(space.id)
    with django_assert_num_queries(0):
        keyring.keys_of(space.id)


@pytest.mark.django_db
def test_forgotten_keys_are_asked_for_again(alice, bob, django_assert_num_queries):
    hers, his = keyring.for_user(alice), keyring.for_user(bob)
    keyring.keys_of(hers.id)
    keyring.keys_of(his.id)
    keyring.forget(hers.id)
    with django_assert_num_queries(0):
        keyring.keys_of(his.id)
    with django_assert_num_queries(1):
        keyring.keys_of(hers.id)


@pytest.mark.django_db
def test_the_cache_keeps_the_most_recently_used(alice, bob, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(keyring, "_cache", keyring._Cache(limit=2))
    first, second = keyring.for_user(alice), keyring.for_user(bob)
    third = keyring.create_key_space(None, KeySpace.Kind.TEAM)
    for space in (first, second, first, third):
        keyring.keys_of(space.id)
    with django_assert_num_queries(0):
        keyring.keys_of(first.id)
        keyring.keys_of(third.id)
    with django_assert_num_queries(1):
        keyring.keys_of(second.id)


@pytest.mark.django_db
def test_a_key_that_was_destroyed_is_erased_not_unreadable(alice):
    space = keyring.for_user(alice)
    KeySpace.objects.filter(id=space.id).update(wrapped_key=b"")
    with pytest.raises(keyring.KeyErased, match="is gone: what it sealed is erased"):
        keyring.keys_of(space.id)


@pytest.mark.django_db
def test_an_unknown_key_space_is_erased(alice):
    space = keyring.for_user(alice)
    space_id = space.id
    space.delete()
    with pytest.raises(keyring.KeyErased):
        keyring.keys_of(space_id)


@pytest.mark.django_db
def test_another_master_key_is_named_in_one_sentence(alice, settings):
    space = keyring.for_user(alice)
    settings.MASTER_KEY = new_key()
    with pytest.raises(keyring.KeyUnreadable) as refusal:
        keyring.keys_of(space.id)
    assert str(refusal.value) == (
        f"The master key does not open key space {space.id}: it is another one's."
    )


@pytest.mark.django_db
def test_a_wrong_master_key_is_found_before_anything_is_read(alice, settings):
    assert keyring.unreadable_key_space() is None
    space = keyring.for_user(alice)
    assert keyring.unreadable_key_space() is None
    settings.MASTER_KEY = new_key()
    assert keyring.unreadable_key_space() == space.id


@pytest.mark.django_db(transaction=True)
def test_eight_first_requests_at_once_make_one_key_space(alice, monkeypatch):
    everybody_found_none = threading.Barrier(8, timeout=30)
    found, failed = [], []

    def new_key_once_everybody_asks():
        everybody_found_none.wait()
        return new_key()

    monkeypatch.setattr(keyring, "new_key", new_key_once_everybody_asks)

    def first_request():
        try:
            found.append(keyring.for_user(alice).id)
        except Exception as error:  # noqa: BLE001  # a thread hands its failure to the test
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=first_request) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(found) == 8
    assert set(found) == {KeySpace.objects.get().id}
