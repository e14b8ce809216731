"""A socket ends with the session that opened it, whoever ended that and whether it was told."""

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient
from django.urls import reverse

from chatapp import broadcast
from chatapp.consumers import chat
from chatapp.models import Session
from chatapp.runtime.pool import in_pool

EVERYWHERE = reverse("logout_everywhere")


async def opened(tab, client, address):
    page = tab(client, address)
    assert await page.connect()
    assert (await page.frame())["kind"] == "hello"
    return page


@pytest.fixture
async def second(visitors):
    """Alice in another browser."""
    client = AsyncClient()
    await client.aforce_login(visitors.people.alice)
    return client


@pytest.fixture
def untold(monkeypatch):
    """Let no news of ended sessions arrive."""

    async def lost(user_id):
        return None

    monkeypatch.setattr(broadcast, "signed_out", lost)


async def test_signing_out_everywhere_closes_every_page_of_the_account(
    visitors, address, tab, second
):
    pages = [await opened(tab, client, address) for client in (visitors.alice, second)]

    await second.post(EVERYWHERE)

    assert [await page.close_code() for page in pages] == [4401, 4401]


async def test_signing_out_everywhere_leaves_other_accounts_alone(visitors, open_page):
    page = await open_page()

    await visitors.mallory.post(EVERYWHERE)

    assert await page.is_silent()
    await page.send({"kind": "ping"})
    assert (await page.frame())["kind"] == "pong"


async def test_signing_out_closes_the_tabs_of_that_browser_only(visitors, address, tab, second):
    hers = await opened(tab, visitors.alice, address)
    other = await opened(tab, second, address)

    await second.post(reverse("logout"))

    assert await other.close_code() == 4401
    assert await hers.is_silent()


async def test_a_new_password_closes_the_pages_of_other_browsers_and_new_ones_open(
    visitors, address, tab, second
):
    other = await opened(tab, second, address)

    await visitors.alice.post(
        reverse("password"),
        {"old": "correct horse", "password1": "a long river", "password2": "a long river"},
    )

    assert await other.close_code() == 4401
    assert await (await opened(tab, visitors.alice, address)).is_silent()
    again = tab(second, address)
    assert await again.connect()
    assert await again.close_code() == 4401


async def test_nothing_is_sent_after_the_end(visitors, address, tab):
    page = await opened(tab, visitors.alice, address)
    await visitors.alice.post(EVERYWHERE)
    assert await page.close_code() == 4401

    await broadcast.conversation_changed(visitors.conversation_id, "header")
    await page.send({"kind": "ping"})

    assert await page.is_silent()


async def test_without_news_the_socket_finds_out_by_itself(
    visitors, address, tab, untold, monkeypatch
):
    monkeypatch.setattr(chat, "SESSION_CHECK_S", 0.05)
    page = await opened(tab, visitors.alice, address)

    await visitors.alice.post(EVERYWHERE)

    assert await page.close_code() == 4401


@pytest.mark.parametrize("how", ["switched off", "expired", "deleted"])
async def test_a_session_that_ended_by_itself_takes_its_socket_along(
    visitors, address, tab, monkeypatch, how
):
    monkeypatch.setattr(chat, "SESSION_CHECK_S", 0.05)
    page = await opened(tab, visitors.alice, address)
    sessions = Session.objects.filter(account=visitors.people.alice)

    match how:
        case "switched off":
            await in_pool(User.objects.filter(username="alice").update, is_active=False)
        case "expired":
            await in_pool(sessions.update, expire_date="2020-01-01T00:00:00Z")
        case "deleted":
            await in_pool(sessions.delete)

    assert await page.close_code() == 4401


async def test_a_session_that_ends_while_the_socket_opens_is_noticed(
    visitors, address, tab, monkeypatch
):
    def too_late(*_):
        Session.objects.all().delete()
        return let_in(*_)

    let_in = chat.let_in
    monkeypatch.setattr(chat, "let_in", too_late)
    page = tab(visitors.alice, address)

    assert await page.connect()
    assert await page.close_code() == 4401
