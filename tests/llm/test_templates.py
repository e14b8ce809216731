"""The prompt templates that ship with the application."""

from dataclasses import asdict

from chatapp.llm.templates import chat_template

PUBLISHED = {
    ("chat", 2): "b05cd5e71a68f4ac50f413c041d1be3e92d3ef270a5e350bf82b963b666a2b1f",
}
"""Hash of every version that was ever stored with an attempt: its words never change again."""


def test_a_published_version_keeps_its_words():
    template = chat_template()

    assert template.hash == PUBLISHED[template.name, template.version], "make it a new version"


def test_every_text_of_the_template_says_something():
    template = chat_template()

    assert template.system == template.system.strip() != ""
    assert template.stopped_empty.strip()
    assert template.no_text.strip()
    assert template.cancelled_tool.strip()
    assert template.removed.strip()
    assert template.notes_rule == template.notes_rule.strip() != ""
    assert all(asdict(template.notes).values())


def test_the_file_is_read_once():
    assert chat_template() is chat_template()
