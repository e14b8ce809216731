"""The bench of contexts counts what it says."""

import pytest

from bench.context_data import _walk, common_tokens, folded, full_tokens, is_in, measured
from bench.context_tables import Kept, Prefix, Saved, part
from bench.context_walk import SLICE
from bench.dialogues import Dialogue, Pair
from bench.replay import Replay, request_tokens
from statecore.requests import Request, RequestMessage


def request(*texts: str) -> Request:
    return Request("m", tuple(RequestMessage("user", text) for text in texts), 10)


@pytest.mark.parametrize(
    ("gold", "text", "found"),
    [
        (("Los Angeles", "LA"), "a flight to los  angeles", True),
        (("Los Angeles", "LA"), "a flight to LA, please", True),
        (("LA",), "a flight to Lagos", False),
        (("2",), "2 tickets", True),
        (("2",), "12 tickets", False),
    ],
)
def test_a_value_is_found_in_any_spelling_as_whole_words(gold, text, found):
    assert is_in(gold, folded(text)) == found


def test_what_two_requests_begin_with_is_counted():
    before = request("Be brief.", "Where is the museum?", "notes: one")
    assert common_tokens(before, before) == request_tokens(before) - 3
    longer = request("Be brief.", "Where is the museum?", "It is closed.", "notes: one")
    same = request_tokens(request("Be brief.", "Where is the museum?")) - 3
    assert common_tokens(before, longer) == same
    assert common_tokens(request("Other."), before) == 0


def test_the_begin_of_a_changed_message_counts():
    before, after = request("one two three four"), request("one two three five")
    assert 0 < common_tokens(before, after) < request_tokens(after) - 3


def test_every_table_comes_of_the_slice(monkeypatch):
    monkeypatch.setattr("bench.context_data.JOINED_TURNS", 30)
    text = measured(SLICE)
    assert "| longmemeval, sessions joined | 32,768 | 1 |" in text
    assert "| 2,048 | sliding window, same tokens |" in text
    assert text.count("| sgd | ") == 3


def test_aims_are_said_to_be_met_or_missed():
    text = part(
        [Saved("a", 8_192, 1, 10, 1_000, 300, has_aim=True)],
        [Kept(2_048, "elastic", requests=2, tokens=900, here=100, here_kept=94, ever=10)],
        [Prefix("a", 8_192, 0.01, 0.8), Prefix("b", 2_048, 0.03, 0.8)],
    )
    assert "| a | 8,192 | 1 | 10 | 100 | 30 | **70%** | met |" in text
    assert "| 2,048 | elastic | 450 | 94 of 100 | **94.0%** | missed | 0.0% |" in text
    assert "| a | 8,192 | 1.0% | **80%** | met |" in text
    assert "| b | 2,048 | 3.0% | **80%** | - |" in text


def test_the_full_history_grows_by_each_turn():
    walked = _walk(Replay(Dialogue("s", "d", (Pair("One", "1"), Pair("Two", "2")))), 8_192)
    assert list(full_tokens(walked)) == [plan.prompt_tokens for plan in walked.plans]
