"""A content of several parts becomes one text, and what is no text leaves a sentence."""

import pytest

from statecore.formats.parts import text_of, whole

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("Hello", "Hello"),
        ([], ""),
        (["Hello", "there"], "Hello\nthere"),
        (
            [{"type": "text", "text": "Hello"}, {"type": "input_text", "text": "there"}],
            "Hello\nthere",
        ),
        ([{"type": "refusal", "refusal": "I cannot."}], "I cannot."),
        (
            [{"type": "text", "text": "See:"}, IMAGE],
            "See:\n[An image stands here that was not read.]",
        ),
        ([{"content_type": "image_asset_pointer"}], "[An image stands here that was not read.]"),
        ([{"type": "input_audio"}], "[A sound stands here that was not read.]"),
        ([{"type": "hologram"}], "[A part of type 'hologram' stands here that was not read.]"),
    ],
)
def test_parts_become_one_text(content, text):
    assert text_of(content) == text


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (5, "should be a text or a list of parts"),
        (["Hello", 5], "part 2 should be a text or an object"),
        ([{"type": "text"}], "part 1 has no text"),
        ([{"type": "text", "text": 5}], "part 1 has no text"),
    ],
)
def test_what_is_no_content_is_named(content, sentence):
    with pytest.raises(ValueError, match=sentence):
        text_of(content)


def test_half_a_character_is_replaced_and_two_halves_are_joined():
    assert whole("a\ud83db") == "a\ufffdb"
    assert whole("\ud83d\udc4b") == "👋"
    assert whole("你好") == "你好"
