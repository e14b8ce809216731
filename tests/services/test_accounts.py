"""Accounts: names that differ, passwords that are counted, sessions that end."""

from threading import Barrier, Thread

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.db import IntegrityError, connection

from chatapp.models import AccountName, Session, SignInFailure
from chatapp.selectors.accounts import account_row, session_stands
from chatapp.services import sign_in_failures
from chatapp.services.accounts import (
    Refused,
    account_change_password,
    account_create,
    account_end_sessions,
    account_prove,
    folded,
)
from chatapp.web.sessions import SessionStore

PASSWORD = "a long quiet river"
ADDRESS = "192.0.2.7"

pytestmark = pytest.mark.django_db


def signed_in(user) -> str:
    """Store a session of a user and return its key."""
    store = SessionStore()
    store["_auth_user_id"] = str(user.pk)
    store.save()
    return store.session_key


# Names.


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ada", "aDA"),
        ("Аня", "аНЯ"),
        ("Straße", "STRASSE"),
        ("小明", "小明"),
        ("ada", "ａｄａ"),
        ("Ёж", "ёж"),
    ],
)
def test_a_name_that_differs_in_case_or_form_only_is_taken(first, second):
    assert isinstance(account_create(first, PASSWORD), User)

    assert account_create(second, PASSWORD) is Refused.NAME_TAKEN
    assert User.objects.count() == AccountName.objects.count() == 1


@pytest.mark.parametrize("name", ["Аня", "小明", "ada.l@example+1_-"])
def test_an_account_is_opened_by_its_name_in_any_case(name):
    made = account_create(name, PASSWORD)

    assert account_prove(name, PASSWORD, ADDRESS) == made
    assert account_prove(name.upper(), PASSWORD, ADDRESS) == made


@pytest.mark.parametrize("name", ["local", "Local", "ＬＯＣＡＬ"])
def test_nobody_makes_the_account_that_is_opened_without_a_password(name):
    assert account_create(name, PASSWORD) is Refused.NAME_TAKEN
    assert not User.objects.exists()


def test_a_name_of_a_user_made_by_a_command_is_taken_too():
    User.objects.create_superuser("Root", password=PASSWORD)

    assert account_create("root", PASSWORD) is Refused.NAME_TAKEN


def test_two_old_names_that_differ_in_case_only_open_each_its_own_account():
    older = User.objects.create_user("ada", password="first password")
    newer = User.objects.create_user("Ada", password="second password")

    assert account_prove("ada", "first password", ADDRESS) == older
    assert account_prove("Ada", "second password", ADDRESS) == newer
    assert account_prove("Ada", "first password", ADDRESS) is Refused.MISMATCH


