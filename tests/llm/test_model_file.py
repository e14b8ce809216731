import tomllib
from pathlib import Path

import pytest

from chatapp.llm.model_file import ModelsFileError, format_models, parse_models, read_models

ENTRY = """
[[models]]
name = "one"
endpoint = "https://models.example.org/v1/"
window_tokens = 8192
reply_reserve_tokens = 1024
"""
LOCAL = """
[[models]]
name = "near"
local = true
tokenizer = "server"
window_tokens = 4096
reply_reserve_tokens = 512
fallback_order = -1
"""


def parse(text):
    return parse_models(tomllib.loads(text), "models.toml")


def refusal(text):
    with pytest.raises(ModelsFileError) as caught:
        parse(text)
    return str(caught.value)


def test_an_entry_needs_little():
    (spec,) = parse(ENTRY)
    assert (spec.name, spec.remote_name) == ("one", "one")
    assert spec.endpoint == "https://models.example.org/v1"
    assert (spec.tokenizer, spec.role_style, spec.key_variable) == ("unknown", "system", "")
    assert (spec.prices.input_usd, spec.local, spec.for_memory) == (None, False, True)
    assert spec.state_role == "system"


def test_a_model_of_openai_is_known_by_its_name():
    (spec,) = parse(ENTRY + 'remote_name = "gpt-4.1-mini"\n')
    assert spec.tokenizer == "o200k_base"


def test_models_come_in_fallback_order():
    assert [spec.name for spec in parse(ENTRY + LOCAL)] == ["near", "one"]


def test_models_of_one_place_keep_the_order_of_the_file():
    assert [spec.name for spec in parse(ENTRY + ENTRY.replace("one", "two"))] == ["one", "two"]


def test_a_tokenizer_of_the_server_counts_under_the_models_name():
    assert parse(LOCAL)[0].tokenizer == "server:near"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("colour = 'red'", "entry 1 (one), colour: there is no such field."),
        ("role_style = 'boss'", "entry 1 (one), role_style: "),
        ("state_role = 'assistant'", "entry 1 (one), state_role: "),
        ("for_memory = 'yes'", "entry 1 (one), for_memory: "),
        ("abilities = ['flying']", "entry 1 (one), abilities.0: "),
        ("tokenizer = 'gpt2'", "entry 1 (one), tokenizer: "),
        ("local = true", "endpoint must not be set for a local model"),
        ("key_variable = 'sk-12345'", "entry 1 (one), key_variable: "),
        ("limits.silence_ms = 0", "entry 1 (one), limits.silence_ms: "),
        ("prices.input_usd = -1.0", "entry 1 (one), prices.input_usd: "),
    ],
)
def test_a_mistake_is_named_by_entry_and_field(line, words):
    message = refusal(f"{ENTRY}{line}\n")
    assert words in message
    assert message.startswith("models.toml, entry 1")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("window_tokens = 8192", "", "window_tokens: is missing."),
        ("window_tokens = 8192", "window_tokens = 8192.5", "window_tokens: "),
        ("window_tokens = 8192", "window_tokens = 100", "window_tokens: "),
        ("window_tokens = 8192", "window_tokens = 1000", "less than window_tokens."),
        ('"https://models.example.org/v1/"', '"models.example.org"', "begins with http:// or"),
        ('"https://models.example.org/v1/"', '""', "endpoint is missing"),
        ("https://", "https://user:s3cret@", "name its variable in key_variable"),
        ('name = "one"', 'name = " "', "entry 1"),
    ],
)
def test_a_value_that_cannot_be_is_named(old, new, words):
    message = refusal(ENTRY.replace(old, new))
    assert words in message
    assert "s3cret" not in message


def test_a_name_stands_for_one_model():
    assert "'one' stands for more than one model" in refusal(ENTRY + ENTRY)


@pytest.mark.parametrize("text", ["", "models = []", "models = 1", "[other]", ENTRY + "[other]"])
def test_a_file_holds_models_and_nothing_else(text):
    assert "must hold [[models]] tables and nothing else" in refusal(text)


def test_an_entry_that_is_no_table_is_named():
    assert refusal("models = ['one']").startswith("models.toml, entry 1: ")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ModelsFileError, match=r"none\.toml cannot be read"):
        read_models(tmp_path / "none.toml")


def test_a_file_that_is_no_toml_is_named_with_its_line(tmp_path):
    (tmp_path / "bad.toml").write_text("[[models]]\nname = \n")
    with pytest.raises(ModelsFileError, match=r"bad\.toml is not valid TOML: .*line 2"):
        read_models(tmp_path / "bad.toml")


def test_what_is_written_reads_back_as_the_same_models():
    full = f"""{ENTRY}
remote_name = 'org/one "quoted"'
key_variable = "ONE_KEY"
abilities = ["vision", "tools"]
languages = ["en", "ru"]
expect = "Сойдёт."
prices.input_usd = 0.4
limits.prefill_tokens_per_s = 40.0
"""
    models = parse(full + LOCAL)
    assert parse(format_models(models)) == models


def test_the_file_of_the_repository_has_two_local_models():
    models = read_models(Path(__file__).parents[2] / "models.toml")
    assert [spec.name for spec in models] == ["qwen2.5-coder-1.5b", "smollm2-135m"]
    assert [spec.for_memory for spec in models] == [True, False]
    assert [spec.languages for spec in models] == [("en", "ru", "zh"), ("en",)]
    assert all(spec.local for spec in models)


def test_every_example_in_the_file_of_the_repository_is_valid():
    text = (Path(__file__).parents[2] / "models.toml").read_text()
    _, *examples = text.split("# [[models]]\n")
    assert examples
    for example in examples:
        lines = [line[2:] for line in example.splitlines() if line.startswith("# ")]
        fields = [line for line in lines if "=" in line or line.startswith("[")]
        parse("\n".join(["[[models]]", *fields]))
