"""Whatever a provider calls its tokens: all input, what of it came from a cache, the answer."""

import pytest

from statecore.routing.stream import ChatReader
from statecore.routing.usage import UsageSeen, timed_usage, usage_seen
from tests.support.scripted_provider.wire import event

STYLES = {
    "openai": (
        {
            "prompt_tokens": 100,
            "completion_tokens": 7,
            "prompt_tokens_details": {"cached_tokens": 64},
        },
        UsageSeen(100, 7, 64),
    ),
    "openai without a cache": (
        {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": None},
        UsageSeen(100, 7, None),
    ),
    "deepseek": (
        {
            "prompt_tokens": 100,
            "completion_tokens": 7,
            "prompt_cache_hit_tokens": 64,
            "prompt_cache_miss_tokens": 36,
        },
        UsageSeen(100, 7, 64),
    ),
    "moonshot": (
        {"prompt_tokens": 100, "completion_tokens": 7, "cached_tokens": 64},
        UsageSeen(100, 7, 64),
    ),
    "responses": (
        {"input_tokens": 100, "output_tokens": 7, "input_tokens_details": {"cached_tokens": 64}},
        UsageSeen(100, 7, 64),
    ),
    "anthropic": (
        {
            "input_tokens": 20,
            "cache_read_input_tokens": 64,
            "cache_creation_input_tokens": 16,
            "output_tokens": 7,
        },
        UsageSeen(100, 7, 64),
    ),
    "anthropic without a cache": (
        {"input_tokens": 100, "output_tokens": 7},
        UsageSeen(100, 7, None),
    ),
    "anthropic behind a gateway": (
        {"prompt_tokens": 100, "completion_tokens": 7, "cache_read_input_tokens": 64},
        UsageSeen(100, 7, 64),
    ),
    "more cached than there was": (
        {"prompt_tokens": 36, "completion_tokens": 7, "cache_read_input_tokens": 64},
        UsageSeen(100, 7, 64),
    ),
    "nothing": ({}, UsageSeen(0, 0, None)),
}


@pytest.mark.parametrize(("usage", "expected"), STYLES.values(), ids=STYLES)
def test_every_style_comes_to_the_same(usage, expected):
    assert usage_seen(usage) == expected


def test_a_server_may_be_known_to_leave_cached_tokens_out():
    usage = {
        "prompt_tokens": 80,
        "completion_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 20},
    }

    assert usage_seen(usage, cached_apart=True) == UsageSeen(100, 7, 20)
    assert usage_seen(usage) == UsageSeen(80, 7, 20)


def test_times_of_llama_cpp_say_what_was_computed_and_what_was_kept():
    timings = {"prompt_n": 36, "cache_n": 64, "predicted_n": 7, "prompt_ms": 12.5}

    assert timed_usage(timings) == UsageSeen(100, 7, 64)
    assert timed_usage({"prompt_n": 36}) == UsageSeen(36, 0, None)


@pytest.mark.parametrize("usage", [{"prompt_tokens": "many"}, {"prompt_tokens": [1]}])
def test_what_is_no_number_is_refused(usage):
    with pytest.raises((ValueError, TypeError)):
        usage_seen(usage)


def last_usage(*chunks, **options):
    reader = ChatReader(**options)
    events = [found for chunk in chunks for found in reader.feed(event(chunk))]
    return [found for found in events if isinstance(found, UsageSeen)][-1]


def test_input_told_at_the_start_and_output_at_the_end_are_one_usage():
    start = {"choices": [], "usage": {"input_tokens": 36, "cache_read_input_tokens": 64}}
    end = {"choices": [], "usage": {"output_tokens": 7}}

    assert last_usage(start, end) == UsageSeen(100, 7, 64)


@pytest.mark.parametrize("in_one", [True, False])
def test_what_llama_cpp_kept_completes_its_usage(in_one):
    timings = {"timings": {"prompt_n": 36, "cache_n": 64, "predicted_n": 7}}
    usage = {"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 7}}
    chunks = [usage | timings] if in_one else [{"choices": []} | timings, usage]

    assert last_usage(*chunks) == UsageSeen(100, 7, 64)


def test_times_alone_are_a_usage_too():
    assert last_usage({"timings": {"prompt_n": 36, "cache_n": 64, "predicted_n": 7}}) == UsageSeen(
        100, 7, 64
    )
