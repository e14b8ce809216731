"""The local user is signed in by itself, from this machine and under its own names only."""

import asyncio
import re

import pytest
from django.conf import settings as current
from django.contrib.auth.models import User
from django.urls import reverse

from chatapp.models import Session
from chatapp.runtime.pool import in_pool
from chatapp.web.local_user import LOCAL_NAME
from tests.support.served import served

__all__ = ["served"]

WHO = re.compile('<span class="who">([^<]*)</span>')


@pytest.fixture(autouse=True)
def allowed(settings):
    settings.LOCAL_USER = True
    settings.ALLOWED_HOSTS = ["*"]


def shown_to(answer):
    """Return who a page is shown to; None when it asks to sign in."""
    if answer.status == 302:
        assert answer.headers["location"].startswith(reverse("login"))
        return None
    assert answer.status == 200
    return WHO.findall(answer.text)[0]


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
async def test_the_first_page_is_already_the_person_s_own(served, host):
    assert shown_to(await served("/", host=host)) == LOCAL_NAME


@pytest.mark.parametrize(
    "host", ["glassbox.example", "127.0.0.1.collector.invalid", "localhost.invalid", "192.168.0.7"]
)
async def test_another_name_for_this_machine_signs_nobody_in(served, host):
    assert shown_to(await served("/", host=host)) is None


@pytest.mark.parametrize("address", ["192.168.0.7", "10.0.0.1", "::ffff:10.0.0.1", ""])
async def test_another_machine_signs_nobody_in(served, address):
    assert shown_to(await served("/", address=address)) is None


@pytest.mark.parametrize("header", ["x_forwarded_for", "forwarded"])
async def test_what_a_proxy_passed_on_signs_nobody_in(served, header):
    assert shown_to(await served("/", **{header: "127.0.0.1"})) is None


async def test_it_can_be_switched_off(served, settings):
    settings.LOCAL_USER = False

    assert shown_to(await served("/")) is None


async def test_who_is_signed_in_stays_who_they_are(served, visitors):
    session = visitors.alice.cookies[current.SESSION_COOKIE_NAME].value

    page = await served(
        visitors.url("conversation"), cookie=f"{current.SESSION_COOKIE_NAME}={session}"
    )

    assert shown_to(page) == "alice"


async def test_one_visit_is_one_session_and_one_user_without_password(served):
    first = await served("/")
    cookie = "; ".join(f"{name}={value}" for name, value in first.cookies.items())
    pages = [await served("/", cookie=cookie) for _ in range(2)]

    assert [shown_to(page) for page in pages] == [LOCAL_NAME] * 2
    assert not any(current.SESSION_COOKIE_NAME in page.cookies for page in pages)
    assert await in_pool(Session.objects.count) == 1
    user = await in_pool(User.objects.get)
    assert not user.has_usable_password()
    assert [user.is_staff, user.is_superuser] == [False, False]


async def test_two_first_pages_at_once_make_one_user(served):
    pages = await asyncio.gather(*(served("/") for _ in range(4)))

    assert {shown_to(page) for page in pages} == {LOCAL_NAME}
    assert await in_pool(User.objects.count) == 1


async def test_health_signs_nobody_in(served):
    answer = await served("/healthz")

    assert answer.status == 200
    assert not await in_pool(Session.objects.exists)
    assert not await in_pool(User.objects.exists)
