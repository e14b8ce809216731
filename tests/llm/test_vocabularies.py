"""Only a model of OpenAI is counted with its tokenizer: a guess would call itself exact."""

import pytest

from chatapp.llm.vocabularies import tokenizer_of


@pytest.mark.parametrize(
    "name",
    ["gpt-4o", "gpt-4o-mini", "gpt-4.1", "gpt-5-nano", "o1", "o3-mini", "openai/gpt-4o", "gpt-oss"],
)
def test_newer_models_have_the_newer_vocabulary(name):
    assert tokenizer_of(name) == "o200k_base"


@pytest.mark.parametrize("name", ["gpt-4", "gpt-4-turbo", "gpt-3.5-turbo", "GPT-4-0613"])
def test_older_models_have_the_older_one(name):
    assert tokenizer_of(name) == "cl100k_base"


@pytest.mark.parametrize("name", ["qwen3:8b", "llama-3.1", "o200", "olmo-2", "gemma", "", "o1x"])
def test_nothing_is_guessed_for_others(name):
    assert tokenizer_of(name) == "unknown"
