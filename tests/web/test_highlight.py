"""Code is coloured, and stays the code that it was."""

import html
import re

import pytest

from chatapp.web.highlight import MAX_CHARS, highlight


def plain(coloured):
    return html.unescape(re.sub(r"</?span[^>]*>", "", coloured))


@pytest.mark.parametrize(
    ("language", "code", "coloured"),
    [
        ("python", "def f(): # why", {"k": ["def"], "c": ["# why"]}),
        ("python", "x = '''a\nb''' + \"c\"", {"s": ["'''a\nb'''", '"c"']}),
        ("js", "const a = 12; // no", {"k": ["const"], "n": ["12"], "c": ["// no"]}),
        ("sql", "SELECT 'a' FROM t", {"k": ["SELECT", "FROM"], "s": ["'a'"]}),
        ("json", '{"a": true}', {"s": ['"a"'], "k": ["true"]}),
        ("bash", "echo $#; cd x # y", {"k": ["echo", "cd"], "c": ["# y"]}),
        ("html", '<a href="x">y</a>', {"k": ["<a", ">", "</a", ">"], "s": ['"x"']}),
        ("css", "a { color: red }", {"k": ["a", "color"]}),
        ("brainfuck", "def", {}),
        ("", "def", {}),
    ],
)
def test_it_colours_what_each_language_calls_by_that_name(language, code, coloured):
    found = {}
    for kind, text in re.findall(
        r'<span class="hl-(\w)">(.*?)</span>', highlight(code, language), re.DOTALL
    ):
        found.setdefault(kind, []).append(html.unescape(text))

    assert found == coloured


@pytest.mark.parametrize("language", ["python", "js", "sql", "yaml", "sh", "html", "css", "text"])
def test_it_changes_no_character(language):
    code = '<a href="b">\'c\' # d /* e */ -- f\n"g\\"h" 1.5e3 if true </a>\n\t`i` <!-- j -->'

    assert plain(highlight(code, language)) == code


def test_very_long_code_stays_plain():
    assert "<span" not in highlight("def " * MAX_CHARS, "python")
