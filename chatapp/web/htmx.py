"""The request as views see it: with what htmx said about itself."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxHttpRequest(HttpRequest):
    """A request that went through `HtmxMiddleware`."""

    htmx: HtmxDetails
