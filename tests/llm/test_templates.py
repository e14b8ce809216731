"""The prompt templates that ship with the application."""

import hashlib
import json
from dataclasses import asdict, replace

from chatapp.llm.templates import chat_template, label_prompt
from statecore.memory.labels import LABELS

PUBLISHED = {
    ("label", 1): "a2659fedd97ee64f0e0b6910d3a8573776af23b1067f86fa08e2ecec8a0c0061",
    ("chat", 4): "5ed8eee67a07edf420e5b026789d1e34fe133a64cdd29fa58cfae51f86da5924",
    ("chat", 3): "a81b71348b0ee6388a3b0ba564ba7438e3d99b50e7f2b3d2399ec47d5f9fd2f7",
    ("chat", 2): "99d53a2b609b561ef5fc1a76b55a42953c569e5d8ca079a42ce90f6936795935",
}
"""Hash of every version that was ever stored with an attempt: its words never change again."""


def test_a_published_version_keeps_its_words():
    template = chat_template()

    assert template.hash == PUBLISHED[template.name, template.version], "make it a new version"


def test_a_text_that_came_later_leaves_the_hash_of_older_versions():
    notes = replace(chat_template().notes, preface_again="")

    before = replace(chat_template(), version=3, notes=notes)

    assert before.hash == PUBLISHED["chat", 3]


def test_every_text_of_the_template_says_something():
    template = chat_template()

    assert template.system == template.system.strip() != ""
    assert template.stopped_empty.strip()
    assert template.no_text.strip()
    assert template.cancelled_tool.strip()
    assert template.removed.strip()
    assert all(asdict(template.notes).values())


def test_the_file_is_read_once():
    assert chat_template() is chat_template()


def test_the_label_question_names_every_label_and_shows_the_sentences():
    prompt = label_prompt()

    assert all(f"{label}:" in prompt.system for label in LABELS)
    filled = prompt.user.format(before=prompt.before.format(text="b"), after="", sentences="1. s")
    assert filled.endswith("1. s")
    assert "b" in filled
    assert prompt.left_out.strip()


def test_the_words_of_the_label_question_never_change():
    prompt = label_prompt()
    words = json.dumps(asdict(prompt), ensure_ascii=False, sort_keys=True)

    published = PUBLISHED[prompt.name, prompt.version]
    assert hashlib.sha256(words.encode()).hexdigest() == published, "make it a new version"
