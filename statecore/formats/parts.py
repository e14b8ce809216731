"""Contents that may be lists of parts -> text; what is no text leaves one sentence in its place."""

from typing import Any

_TEXTS = frozenset({"text", "input_text", "output_text", "refusal", "audio_transcription"})
_NAMES = {
    "image_url": "An image",
    "input_image": "An image",
    "image_asset_pointer": "An image",
    "image": "An image",
    "input_audio": "A sound",
    "audio_asset_pointer": "A sound",
    "real_time_user_audio_video_asset_pointer": "A video",
    "video_container_asset_pointer": "A video",
    "file": "A file",
    "input_file": "A file",
}


def not_read(type_: str) -> str:
    """Return the sentence that stands for a part which is no text."""
    name = _NAMES.get(type_) or f"A part of type {type_!r}"
    return f"[{name} stands here that was not read.]"


def text_of(content: object) -> str:
    """Return the text of a content: null, a text, a part, or a list of parts.

    Raises:
        ValueError: when a part is none, or a part of text has no text; says which one.
    """
    if content is None:
        return ""
    if isinstance(content, str):
        return whole(content)
    if not isinstance(content, list):
        raise ValueError("should be a text or a list of parts")  # noqa: TRY004  # pydantic takes these
    texts = (_text(part, number) for number, part in enumerate(content, start=1))
    return whole("\n".join(text for text in texts if text))


def _text(part: Any, number: int) -> str:  # noqa: ANN401  # outside data
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        raise ValueError(f"part {number} should be a text or an object")  # noqa: TRY004  # pydantic takes these
    type_ = str(part.get("type") or part.get("content_type") or "text")
    if type_ not in _TEXTS:
        return not_read(type_)
    text = part.get("refusal" if type_ == "refusal" else "text")
    if not isinstance(text, str):
        raise ValueError(f"part {number} has no text")  # noqa: TRY004  # pydantic takes these
    return text


def whole(text: str) -> str:
    """Return a text in which nothing is half of a character: JSON may hold such, UTF-8 may not."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
