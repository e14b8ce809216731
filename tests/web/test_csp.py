"""Every answer carries the policy, in both worlds."""

import pytest
from asgiref.sync import iscoroutinefunction
from django.http import HttpResponse
from django.test import RequestFactory

from chatapp.web.csp import POLICY, ContentSecurityPolicyMiddleware


def answer(_request):
    return HttpResponse("hello")


async def answer_later(_request):
    return HttpResponse("hello")


def test_it_sets_the_policy():
    response = ContentSecurityPolicyMiddleware(answer)(RequestFactory().get("/"))

    assert response.headers["Content-Security-Policy"] == POLICY


async def test_it_stays_asynchronous_under_asgi():
    middleware = ContentSecurityPolicyMiddleware(answer_later)

    response = await middleware(RequestFactory().get("/"))

    assert iscoroutinefunction(middleware)
    assert response.headers["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize("word", ["unsafe-inline", "unsafe-eval", "http:", "https:", "*"])
def test_it_allows_nothing_inline_and_nobody_else(word):
    assert word not in POLICY
