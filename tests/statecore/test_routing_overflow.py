"""What providers say about a request that was too long becomes a window to plan for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.models import ModelSpec
from statecore.routing.overflow import ToldLimits, shrunk, told_limits

MODEL = ModelSpec(
    name="m",
    endpoint="http://127.0.0.1:9/v1",
    remote_name="m",
    window_tokens=32_000,
    reply_reserve_tokens=1_000,
    tokenizer="o200k_base",
)
NOTHING = ToldLimits()

SENTENCES = [
    (
        (
            "This model's maximum context length is 8192 tokens. However, your messages resulted in"
            " 10240 tokens. Please reduce the length of the messages."
        ),
        ToldLimits(window_tokens=8_192, prompt_tokens=10_240),
    ),
    (
        (
            "This model's maximum context length is 4097 tokens. However, you requested 5120 tokens"
            " (1120 in the messages, 4000 in the completion)."
        ),
        ToldLimits(window_tokens=4_097, prompt_tokens=1_120, total_tokens=5_120),
    ),
    (
        (
            "This model's maximum context length is 4,097 tokens, however you requested 4,500"
            " tokens (500 in your prompt; 4,000 for the completion)."
        ),
        ToldLimits(window_tokens=4_097, prompt_tokens=500, total_tokens=4_500),
    ),
    (
        (
            "This endpoint's maximum context length is 8192 tokens. However, you requested about"
            " 9500 tokens (8500 of text input, 1000 in the output)."
        ),
        ToldLimits(window_tokens=8_192, prompt_tokens=8_500, total_tokens=9_500),
    ),
    (
        (
            "This model's maximum context length is 4096 tokens and your request has 3500 input"
            " tokens (1024 > 4096 - 3500)."
        ),
        ToldLimits(window_tokens=4_096, prompt_tokens=3_500),
    ),
    (
        "The decoder prompt (length 40030) is longer than the maximum model length of 16384.",
        ToldLimits(window_tokens=16_384, prompt_tokens=40_030),
    ),
    (
        (
            "HTTP 400: request (40030 tokens) exceeds the available context size (16384 tokens),"
            " try increasing it"
        ),
        ToldLimits(window_tokens=16_384, prompt_tokens=40_030),
    ),
    (
        (
            "The number of tokens to keep from the initial prompt is greater than the context"
            " length (n_keep: 5000>= n_ctx: 4096)"
        ),
        ToldLimits(window_tokens=4_096, prompt_tokens=5_000),
    ),
    ("the prompt does not fit, n_ctx = 4096", ToldLimits(window_tokens=4_096)),
    (
        "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
        ToldLimits(window_tokens=4_096, prompt_tokens=5_000),
    ),
    (
        (
            "Requested token count exceeds the model's maximum context length of 4096 tokens. You"
            " requested a total of 5000 tokens: 4000 tokens from the input messages and 1000 tokens"
            " for the completion."
        ),
        ToldLimits(window_tokens=4_096, prompt_tokens=4_000, total_tokens=5_000),
    ),
    (
        "prompt is too long: 210000 tokens > 200000 maximum",
        ToldLimits(prompt_limit_tokens=200_000, prompt_tokens=210_000),
    ),
    (
        (
            "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease"
            " input length or `max_tokens` and try again"
        ),
        ToldLimits(window_tokens=200_000, prompt_tokens=190_000),
    ),
    (
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        ToldLimits(prompt_limit_tokens=1_048_576, prompt_tokens=1_200_000),
    ),
    (
        (
            "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768"
            " maximum context length"
        ),
        ToldLimits(window_tokens=32_768, prompt_tokens=40_000),
    ),
    (
        (
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given:"
            " 5000 `inputs` tokens and 500 `max_new_tokens`"
        ),
        ToldLimits(window_tokens=4_097, prompt_tokens=5_000),
    ),
    (
        "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.",
        ToldLimits(prompt_limit_tokens=4_081, prompt_tokens=5_000),
    ),
    (
        "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
        ToldLimits(prompt_limit_tokens=131_072, prompt_tokens=140_000),
    ),
    (
        "Invalid request: Your request exceeded model token limit: 8192",
        ToldLimits(window_tokens=8_192),
    ),
    ("Range of input length should be [1, 30720]", ToldLimits(prompt_limit_tokens=30_720)),
    ("输入超过了模型的最大上下文长度 8192", ToldLimits(window_tokens=8_192)),
    ("Превышен контекст модели: не более 8192 токенов", ToldLimits(window_tokens=8_192)),
    (
        "Number of input tokens must be no more than 8192, got 9136",
        ToldLimits(prompt_limit_tokens=8_192, prompt_tokens=9_136),
    ),
    (
        "the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model",
        ToldLimits(window_tokens=4_096, prompt_tokens=5_000),
    ),
    (
        "Tokens limit exceeded: 40000 > 32768",
        ToldLimits(prompt_limit_tokens=32_768, prompt_tokens=40_000),
    ),
    (
        "prompt token count of 65204 exceeds the limit of 64000",
        ToldLimits(prompt_limit_tokens=64_000, prompt_tokens=65_204),
    ),
    (
        "Input length 131393 exceeds the maximum allowed input length of 131,040 tokens.",
        ToldLimits(prompt_limit_tokens=131_040, prompt_tokens=131_393),
    ),
    (
        "Too many input tokens. Max input tokens: 128000, request input token count: 140000",
        ToldLimits(prompt_limit_tokens=128_000, prompt_tokens=140_000),
    ),
    (
        "Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)",
        ToldLimits(window_tokens=262_144, total_tokens=291_351),
    ),
    (
        "Model context window is 128k tokens, you requested 256k tokens",
        ToldLimits(window_tokens=128_000, total_tokens=256_000),
    ),
    (
        "length of prompt_tokens (65878) must be less than max_seq_len (65536).",
        ToldLimits(window_tokens=65_536, prompt_tokens=65_878),
    ),
    (
        "输入token数(5000)超过最大限制(4096)",
        ToldLimits(window_tokens=4_096, prompt_tokens=5_000),
    ),
    (
        "Количество токенов в запросе (40 000) превышает лимит модели (32 768)",
        ToldLimits(window_tokens=32_768, prompt_tokens=40_000),
    ),
    ("prompt too long; exceeded max context length by 904 tokens", ToldLimits(excess_tokens=904)),
    ("The request is 1,200 tokens too long", ToldLimits(excess_tokens=1_200)),
    ("Контекст превышен на 904 токена", ToldLimits(excess_tokens=904)),
    ("上下文超出 904 个 token", ToldLimits(excess_tokens=904)),
    (
        "maximum context length of gpt-4-32k exceeded (request id: 20250417031656450233754MDm)",
        NOTHING,
    ),
    ("the max input characters is 11200", NOTHING),
    ("text length is 349354, which is outside the range (0, 100000]", NOTHING),
    ("HTTP 400: Context size has been exceeded.", NOTHING),
    ("Input is too long for requested model.", NOTHING),
    ("Please reduce the length of the messages or completion.", NOTHING),
    ("HTTP 413: Request Entity Too Large", NOTHING),
    ("", NOTHING),
]


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES)
def test_a_provider_s_sentence_is_read(sentence, expected):
    assert told_limits(sentence) == expected


def room(model: ModelSpec) -> int:
    return model.window_tokens - model.reply_reserve_tokens


def test_the_window_that_was_named_is_planned_for():
    smaller = shrunk(MODEL, ToldLimits(window_tokens=16_384, prompt_tokens=20_000), 20_000)

    assert room(smaller) == int(0.98 * (16_384 - 1_000))
    assert smaller.reply_reserve_tokens == 1_000


def test_a_provider_that_counts_more_than_we_do_leaves_less_room():
    smaller = shrunk(MODEL, ToldLimits(window_tokens=16_384, prompt_tokens=40_000), 20_000)

    assert room(smaller) == int(0.98 * 0.5 * (16_384 - 1_000))


def test_a_provider_that_counts_less_than_we_do_leaves_no_more():
    smaller = shrunk(MODEL, ToldLimits(window_tokens=16_384, prompt_tokens=17_000), 30_000)

    assert room(smaller) == int(0.98 * (16_384 - 1_000))


def test_a_limit_of_the_input_alone_leaves_the_answer_its_own_room():
    smaller = shrunk(MODEL, ToldLimits(prompt_limit_tokens=8_000), 30_000)

    assert room(smaller) == int(0.98 * 8_000)


def test_a_small_window_keeps_three_quarters_for_the_input():
    smaller = shrunk(MODEL, ToldLimits(window_tokens=1_024), 30_000)

    assert smaller.reply_reserve_tokens == 256
    assert room(smaller) == int(0.98 * 768)


def test_without_a_figure_it_is_three_quarters_of_the_window():
    smaller = shrunk(MODEL, NOTHING, 31_000)

    assert room(smaller) == int(0.75 * 31_000)


def test_what_was_refused_is_not_sent_again_however_small_it_was():
    assert room(shrunk(MODEL, NOTHING, 4_000)) == 3_000
    assert room(shrunk(MODEL, ToldLimits(window_tokens=16_384), 4_000)) == 3_000


def test_nothing_but_the_window_and_the_reserve_changes():
    smaller = shrunk(MODEL, told_limits(SENTENCES[0][0]), 20_000)

    assert smaller.name == MODEL.name
    assert smaller.tokenizer == MODEL.tokenizer
    assert smaller.prices == MODEL.prices


def test_what_was_too_much_is_taken_off_and_is_no_window():
    smaller = shrunk(MODEL, ToldLimits(excess_tokens=904), 20_000)

    assert room(smaller) == int(0.98 * (20_000 - 1.25 * 904))


def test_more_too_much_than_was_sent_says_nothing():
    assert room(shrunk(MODEL, ToldLimits(excess_tokens=9_000), 4_000)) == 3_000


tokens = st.none() | st.integers(1, 10**12)


@given(st.builds(ToldLimits, tokens, tokens, tokens, tokens, tokens), st.integers(2, 31_000))
def test_the_room_is_always_smaller_than_what_was_sent(told, sent):
    smaller = shrunk(MODEL, told, sent)

    assert 1 <= room(smaller) < sent
    assert smaller.window_tokens < MODEL.window_tokens
    assert 0 <= smaller.reply_reserve_tokens <= MODEL.reply_reserve_tokens


@given(st.text(alphabet="0123456789,. tokens()>[]ctxmaxinput", max_size=200))
def test_any_words_can_be_read(text):
    told = told_limits(text)

    assert all(number is None or number > 0 for number in (told.window_tokens, told.prompt_tokens))
