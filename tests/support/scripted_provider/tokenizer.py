"""A tokenizer that anybody can check by hand: words in pieces of four, and single marks."""

import re
import zlib
from collections.abc import Sequence
from typing import Any

PIECE = re.compile(r"\s?\w{1,4}|\s|[^\w\s]")
TOKENS_A_MESSAGE = 4
"""What a chat template adds to each message."""
VOCABULARY = 50_000


def pieces(text: str) -> list[str]:
    """Return the text cut into its tokens; joined, they are the text again."""
    return PIECE.findall(text)


def token_ids(text: str) -> list[int]:
    """Return one number for each token, the same for the same piece."""
    return [zlib.crc32(piece.encode()) % VOCABULARY for piece in pieces(text)]


def message_tokens(messages: Sequence[dict[str, Any]]) -> int:
    """Return the tokens of a whole prompt, template included."""
    return sum(TOKENS_A_MESSAGE + len(pieces(text_of(message))) for message in messages)


def text_of(message: dict[str, Any]) -> str:
    """Return the text of a message, whose content is a string or a list of parts."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)
