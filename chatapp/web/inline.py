"""Django's and WhiteNoise's middleware without a trip to a thread for each of them.

Django runs the two halves of every synchronous middleware in a thread: some twenty trips a
request, for work that reads a few headers. Only saving a session reads or writes anything. A
middleware that cannot be asynchronous at all would even hold its thread until the view is done.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.contrib.auth import middleware as auth
from django.contrib.sessions import middleware as sessions
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware import clickjacking, common, csrf, locale, security
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

GetResponse = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


class _Inline:
    """Runs both halves of a middleware where the request is."""

    async def __acall__(self: Any, request: HttpRequest) -> HttpResponseBase:
        answer: HttpResponseBase | None = None
        if hasattr(self, "process_request"):
            answer = self.process_request(request)
        if answer is None:
            answer = await self.get_response(request)
        if hasattr(self, "process_response"):
            answer = self.process_response(request, answer)
        return answer


class SecurityMiddleware(_Inline, security.SecurityMiddleware):
    """Adds headers."""


class LocaleMiddleware(_Inline, locale.LocaleMiddleware):
    """Chooses the language."""


class CommonMiddleware(_Inline, common.CommonMiddleware):
    """Adds slashes and lengths."""


class XFrameOptionsMiddleware(_Inline, clickjacking.XFrameOptionsMiddleware):
    """Adds a header."""


class AuthenticationMiddleware(_Inline, auth.AuthenticationMiddleware):
    """Hangs the user on the request; who it is is only read when it is asked."""

    def process_request(self, request: HttpRequest) -> None:
        """Let views ask for the user: session and user are read in one trip to a thread."""
        super().process_request(request)
        request.auser = partial(_user_of, request)


async def _user_of(request: Any) -> Any:  # noqa: ANN401  # whoever the backend gives
    if not hasattr(request, "_acached_user"):
        request._acached_user = await sync_to_async(auth.get_user)(request)  # noqa: SLF001  # Django's own cache
    return request._acached_user  # noqa: SLF001  # the same


class CsrfViewMiddleware(_Inline, csrf.CsrfViewMiddleware):
    """Checks the token of requests that change something."""

    async def process_view(  # type: ignore[override]  # Django takes either kind
        self, request: HttpRequest, *view: object
    ) -> HttpResponseBase | None:
        """Refuse a request without the right token."""
        return super().process_view(request, *view)  # type: ignore[arg-type]  # callback, args, kwargs


class SessionMiddleware(sessions.SessionMiddleware):
    """Hangs the session on the request, and saves it in a thread when it was changed."""

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        self.process_request(request)
        get_response: Any = self.get_response
        answer = await get_response(request)
        if request.session.modified:
            return await sync_to_async(self.process_response)(request, answer)
        return self.process_response(request, answer)


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # it has no types
    """Serves static files; small ones, so they are sent whole."""

    sync_capable = False
    async_capable = True

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with a file, or let the application answer."""
        if not request.path_info.startswith(self.static_prefix or "\0"):
            return await self._pass_on(request)
        answer: HttpResponseBase | None = await sync_to_async(self._file_answer)(request)
        return await self._pass_on(request) if answer is None else answer

    async def _pass_on(self, request: HttpRequest) -> HttpResponseBase:
        answer: HttpResponseBase = await self.get_response(request)
        return answer

    def _file_answer(self, request: HttpRequest) -> HttpResponse | None:
        static_file = (
            self.find_file(request.path_info)
            if self.autorefresh
            else self.files.get(request.path_info)
        )
        if static_file is None:
            return None
        stream = self.serve(static_file, request)
        whole = HttpResponse(b"".join(stream.streaming_content), status=stream.status_code)
        whole.headers = stream.headers
        stream.close()
        return whole
