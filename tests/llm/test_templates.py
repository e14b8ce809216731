"""The prompt templates that ship with the application."""

from chatapp.llm.templates import chat_template

PUBLISHED = {
    ("chat", 1): "ceadbbe2933d866748e92d93e5d57c055ca86e9ddf8f2e560457d6ecf026ac5f",
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


def test_the_file_is_read_once():
    assert chat_template() is chat_template()
