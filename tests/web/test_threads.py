"""Requests share a few lasting threads, whoever sends them."""

import asyncio
import threading

import pytest
from channels.testing import HttpCommunicator
from django.http import HttpResponse
from django.urls import path

from chatapp.web.threads import THREADS, SharedThreadsHandler
from tests.support.served import served

__all__ = ["served"]


def thread_name(request):
    """A synchronous view says where it ran."""
    return HttpResponse(threading.current_thread().name)


urlpatterns = [path("thread", thread_name)]


@pytest.fixture
def thread_urls(settings):
    settings.ROOT_URLCONF = __name__
    settings.ALLOWED_HOSTS = ["*"]
    settings.MIDDLEWARE = []


async def test_many_requests_use_few_threads_again_and_again(served, thread_urls):
    names = {(await served("/thread")).text for _ in range(3 * THREADS)}

    assert len(names) == THREADS


async def test_requests_at_once_use_no_more_threads(served, thread_urls):
    answers = await asyncio.gather(*(served("/thread") for _ in range(5 * THREADS)))

    assert {answer.status for answer in answers} == {200}
    assert len({answer.text for answer in answers}) <= THREADS


async def test_only_http_is_handled():
    communicator = HttpCommunicator(SharedThreadsHandler(), "GET", "/")
    communicator.scope["type"] = "websocket"

    with pytest.raises(ValueError, match="HTTP only"):
        await communicator.get_response()
