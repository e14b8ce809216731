"""The content security policy of every page: nothing inline, nothing from elsewhere."""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; "
    "object-src 'none'"
)
"""`connect-src 'self'` covers the sockets of the same host in every current browser."""

_Answer = HttpResponseBase | Awaitable[HttpResponseBase]


class ContentSecurityPolicyMiddleware:
    """Adds the policy to each answer; works in both worlds, so no request changes threads."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], _Answer]) -> None:
        self._get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> _Answer:
        """Return the answer of the next layer with the header set."""
        answer = self._get_response(request)
        if isinstance(answer, HttpResponseBase):
            return _with_policy(answer)
        return _with_policy_later(answer)


async def _with_policy_later(answer: Awaitable[HttpResponseBase]) -> HttpResponseBase:
    return _with_policy(await answer)


def _with_policy(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Content-Security-Policy", POLICY)
    return response
