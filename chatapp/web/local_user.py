"""Signs the first-run local user in by itself while the server is bound to loopback."""

import ipaddress
from collections.abc import Awaitable, Callable
from functools import partial

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.contrib.auth import alogin, get_user_model
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseBase

from chatapp.services.accounts import LOCAL_NAME

LOOPBACK_NAMES = frozenset({"localhost"})
EXEMPT_PATHS = ("/healthz", "/static/")


class LocalUserMiddleware:
    """Signs in before the view runs, so that the very first page is already the person's own."""

    sync_capable = False
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Sign in where that is allowed, then answer."""
        if (
            settings.LOCAL_USER
            and not request.path.startswith(EXEMPT_PATHS)
            and is_local(request)
            and not (await request.auser()).is_authenticated
        ):
            user = await local_user()
            await alogin(request, user, backend="django.contrib.auth.backends.ModelBackend")
            # Signing in tells `request.user` only; views ask `request.auser`.
            request.auser = partial(_itself, user)
        return await self.get_response(request)


def is_local(request: HttpRequest) -> bool:
    """Return whether both the client and the name it used are of this machine.

    The name matters as well: a foreign page may point a name of its own at 127.0.0.1. A request
    that a proxy passed on is not local, whatever the proxy's own address is.
    """
    if "HTTP_X_FORWARDED_FOR" in request.META or "HTTP_FORWARDED" in request.META:
        return False
    host = request.get_host().rsplit(":", 1)[0].strip("[]")
    return _is_loopback(request.META.get("REMOTE_ADDR", "")) and (
        host in LOOPBACK_NAMES or _is_loopback(host)
    )


def _is_loopback(text: str) -> bool:
    try:
        return ipaddress.ip_address(text).is_loopback
    except ValueError:
        return False


async def _itself(user: User) -> User:
    return user


async def local_user() -> User:
    """Return the local user, made at the first run; it has no password and cannot sign in."""
    users = get_user_model()
    user, created = await users.objects.aget_or_create(username=LOCAL_NAME)
    if created:
        user.set_unusable_password()
        await user.asave(update_fields=["password"])
    return user
