"""Counting tokens without any network: exactly, or as a stated estimate."""

import pytest
import tiktoken
import tiktoken.load
import tiktoken.registry

from chatapp.llm.tokenizers import TIKTOKEN_NAMES, count_here, count_reference, encoding
from statecore.language.script_tokens import estimate
from statecore.tokens import Count

TEXTS = ["", "Hello", "Назови реку.", "伏尔加河", "👋🏽", "x" * 1_000, "<|endoftext|>"]


@pytest.mark.parametrize("name", sorted(TIKTOKEN_NAMES))
def test_a_tokenizer_at_hand_counts_exactly(name):
    coder = encoding(name)

    assert count_here(TEXTS, name) == [
        Count(len(coder.encode_ordinary(text)), "exact") for text in TEXTS
    ]


@pytest.mark.parametrize("tokenizer", ["server:elsewhere", "unknown"])
def test_an_unknown_tokenizer_is_estimated_and_says_so(tokenizer):
    counts = count_here(TEXTS, tokenizer)

    assert [count.tokens for count in counts] == [estimate(text) for text in TEXTS]
    assert {count.quality for count in counts} == {"estimated"}


def test_known_texts_have_known_counts():
    assert count_reference("") == 0
    assert count_reference("Hello") == 1
    assert count_reference("hello world") == 2


def test_what_looks_like_a_special_token_is_counted_as_text():
    assert count_reference("<|endoftext|>") > 1
    assert count_here(["<|im_start|>system"], "cl100k_base")[0].tokens > 2


def test_counts_come_in_the_order_of_the_texts():
    counts = count_here(["a b c d", "a"], "o200k_base")

    assert [count.tokens for count in counts] == [4, 1]
    assert count_here([], "o200k_base") == []


@pytest.mark.parametrize("name", sorted(TIKTOKEN_NAMES))
def test_the_ranks_are_there_without_a_network(name, settings, tmp_path, monkeypatch):
    def refuse(address):
        raise AssertionError(f"asked the network for {address}")

    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(tiktoken.load, "read_file", refuse)
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    encoding.cache_clear()
    try:
        coder = encoding(name)
    finally:
        encoding.cache_clear()

    assert coder.decode(coder.encode("Назови реку 👋")) == "Назови реку 👋"
    assert len(list((tmp_path / "ranks").iterdir())) == 1
