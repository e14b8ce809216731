"""Markdown of models and people as HTML that cannot do anything.

Two walls: the parser knows no HTML and no other link than http, https and mailto; what it
writes then passes a cleaner that lets only known tags and attributes through. Images become
links, because loading one would tell its host who reads what.
"""

import re
from collections.abc import Sequence

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import table as table_rule
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from chatapp.web.highlight import highlight

MAX_TABLE_COLUMNS = 32
"""Missing cells are filled in: without a limit a few characters make a million cells."""

_ALLOWED_LINK = re.compile(r"(?:https?://|mailto:)[^\s]", re.IGNORECASE)
_BARE_LINK = re.compile(r"https?://[^\s<>\"'`（）【】，。；！？、]+", re.IGNORECASE)
_AFTER_LINK = ".,:;!?*_~"
_LANGUAGE = re.compile(r"[\w+#.-]{1,24}")
_DIRECTED = frozenset(
    ["paragraph_open", "heading_open", "list_item_open", "blockquote_open", "th_open", "td_open"]
)
_HEADING_SHIFT = 2  # h1 is the conversation, h2 the turn

_TEXT_TAGS = "p h3 h4 h5 h6 li blockquote th td"
_ATTRIBUTES: dict[str, set[str]] = {
    **{tag: {"dir"} for tag in _TEXT_TAGS.split()},
    "th": {"dir", "class"},
    "td": {"dir", "class"},
    "a": {"href"},
    "ol": {"start"},
    "div": {"class", "tabindex"},
    "pre": {"tabindex"},
    "span": {"class"},
    "button": {"class", "type", "data-copy"},
}
_CLEANER = nh3.Cleaner(
    tags={
        *_ATTRIBUTES,
        *["br", "code", "em", "hr", "s", "strong", "table", "tbody", "thead", "tr", "ul"],
    },
    attributes=_ATTRIBUTES,
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
    set_tag_attribute_values={"a": {"target": "_blank"}},
)


def render(text: str) -> SafeString:
    """Return Markdown as HTML that is safe in a page, whatever was written."""
    return SafeString(_CLEANER.clean(_MARKDOWN.render(text)))


def make_parser() -> MarkdownIt:
    """Return a parser with the dialect of this application."""
    markdown = MarkdownIt("commonmark", {"html": False, "breaks": True})
    markdown.enable(["table", "strikethrough"])
    markdown.validateLink = _is_allowed_link  # type: ignore[method-assign]
    markdown.block.ruler.at("table", _narrow_table, {"alt": ["paragraph", "reference"]})
    markdown.inline.ruler.before("link", "lone_bracket", _lone_bracket)
    markdown.core.ruler.push("bare_links", _bare_links)
    markdown.core.ruler.push("images_as_links", _images_as_links)
    markdown.core.ruler.push("dress_blocks", _dress_blocks)
    for name, rule in (
        ("fence", _render_code),
        ("code_block", _render_code),
        ("table_open", _render_table_open),
        ("table_close", _render_table_close),
    ):
        markdown.add_render_rule(name, rule)
    return markdown


def _is_allowed_link(url: str) -> bool:
    return _ALLOWED_LINK.match(url) is not None


def _narrow_table(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
    header = state.src[state.bMarks[start_line] : state.eMarks[start_line]]
    if header.count("|") > MAX_TABLE_COLUMNS:
        return False
    return table_rule(state, start_line, end_line, silent)


def _lone_bracket(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
    """Take brackets that nothing closes as text at once; looking for their end costs most."""
    opening = 2 if state.src.startswith("![", state.pos) else 1
    if state.src[state.pos + opening - 1] != "[":
        return False
    last = state.env.get("last_bracket")
    if last is None or last[0] is not state.src:
        last = state.env["last_bracket"] = (state.src, state.src.rfind("]"))
    if state.pos < last[1]:
        return False
    if not silent:
        state.pending += state.src[state.pos : state.pos + opening]
    state.pos += opening
    return True


def _inline_tokens(state: StateCore) -> list[Token]:
    return [token for token in state.tokens if token.type == "inline" and token.children]


def _bare_links(state: StateCore) -> None:
    for token in _inline_tokens(state):
        if "://" not in token.content:
            continue
        children: list[Token] = []
        inside_link = 0
        for child in token.children or ():
            inside_link += child.nesting if child.type.startswith("link_") else 0
            if child.type == "text" and not inside_link:
                children.extend(_with_links(child))
            else:
                children.append(child)
        token.children = children


def _with_links(token: Token) -> list[Token]:
    pieces: list[Token] = []
    end = 0
    for match in _BARE_LINK.finditer(token.content):
        url = match.group().rstrip(_AFTER_LINK)
        if url.endswith(")") and "(" not in url:
            url = url.rstrip(")" + _AFTER_LINK)
        pieces.append(_text(token.content[end : match.start()]))
        pieces.extend(_link(url, url))
        end = match.start() + len(url)
    pieces.append(_text(token.content[end:]))
    return pieces


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _link(url: str, label: str) -> list[Token]:
    opening = Token("link_open", "a", 1, attrs={"href": url})
    return [opening, _text(label), Token("link_close", "a", -1)]


def _images_as_links(state: StateCore) -> None:
    for token in _inline_tokens(state):
        children: list[Token] = []
        inside_link = 0
        for child in token.children or ():
            inside_link += child.nesting if child.type.startswith("link_") else 0
            if child.type != "image":
                children.append(child)
                continue
            source = str(child.attrs.get("src", ""))
            label = _plain(child.children or ()) or source
            children.extend([_text(label)] if inside_link else _link(source, label))
        token.children = children


def _plain(tokens: Sequence[Token]) -> str:
    return "".join(token.content for token in tokens if token.type in {"text", "code_inline"})


def _dress_blocks(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in _DIRECTED:
            token.attrSet("dir", "auto")
        if token.type.startswith("heading_"):
            token.tag = f"h{min(6, int(token.tag[1:]) + _HEADING_SHIFT)}"
        align = token.attrs.pop("style", None)
        if align is not None:
            # The policy of the page refuses style attributes.
            token.attrSet("class", str(align).replace("text-align:", "align-"))


def _render_code(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    _env: object,
) -> str:
    token = tokens[index]
    words = token.info.split(maxsplit=1)
    language = words[0] if words and _LANGUAGE.fullmatch(words[0]) else ""
    return (
        '<div class="code"><div class="code-head">'
        f'<span class="code-language">{escape(language or gettext("Code"))}</span>'
        f'<button type="button" class="code-copy" data-copy="">{escape(gettext("Copy"))}</button>'
        f'</div><pre tabindex="0"><code>{highlight(token.content, language)}</code></pre></div>\n'
    )


def _render_table_open(*_: object) -> str:
    return '<div class="table" tabindex="0"><table>'


def _render_table_close(*_: object) -> str:
    return "</table></div>\n"


_MARKDOWN = make_parser()
