"""Which tokenizer a model has, as far as its name tells."""

import re
from typing import Final

UNKNOWN: Final = "unknown"
"""Of models whose tokenizer nobody here has: their texts are estimated by their scripts."""

_O200K: Final = re.compile(r"(?:gpt-(?:4o|4\.1|4\.5|[5-9]|oss)|chatgpt|o[1-9](?![0-9a-z]))")
_CL100K: Final = re.compile(r"gpt-(?:4(?![0-9.o])|3\.5|35)")


def tokenizer_of(model_name: str) -> str:
    """Return the tokenizer of OpenAI's models by their name, also behind a vendor's prefix."""
    name = model_name.lower().rsplit("/", 1)[-1]
    if _O200K.match(name):
        return "o200k_base"
    return "cl100k_base" if _CL100K.match(name) else UNKNOWN
