"""However a text arrives in chunks, its blocks are the same and equal the whole."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chatapp.web.blocks import BlockSplitter
from chatapp.web.markdown import render

LINES = st.sampled_from(
    [
        "",
        "",
        "  ",
        "word",
        "two *words*",
        "# heading",
        "  ## heading",
        "---",
        "***",
        "===",
        "- item",
        "* item",
        "  - inner",
        "  more",
        "   three",
        "    four",
        "\ttab",
        "1. first",
        "2. second",
        "10) tenth",
        "-",
        "> quote",
        "> - quoted item",
        "> ```",
        ">",
        "```",
        "```py",
        "````",
        "  ```",
        "   ```",
        "    ```",
        "~~~",
        "``` a`b",
        "a | b",
        "- | -",
        "|--|--|",
        "| 1 | 2 |",
        "- ```",
        "- # heading",
        "Привет **мир**",
        "你好，`世界`。",
        "<b>no</b>",
    ]
)
TEXTS = st.lists(LINES, max_size=24).map("\n".join)

ANSWER = """Here is how it works:

1. Read the file.
2. Count:

   ```python
   total = sum(1 for _ in file)

   print(total)
   ```

3. Stop.

Then a table:

| a | b |
|---|---|
| 1 | 2 |

> A quotation
> on two lines

```sh
# not a heading

make test
```
## Result
Done.
"""


def squeeze(html: str) -> str:
    return re.sub(r"\n+", "\n", html).strip()


def follow(chunks: list[str]) -> str:
    splitter = BlockSplitter()
    htmls = [html for chunk in chunks for html in splitter.feed(chunk).closed_htmls]
    return squeeze("\n".join([*htmls, render(splitter.tail)]))


@settings(max_examples=500, deadline=None)
@given(TEXTS)
@example(ANSWER)
@example("a\n2. b\n   ```\n\ntext\n")
@example("- a\n\n      code\n\nb\n")
def test_blocks_and_tail_equal_the_whole_text(text):
    assert follow([text]) == squeeze(render(text))


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.data())
def test_the_cut_into_chunks_does_not_matter(text, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    chunks = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]

    assert follow(chunks) == follow([text])


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_a_line_end_may_be_cut_in_two(line_end):
    text = ANSWER.replace("\n", line_end)

    assert follow(list(text)) == squeeze(render(ANSWER))


@pytest.mark.parametrize(
    ("text", "closed_count", "tail"),
    [
        ("# One\n", 1, ""),
        ("para\n", 0, "para\n"),
        ("para\n\nnext", 1, "next"),
        ("para\n- item\n", 1, "- item\n"),
        ("- item\n\n- item\n", 0, "- item\n\n- item\n"),
        ("- item\n\nnext\n", 1, "next\n"),
        ("para\n```py\ncode\n\n# code\n", 1, "```py\ncode\n\n# code\n"),
        ("```py\ncode\n```\n", 1, ""),
        ("|a|\n|-|\n|1|\n\n", 1, ""),
        ("> quote\n\n", 1, ""),
    ],
)
def test_a_block_closes_as_soon_as_nothing_can_change_it(text, closed_count, tail):
    splitter = BlockSplitter()

    blocks = splitter.feed(text)

    assert (len(blocks.closed_htmls), splitter.tail) == (closed_count, tail)


def test_an_open_fence_says_that_it_is_code():
    splitter = BlockSplitter()

    kinds = [splitter.feed(chunk).tail_kind for chunk in ("text\n``", "`js\nx", "\n```", "\n")]

    assert kinds == ["text", "code", "code", "text"]


@pytest.mark.parametrize(
    "text",
    [
        "- item\n" * 5_000,
        "- item\n\n" * 5_000,
        "word " * 20_000,
        "- a\n  ```\n" + "  # code\n\n" * 5_000,
        "> a\n" * 5_000,
        "a | b\n- | -\n" + "1 | 2\n" * 5_000,
        "```\n" + "# code\n\n" * 5_000,
        "x\n2. y\n" * 5_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_work_grows_with_the_text_and_not_with_its_square(monkeypatch, text):
    parsed_chars = 0
    splitter = BlockSplitter()
    count_lines = splitter._closed_lines

    def counted():
        nonlocal parsed_chars
        parsed_chars += splitter._chars
        return count_lines()

    monkeypatch.setattr(splitter, "_closed_lines", counted)
    for start in range(0, len(text), 7):
        splitter.feed(text[start : start + 7])

    # Below the free size a line may cost up to 1 KB of parsing.
    assert parsed_chars < 8 * len(text) + 1024 * 400