@pytest.mark.django_db(transaction=True)
def test_of_two_who_want_a_name_at_once_one_gets_it():
    outcomes, barrier = [], Barrier(2)

    def want(name):
        barrier.wait(10)
        try:
            outcomes.append(account_create(name, PASSWORD))
        finally:
            connection.close()

    threads = [Thread(target=want, args=(name,)) for name in ("Vera", "vera")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(isinstance(outcome, User) for outcome in outcomes) == [False, True]
    assert User.objects.count() == 1


def test_folding_is_stable():
    for name in ("Straße", "ﬃ", "İstanbul", "ΌΣΟΣ"):
        assert folded(folded(name)) == folded(name)
        assert len(folded(name)) <= 3 * len(name)


def test_a_folded_name_is_unique_in_the_database():
    account_create("ada", PASSWORD)
    other = User.objects.create_user("Ada")

    with pytest.raises(IntegrityError):
        AccountName.objects.create(user=other, folded="ada")


# Wrong passwords.


def test_an_unknown_name_and_a_wrong_password_get_the_same_answer_and_the_same_work(monkeypatch):
    account_create("ada", PASSWORD)
    hashed = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(
        MD5PasswordHasher, "encode", lambda *args: hashed.append(args[1]) or encode(*args)
    )

    answers = [account_prove(name, "wrong", ADDRESS) for name in ("ada", "nobody")]

    assert answers == [Refused.MISMATCH] * 2
    assert hashed == ["wrong"] * 2


@pytest.mark.parametrize("name", ["ada", "nobody"])
def test_after_ten_wrong_passwords_a_name_is_closed_for_ten_minutes(name, monkeypatch):
    account_create("ada", PASSWORD)
    now = sign_in_failures.now_ms()
    for number in range(10):
        assert account_prove(name, "wrong", f"192.0.2.{number}") is Refused.MISMATCH

    assert account_prove(name.upper(), PASSWORD, ADDRESS) is Refused.TOO_MANY

    monkeypatch.setattr(sign_in_failures, "now_ms", lambda: now + 599_000)
    assert account_prove(name, PASSWORD, ADDRESS) is Refused.TOO_MANY
    monkeypatch.setattr(sign_in_failures, "now_ms", lambda: now + 1_300_000)
    assert account_prove(name, PASSWORD, ADDRESS) is not Refused.TOO_MANY
    assert SignInFailure.objects.count() == (0 if name == "ada" else 2)


def test_a_refused_try_does_not_lengthen_the_wait():
    for _ in range(15):
        account_prove("ada", "wrong", "")

    assert SignInFailure.objects.count() == 10


def test_an_address_has_fifty_tries_whatever_the_names():
    account_create("ada", PASSWORD)
    for number in range(50):
        assert account_prove(f"user{number}", "wrong", ADDRESS) is Refused.MISMATCH

    assert account_prove("ada", PASSWORD, ADDRESS) is Refused.TOO_MANY
    assert isinstance(account_prove("ada", PASSWORD, "192.0.2.8"), User)


def test_the_right_password_clears_the_name_and_not_the_address():
    account_create("ada", PASSWORD)
    for _ in range(3):
        account_prove("ada", "wrong", ADDRESS)

    account_prove("ada", PASSWORD, ADDRESS)

    assert SignInFailure.objects.count() == 3
    assert SignInFailure.objects.values("target").distinct().count() == 1


def test_no_name_and_no_address_is_stored_with_a_failure():
    account_prove("анна", "wrong", ADDRESS)

    for row in SignInFailure.objects.all():
        assert len(row.target) == 64
        assert set(row.target) <= set("0123456789abcdef")


def test_who_was_switched_off_is_told_no_more_than_a_stranger():
    user = account_create("ada", PASSWORD)
    user.is_active = False
    user.save()

    assert account_prove("ada", PASSWORD, ADDRESS) is Refused.MISMATCH


# Sessions.


def test_a_session_carries_its_account_and_an_anonymous_one_carries_none():
    user = account_create("ada", PASSWORD)
    anonymous = SessionStore()
    anonymous["seen"] = 1
    anonymous.save()
    key = signed_in(user)

    assert Session.objects.get(pk=key).account_id == user.pk
    assert Session.objects.get(pk=anonymous.session_key).account_id is None


def test_ending_sessions_touches_one_account_and_spares_the_kept_one():
    ada, bob = account_create("ada", PASSWORD), account_create("bob", PASSWORD)
    kept, other, foreign = signed_in(ada), signed_in(ada), signed_in(bob)

    account_end_sessions(ada.pk, keep=kept)

    assert set(Session.objects.values_list("pk", flat=True)) == {kept, foreign}
    assert [session_stands(key, ada.pk) for key in (kept, other, foreign)] == [True, False, False]
    account_end_sessions(ada.pk)
    assert not session_stands(kept, ada.pk)


def test_switching_an_account_off_ends_its_sessions_for_good():
    user = account_create("ada", PASSWORD)
    key = signed_in(user)
    user.is_active = False
    user.save()
    user.is_active = True
    user.save()

    assert not session_stands(key, user.pk)


def test_an_account_switched_off_past_the_application_has_no_standing_session():
    user = account_create("ada", PASSWORD)
    key = signed_in(user)
    User.objects.filter(pk=user.pk).update(is_active=False)

    assert not session_stands(key, user.pk)


def test_a_deleted_account_leaves_no_session():
    user = account_create("ada", PASSWORD)
    signed_in(user)

    user.delete()

    assert not Session.objects.exists()


def test_expired_sessions_do_not_count_and_go_at_the_next_sign_in():
    user = account_create("ada", PASSWORD)
    key = signed_in(user)
    Session.objects.update(expire_date="2020-01-01T00:00:00Z")

    assert not session_stands(key, user.pk)
    assert account_row(user).sessions == 0
    account_prove("ada", PASSWORD, ADDRESS)
    assert not Session.objects.exists()


@pytest.mark.parametrize("key", [None, "", "nonsense"])
def test_no_key_is_no_session(key):
    user = account_create("ada", PASSWORD)

    assert not session_stands(key, user.pk)


# Changing the password.


def test_the_old_password_must_be_right_and_wrong_ones_are_counted():
    user = account_create("ada", PASSWORD)
    for _ in range(10):
        wrong = account_change_password(user, "wrong", "another one 77", ADDRESS)
        assert wrong is Refused.MISMATCH

    assert account_change_password(user, PASSWORD, "another one 77", "") is Refused.TOO_MANY
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_a_changed_password_is_the_only_one():
    user = account_create("ada", PASSWORD)

    assert account_change_password(user, PASSWORD, "another one 77", ADDRESS) is None

    assert account_prove("ada", PASSWORD, ADDRESS) is Refused.MISMATCH
    assert account_prove("ada", "another one 77", ADDRESS) == user
