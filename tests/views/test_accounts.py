"""The pages of accounts in the hands of their owner, of strangers, and of those who try."""

import pytest
from django.conf import settings as current
from django.contrib.auth.models import User
from django.test import AsyncClient
from django.urls import reverse

from chatapp.models import Session
from chatapp.runtime.pool import in_pool

LOGIN, SIGNUP = reverse("login"), reverse("signup")
ACCOUNT, PASSWORD = reverse("account"), reverse("password")
EVERYWHERE, LOGOUT = reverse("logout_everywhere"), reverse("logout")
OLD, NEW = "correct horse", "a long quiet river"
HOSTILE_NEXTS = [
    "https://collector.invalid/",
    "//collector.invalid/",
    "/\\collector.invalid",
    "///collector.invalid",
    "javascript:alert(1)",
    "http:collector.invalid",
    "\t//collector.invalid",
]


def session_of(client):
    return client.cookies[current.SESSION_COOKIE_NAME].value


async def sign_in(client, name="alice", password=OLD, **more):
    return await client.post(LOGIN, {"username": name, "password": password, **more})


async def sign_up(client, name, password=NEW, again=None, **more):
    fields = {"username": name, "password1": password, "password2": again or password, **more}
    return await client.post(SIGNUP, fields)


async def is_signed_in(client):
    return (await client.get(ACCOUNT)).status_code == 200


# Sign-up.


@pytest.mark.parametrize("name", ["ada", "Аня", "小明"])
async def test_who_signs_up_is_signed_in_and_finds_their_name(visitors, name):
    answer = await sign_up(visitors.anonymous, name)

    assert (answer.status_code, answer.url) == (302, "/")
    assert name in (await visitors.anonymous.get(ACCOUNT)).text
    assert name in (await visitors.anonymous.get("/")).text


@pytest.mark.parametrize("taken", ["alice", "ALICE", "Alice", "local"])
async def test_a_taken_name_is_said_and_what_was_typed_stays_but_for_passwords(visitors, taken):
    answer = await sign_up(visitors.anonymous, taken)

    assert answer.status_code == 422
    assert "That name is taken." in answer.text
    assert f'value="{taken}"' in answer.text
    assert NEW not in answer.text
    assert await in_pool(User.objects.count) == 2


@pytest.mark.parametrize(
    ("name", "password", "again", "sentence"),
    [
        ("", NEW, NEW, "Write your name."),
        ("ada lovelace", NEW, NEW, "without spaces."),
        ("ada<script>", NEW, NEW, "without spaces."),
        ("я" * 151, NEW, NEW, "at most 150 characters."),
        ("ﷺ" * 100, NEW, NEW, "A name "),
        ("ada", "short7", "short7", "too short."),
        ("ada", "password123", "password123", "too common."),
        ("ada", "8340957120", "8340957120", "entirely numeric."),
        ("анастасия", "анастасия1", "анастасия1", "too similar to the"),
        ("ada", NEW, NEW + " ", "The two passwords are not the same."),
        ("ada", "", "", "Write a password."),
    ],
)
async def test_what_is_wrong_is_said_in_a_sentence_and_makes_no_account(
    visitors, name, password, again, sentence
):
    answer = await visitors.anonymous.post(
        SIGNUP, {"username": name, "password1": password, "password2": again}
    )

    assert answer.status_code == 422
    assert sentence in answer.text
    assert "<script>" not in answer.text
    assert not password or password not in answer.text.replace(f'value="{name}"', "")
    assert await in_pool(User.objects.count) == 2


async def test_sign_up_can_be_closed_and_then_nothing_leads_there(visitors, settings):
    settings.SIGNUP = False

    found = [await visitors.anonymous.get(SIGNUP), await sign_up(visitors.anonymous, "ada")]

    assert [answer.status_code for answer in found] == [404, 404]
    assert SIGNUP not in (await visitors.anonymous.get(LOGIN)).text
    assert await in_pool(User.objects.count) == 2


async def test_open_sign_up_is_offered_with_the_way_that_was_wanted(visitors):
    page = await visitors.anonymous.get(LOGIN, {"next": "/c/1/?a=1&b=2"})

    assert f'href="{SIGNUP}?next=%2Fc%2F1%2F%3Fa%3D1%26b%3D2"' in page.text


