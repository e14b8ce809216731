"""The language of a socket is that of its page."""

import pytest

from chatapp.web.language import language_of


@pytest.mark.parametrize(
    ("headers", "cookies", "language"),
    [
        ([], {}, "en"),
        ([(b"accept-language", b"ru,en;q=0.5")], {}, "ru"),
        ([(b"accept-language", b"zh-CN")], {}, "zh-hans"),
        ([(b"accept-language", b"tlh")], {}, "en"),
        ([(b"accept-language", b"\xff\xfe")], {}, "en"),
        ([(b"accept-language", b"ru")], {"django_language": "zh-hans"}, "zh-hans"),
        ([(b"accept-language", b"ru")], {"django_language": "tlh"}, "ru"),
    ],
)
def test_the_cookie_comes_before_the_browser_s_wish(headers, cookies, language):
    assert language_of({"headers": headers, "cookies": cookies}) == language


def test_a_scope_that_says_nothing_has_the_default():
    assert language_of({}) == "en"
