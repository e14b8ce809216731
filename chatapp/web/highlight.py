"""Colours code in linear time: comments, strings, numbers and keywords, by family of language.

It is one regular expression a family, without nested repetition, so that hostile code cannot
make it slow. It colours; it does not parse.
"""

import re
from collections.abc import Iterable
from functools import cache

from django.utils.html import escape

MAX_CHARS = 20_000
"""Longer code stays plain: nobody reads colours in it, and the page stays light."""

_NUMBER = r"\b\d[\w.]*"
_DOUBLE = r'"(?:\\.|[^"\\\n])*"?'
_SINGLE = r"'(?:\\.|[^'\\\n])*'?"
_HASH = r"#[^\n]*"
_SLASHES = r"//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?"

_C_WORDS = """break case catch class const continue default do else enum export extends final
    finally for from function if implements import in instanceof interface let new null package
    private protected public return static struct super switch this throw throws try typeof union
    using var void while with yield async await true false int long float double char bool boolean
    string byte fn impl match mod mut pub ref self trait type use where loop crate func go defer
    map chan range select namespace template virtual override val fun when object data nil"""
_PYTHON_WORDS = """and as assert async await break case class continue def del elif else except
    False finally for from global if import in is lambda match None nonlocal not or pass raise
    return True try type while with yield self cls"""
_SHELL_WORDS = """if then else elif fi for while do done case esac in function return export local
    echo cd exit set source sudo read test true false"""
_SQL_WORDS = """select from where insert into values update set delete create table alter drop
    index view join left right inner outer full on and or not null is in like between order by
    group having limit offset union all distinct as case when then else end primary key foreign
    references default unique constraint begin commit rollback with recursive returning exists"""
_DATA_WORDS = "true false null yes no on off"

_FAMILIES: dict[str, tuple[tuple[str, ...], str, bool]] = {
    # family: (patterns in order of preference, keywords, keywords ignore case)
    "c": ((_SLASHES, r"`(?:\\.|[^`\\])*`?", _DOUBLE, _SINGLE), _C_WORDS, False),
    "python": (
        (_HASH, r'"""(?:[^"]|"(?!""))*(?:""")?', r"'''(?:[^']|'(?!''))*(?:''')?", _DOUBLE, _SINGLE),
        _PYTHON_WORDS,
        False,
    ),
    "shell": ((r"(?<![\w$])#[^\n]*", _DOUBLE, r"'[^']*'?"), _SHELL_WORDS, False),
    "sql": ((r"--[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?", r"'[^']*'?", _DOUBLE), _SQL_WORDS, True),
    "data": ((r"(?<!\S)#[^\n]*", _DOUBLE, _SINGLE), _DATA_WORDS, True),
    "markup": ((r"<!--(?:[^-]|-(?!->))*(?:-->)?", _DOUBLE, _SINGLE), "", False),
    "css": ((r"/\*(?:[^*]|\*(?!/))*(?:\*/)?", _DOUBLE, _SINGLE), "", False),
}
_NAMES = {
    "c": "c cpp c++ cs csharp dart go golang java js javascript jsx kotlin php rs rust scala "
    "swift ts tsx typescript",
    "python": "py python python3 rb ruby",
    "shell": "bash console dockerfile makefile sh shell zsh",
    "sql": "mysql postgresql sql sqlite",
    "data": "ini json toml yaml yml",
    "markup": "html svg xml",
    "css": "css less scss",
}
_LANGUAGES = {name: family for family, names in _NAMES.items() for name in names.split()}


@cache
def _pattern(family: str) -> re.Pattern[str]:
    patterns, words, ignore_case = _FAMILIES[family]
    comment, *strings = patterns
    groups = [f"(?P<c>{comment})", f"(?P<s>{'|'.join(strings)})", f"(?P<n>{_NUMBER})"]
    if family == "markup":
        groups.append(r"(?P<k></?[A-Za-z][\w:-]*|/?>)")
    elif family == "css":
        groups.append(r"(?P<k>[@.#]?[A-Za-z-]+(?=\s{0,4}[:{]))")
    if words:
        groups.append(rf"(?P<k>\b(?:{'|'.join(words.split())})\b)")
    return re.compile("|".join(groups), re.IGNORECASE if ignore_case else 0)


def highlight(code: str, language: str) -> str:
    """Return the code as HTML, with `span` elements around what is worth a colour.

    Args:
        code: Anything; it is escaped here.
        language: Name as written after a code fence; unknown names give plain code.
    """
    family = _LANGUAGES.get(language.lower())
    if family is None or len(code) > MAX_CHARS:
        return escape(code)
    return "".join(_pieces(code, _pattern(family)))


def _pieces(code: str, pattern: re.Pattern[str]) -> Iterable[str]:
    end = 0
    for match in pattern.finditer(code):
        yield escape(code[end : match.start()])
        yield f'<span class="hl-{match.lastgroup}">{escape(match.group())}</span>'
        end = match.end()
    yield escape(code[end:])
