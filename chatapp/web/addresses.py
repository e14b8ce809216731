"""Where a request comes from, as far as that can be believed."""

from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest

_HOUSEHOLD_BITS = 64
"""A household has at least this much of IPv6 to change its address in."""


def address_of(request: HttpRequest) -> str:
    """Return the network address of the client; of IPv6 its network; empty when unknown.

    What proxies write is believed only where one is set up, and then only its own word, the last.
    """
    text: str = request.META.get("REMOTE_ADDR", "")
    if settings.HTTPS:
        text = request.META.get("HTTP_X_FORWARDED_FOR", text).rsplit(",", 1)[-1].strip()
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> _HOUSEHOLD_BITS << _HOUSEHOLD_BITS))
