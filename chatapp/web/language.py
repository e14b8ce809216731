"""The language of a socket: the one that the page around it was rendered in."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language_from_request


def language_of(scope: Mapping[str, Any]) -> str:
    """Return the language code by the same rules as for pages: cookie, then the browser's wish."""
    request = HttpRequest()
    request.COOKIES = dict(scope.get("cookies", {}))
    headers = dict(scope.get("headers", ()))
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get(b"accept-language", b"").decode("latin-1")
    return get_language_from_request(request)
