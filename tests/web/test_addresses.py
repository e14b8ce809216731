"""Where a request comes from: what proxies write counts only where one is set up."""

import pytest
from django.test import RequestFactory

from chatapp.web.addresses import address_of


def seen(address, **headers):
    return address_of(RequestFactory().get("/", REMOTE_ADDR=address, **headers))


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("", ""),
        ("unix", ""),
    ],
)
def test_an_address_has_one_form_and_a_household_one_address(address, expected):
    assert seen(address) == expected


def test_anybody_can_write_the_header_so_it_is_not_believed():
    assert seen("192.0.2.7", HTTP_X_FORWARDED_FOR="198.51.100.1") == "192.0.2.7"


def test_behind_a_proxy_its_own_word_counts_and_not_what_it_was_handed(settings):
    settings.HTTPS = True

    assert seen("127.0.0.1", HTTP_X_FORWARDED_FOR="203.0.113.5, 198.51.100.1") == "198.51.100.1"
    assert seen("192.0.2.7") == "192.0.2.7"