async def test_a_machine_of_one_s_own_makes_no_accounts_for_strangers(visitors, settings):
    settings.LOCAL_USER = True

    answer = await visitors.anonymous.get(SIGNUP)

    assert answer.status_code == 404


# Sign-in.


async def test_a_wrong_name_and_a_wrong_password_are_told_apart_by_nothing(visitors):
    texts = []
    for name in ("alice", "alicf"):
        answer = await sign_in(visitors.anonymous, name, "wrong")
        assert answer.status_code == 422
        token = answer.context["csrf_token"]
        texts.append(answer.text.replace(str(token), "").replace(name, ""))

    assert len({text.count("Name and password do not match.") for text in texts}) == 1
    assert [len(text) for text in texts] == [len(texts[0])] * 2


async def test_the_eleventh_try_is_not_answered_even_with_the_right_password(visitors):
    for _ in range(10):
        assert (await sign_in(visitors.anonymous, "alice", "wrong")).status_code == 422

    answer = await sign_in(visitors.anonymous)

    assert answer.status_code == 429
    assert "Wait ten minutes" in answer.text
    assert not await is_signed_in(visitors.anonymous)
    assert await is_signed_in(visitors.alice)


@pytest.mark.parametrize("wanted", HOSTILE_NEXTS)
async def test_no_address_leads_to_another_site(visitors, wanted):
    page = await visitors.anonymous.get(LOGIN, {"next": wanted})
    signed_up = await sign_up(AsyncClient(), "ada", next=wanted)
    already = await visitors.alice.get(LOGIN, {"next": wanted})
    signed_in = await sign_in(visitors.anonymous, next=wanted)

    assert "collector" not in page.text
    assert "javascript" not in page.text
    assert {answer.url for answer in (signed_up, already, signed_in)} == {"/"}


async def test_the_way_on_is_kept_through_errors(visitors):
    wanted = visitors.url("conversation")

    wrong = await sign_in(visitors.anonymous, password="wrong", next=wanted)
    right = await sign_in(visitors.anonymous, next=wanted)

    assert f'name="next" value="{wanted}"' in wrong.text
    assert right.url == wanted


async def test_each_sign_in_has_a_fresh_session_and_ends_the_one_before(visitors):
    await sign_in(visitors.anonymous)
    first = session_of(visitors.anonymous)

    await sign_in(visitors.anonymous)

    assert session_of(visitors.anonymous) != first
    assert not await in_pool(Session.objects.filter(pk=first).exists)


async def test_a_key_that_was_planted_is_not_taken_over(visitors):
    planted = "a" * 32
    visitors.anonymous.cookies[current.SESSION_COOKIE_NAME] = planted

    await sign_in(visitors.anonymous)

    assert session_of(visitors.anonymous) != planted


