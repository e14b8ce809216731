"""Two web processes on one database: what one runs, the other shows, stops and takes over."""

import asyncio
import signal
import time
from collections.abc import Iterator

import pytest

from tests.support.client import ChatClient
from tests.support.installation import Installation
from tests.support.postgres import fresh_database
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.thread import ProviderThread
from tests.support.skips import postgres_url
from tests.support.web_process import WebProcess

pytestmark = pytest.mark.crash

INTERRUPTED_LIMIT_S = 20.0


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "sqlite":
        yield ""
        return
    with fresh_database(postgres_url()) as url:
        yield url


@pytest.fixture
def first(installation: Installation) -> Iterator[WebProcess]:
    with installation.web("first") as web:
        yield web


@pytest.fixture
def second(installation: Installation, first: WebProcess) -> Iterator[WebProcess]:
    with installation.web("second") as web:
        yield web


async def test_a_stream_of_one_is_watched_at_the_other(
    provider: ProviderThread, first: WebProcess, second: WebProcess
):
    provider.enqueue(replies.held("from afar ", "and to the end"))
    async with ChatClient(first.url) as here, ChatClient(second.url) as there:
        conversation = await here.create()
        async with there.watch(conversation) as watcher:
            (await here.send(conversation, "Hello")).raise_for_status()
            await watcher.wait_text("from afar")

            provider.release()

            turn = await watcher.wait_status("committed")
    assert "from afar and to the end" in watcher.view.html[turn]


async def test_who_comes_late_sees_everything_so_far(
    provider: ProviderThread, first: WebProcess, second: WebProcess
):
    provider.enqueue(replies.held("already said ", "and to come"))
    async with ChatClient(first.url) as here, ChatClient(second.url) as there:
        conversation = await here.create()
        (await here.send(conversation, "Hello")).raise_for_status()
        await asyncio.to_thread(provider.wait_held)
        async with there.watch(conversation) as watcher:
            await watcher.wait_text("already said")
            (answer,) = watcher.view.answers.values()
            assert answer.text.strip() == "already said"
            provider.release()
            turn = await watcher.wait_status("committed")
    assert "already said and to come" in watcher.view.html[turn]


async def test_a_stream_of_one_is_stopped_at_the_other(
    provider: ProviderThread, first: WebProcess, second: WebProcess
):
    provider.enqueue(replies.held("up to here "))
    async with ChatClient(first.url) as here, ChatClient(second.url) as there:
        conversation = await here.create()
        async with there.watch(conversation) as watcher:
            (await here.send(conversation, "Hello")).raise_for_status()
            await watcher.wait_text("up to here")
            (turn,) = watcher.view.answers

            (await there.stop(conversation, turn)).raise_for_status()

            await watcher.wait_status("committed")
    assert "up to here" in watcher.view.html[turn]
    await asyncio.to_thread(provider.log.wait_disconnected, provider.chats[0])


async def test_a_killed_process_leaves_an_interrupted_turn_that_retries(
    provider: ProviderThread, first: WebProcess, second: WebProcess
):
    provider.enqueue(replies.held("lost with its process "), replies.answer("the second try"))
    async with ChatClient(first.url) as here, ChatClient(second.url) as there:
        conversation = await here.create()
        async with there.watch(conversation) as watcher:
            (await here.send(conversation, "Hello")).raise_for_status()
            await watcher.wait_text("lost with its process")

            first.kill()
            killed_at = time.monotonic()
            turn = await watcher.wait_status("interrupted")
            assert time.monotonic() - killed_at < INTERRUPTED_LIMIT_S

            (await there.retry(conversation, turn)).raise_for_status()
            assert await watcher.wait_status("committed") == turn
    assert "the second try" in watcher.view.html[turn]


async def test_sigterm_lets_a_running_answer_end(
    installation: Installation, provider: ProviderThread, first: WebProcess
):
    provider.enqueue(replies.held("before the signal ", "and after it"))
    async with ChatClient(first.url) as client:
        conversation = await client.create()
        async with client.watch(conversation) as watcher:
            (await client.send(conversation, "Hello")).raise_for_status()
            await watcher.wait_text("before the signal")

            first.send_signal(signal.SIGTERM)
            provider.release()
            code = await asyncio.to_thread(first.wait)

    (turn,) = installation.ledger()
    assert code == 0
    assert turn["status"] == "committed"
    assert turn["answers"] == ["before the signal and after it"]


async def test_sigterm_does_not_wait_for_an_answer_without_end(
    installation: Installation, provider: ProviderThread, first: WebProcess
):
    provider.enqueue(replies.held("never ends "))
    async with ChatClient(first.url) as client:
        conversation = await client.create()
        (await client.send(conversation, "Hello")).raise_for_status()
        await asyncio.to_thread(provider.wait_held)

        code = await asyncio.to_thread(first.terminate)

    (turn,) = installation.ledger()
    assert code == 0
    assert turn["status"] == "interrupted"
