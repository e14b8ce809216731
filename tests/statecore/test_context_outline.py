"""An outline says what a text is made of, and in full what the input names."""

import pytest

from statecore.context.artefacts import outline

BODY = "It holds much that nobody asked about just now, and more of the same follows after it."
PLAN = "\n\n".join(
    f"## {name}\n\n{name} begins here. {BODY}\n{BODY}\n{BODY}"
    for name in ("Budget", "Этапы", "风险")
)
CODE = """Here it is:

```python
import os

def load(path):
    with open(path) as file:
        return file.read().strip().split("separator between all of the parts")

class Store:
    def save(self, value):
        self.value = value
        return [value for value in self.value if value is not None and value != 0]

    def saved(self):
        return self.value or [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
```
"""


def test_headings_and_first_lines_stay():
    text = outline(PLAN, "Thanks")
    assert text is not None
    assert [line for line in text.split("\n") if line.startswith("#")] == [
        "## Budget",
        "## Этапы",
        "## 风险",
    ]
    assert text.count(BODY) < PLAN.count(BODY) / 2
    assert text.split("\n")[-1].startswith("[… ")


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Add a line to the budget.", "Budget"),
        ("Добавь строку в этапы.", "Этапы"),
        ("在风险里加一条", "风险"),
    ],
)
def test_a_named_heading_keeps_what_stands_below_it(asked, name):
    text = outline(PLAN, asked)
    assert text is not None
    assert f"{name} begins here. {BODY}\n{BODY}\n{BODY}" in text
    assert text.count(f"\n{BODY}\n{BODY}") == 1


def test_code_is_its_definitions_between_its_fences():
    assert outline(CODE, "Thanks").split("\n")[:-1] == [
        "Here it is:",
        "```python",
        "import os",
        "def load(path):",
        "...",
        "class Store:",
        "    def save(self, value):",
        "    ...",
        "    def saved(self):",
        "    ...",
        "```",
    ]


@pytest.mark.parametrize("asked", ["What does save return?", "修改save方法"])
def test_a_named_definition_stays_whole(asked):
    text = outline(CODE, asked)
    assert "self.value = value\n" in text
    assert "return self.value or" not in text


def test_a_quoted_part_stays_whole():
    text = outline(PLAN, f'Why do you say "{BODY[:40]}" there?'.replace("Budget", ""))
    assert text is None or BODY in text


def test_an_open_fence_is_closed():
    text = outline(CODE.rstrip().removesuffix("```"), "Thanks")
    assert text.count("```") == 2


def test_a_text_that_gains_nothing_has_no_outline():
    assert outline("One line.", "Thanks") is None


@pytest.mark.parametrize(
    "text", ["# " + " " * 100_000 + "x", "**" * 50_000, "```\n" * 30_000], ids=range(3)
)
def test_long_odd_texts_are_outlined_in_their_stride(text):
    """Anything that grows with the square of the length would not come to an end here."""
    short = outline(text, "x")
    assert short is None or len(short) < len(text)