async def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(visitors):
    answer = await sign_in(visitors.anonymous)

    cookie = answer.cookies[current.SESSION_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


async def test_who_was_switched_off_is_out_at_once(visitors):
    await in_pool(User.objects.filter(username="alice").update, is_active=False)

    assert not await is_signed_in(visitors.alice)
    assert (await sign_in(visitors.anonymous)).status_code == 422


@pytest.mark.parametrize(
    ("page", "fields", "field"),
    [
        (LOGIN, None, "username"),
        (LOGIN, {"username": "alice", "password": "wrong"}, "password"),
        (LOGIN, {"username": "", "password": "wrong"}, "username"),
        (SIGNUP, {"username": "ada", "password1": "1", "password2": "1"}, "password1"),
        (SIGNUP, {"username": "alice", "password1": NEW, "password2": NEW}, "username"),
    ],
)
async def test_the_cursor_stands_where_to_type_next(visitors, page, fields, field):
    client = visitors.anonymous
    answer = await (client.get(page) if fields is None else client.post(page, fields))

    found = [tag for tag in answer.text.split("<input")[1:] if " autofocus" in tag.split(">")[0]]
    assert [f'name="{field}"' in tag.split(">")[0] for tag in found] == [True]


# The account.


async def test_nothing_of_an_account_is_kept_by_browsers(visitors):
    answers = [
        await visitors.alice.get(ACCOUNT),
        await visitors.alice.get(PASSWORD),
        await visitors.anonymous.get(LOGIN),
        await visitors.anonymous.get(SIGNUP),
        await visitors.anonymous.get(ACCOUNT),
        await sign_in(visitors.anonymous, password="wrong"),
        await sign_in(visitors.anonymous),
        await visitors.anonymous.post(LOGOUT),
    ]

    assert all("no-store" in answer.headers["Cache-Control"] for answer in answers)


async def test_the_account_is_one_s_own_and_counts_its_sessions(visitors):
    await sign_in(visitors.anonymous)

    hers = await visitors.alice.get(ACCOUNT)
    his = await visitors.mallory.get(ACCOUNT)

    assert "alice" in hers.text
    assert "in 2 browsers" in hers.text
    assert "alice" not in his.text
    assert "in 1 browser<" in his.text


async def test_the_page_of_a_conversation_leads_to_the_account(visitors):
    page = await visitors.alice.get(visitors.url("conversation"))

    assert f'href="{ACCOUNT}"' in page.text


async def test_who_has_no_password_is_led_home(visitors):
    alice = await in_pool(User.objects.get, username="alice")
    alice.set_unusable_password()
    await in_pool(alice.save)
    await visitors.alice.aforce_login(alice)

    calls = [
        *[await visitors.alice.get(url) for url in (ACCOUNT, PASSWORD, LOGIN, SIGNUP)],
        *[await visitors.alice.post(url) for url in (PASSWORD, EVERYWHERE, LOGIN, SIGNUP)],
    ]

    assert [(answer.status_code, answer.url) for answer in calls] == [(302, "/")] * 8
    assert ACCOUNT not in (await visitors.alice.get(visitors.url("conversation"))).text


# The password.


async def test_a_new_password_keeps_this_session_under_a_new_key_and_ends_the_others(visitors):
    await sign_in(visitors.anonymous)
    before = session_of(visitors.alice)

    answer = await visitors.alice.post(PASSWORD, {"old": OLD, "password1": NEW, "password2": NEW})

    assert (answer.status_code, answer.url) == (302, ACCOUNT)
    assert session_of(visitors.alice) != before
    assert await is_signed_in(visitors.alice)
    assert not await is_signed_in(visitors.anonymous)
    assert await is_signed_in(visitors.mallory)
    assert (await sign_in(visitors.anonymous)).status_code == 422
    assert (await sign_in(visitors.anonymous, password=NEW)).status_code == 302


@pytest.mark.parametrize(
    ("old", "new", "again", "sentence"),
    [
        ("wrong", NEW, NEW, "That is not your password."),
        (OLD, "alice123", "alice123", "too similar to the"),
        (OLD, NEW, "another", "The two passwords are not the same."),
        ("", NEW, NEW, "Write your old password."),
    ],
)
async def test_a_password_that_cannot_be_changed_stays(visitors, old, new, again, sentence):
    answer = await visitors.alice.post(PASSWORD, {"old": old, "password1": new, "password2": again})

    assert answer.status_code == 422
    assert sentence in answer.text
    assert (await sign_in(visitors.anonymous)).status_code == 302


# Signing out.


async def test_signing_out_ends_one_session(visitors):
    await sign_in(visitors.anonymous)

    answer = await visitors.anonymous.post(LOGOUT)

    assert (answer.status_code, answer.url) == (302, LOGIN)
    assert not await is_signed_in(visitors.anonymous)
    assert await is_signed_in(visitors.alice)


async def test_signing_out_everywhere_ends_all_of_one_account(visitors):
    await sign_in(visitors.anonymous)
    stolen = AsyncClient()
    stolen.cookies[current.SESSION_COOKIE_NAME] = session_of(visitors.alice)

    answer = await visitors.anonymous.post(EVERYWHERE)

    assert (answer.status_code, answer.url) == (302, LOGIN)
    clients = (visitors.alice, visitors.anonymous, stolen, visitors.mallory)
    assert [await is_signed_in(client) for client in clients] == [False, False, False, True]
