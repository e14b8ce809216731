from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.messages import ToolCall
from statecore.replay.comparing import (
    Difference,
    Recorded,
    Replanned,
    compared,
    first_difference,
    not_planned,
    totals,
)
from statecore.requests import Request, RequestMessage, ToolDefinition

VERSION = 7


def request(*texts, model="m", reserve=100, tools=()):
    return Request(model, tuple(RequestMessage("user", text) for text in texts), reserve, tools)


def recorded(*texts, ids=("m1", "m2"), **changes):
    base = Recorded(
        "t1", 1, request(*texts), ids, tier=0, prompt_tokens=50, planner_version=VERSION
    )
    return replace(base, **changes)


def now(*texts, ids=("m1", "m2"), tier=0, tokens=50):
    return Replanned(request(*texts), ids, tier, tokens)


def test_the_same_bytes_are_the_same():
    found = compared(recorded("a", "b"), now("a", "b"), VERSION)
    assert (found.verdict, found.difference, found.unseen, found.seen_more) == (
        "same",
        None,
        (),
        (),
    )


def test_a_difference_says_where_it_begins_and_what_stands_there():
    found = compared(recorded("a", "order 4711"), now("a", "order 4712 now"), VERSION)
    assert found.verdict == "differs"
    assert found.difference == Difference(2, 9, "1", "2 now")


def test_a_message_more_or_less_is_a_difference():
    assert first_difference(request("a"), request("a", "b")) == Difference(2, 0, "", "user: b")
    assert first_difference(request("a", "b"), request("a")) == Difference(2, 0, "user: b", "")


def test_a_text_that_only_goes_on_differs_at_its_end():
    assert first_difference(request("ab"), request("abc")) == Difference(1, 2, "", "c")


def test_calls_of_tools_are_compared_too():
    call = ToolCall("c1", "lookup", '{"order":1}')
    other = ToolCall("c1", "lookup", '{"order":2}')
    one = replace(request(), messages=(RequestMessage("assistant", "", (call,)),))
    two = replace(request(), messages=(RequestMessage("assistant", "", (other,)),))
    found = first_difference(one, two)
    assert (found.message, found.offset) == (1, 0)
    assert '{"order":1}' in found.before
    assert '{"order":2}' in found.after


@pytest.mark.parametrize(
    "other",
    [
        request("a", model="n"),
        request("a", reserve=99),
        request("a", tools=(ToolDefinition("t", "", "{}"),)),
    ],
)
def test_what_surrounds_the_messages_is_compared_too(other):
    found = first_difference(request("a"), other)
    assert found.message == 0
    assert found.before != found.after


def test_what_is_no_longer_seen_and_what_is_seen_in_addition_is_named():
    found = compared(recorded("a"), now("b", ids=("m2", "m3")), VERSION)
    assert (found.unseen, found.seen_more) == (("m1",), ("m3",))


def test_another_version_of_the_planner_is_named_as_the_reason():
    found = compared(recorded("a", planner_version=VERSION - 1), now("b"), VERSION)
    assert found.verdict == "planner_changed"


def test_erased_parts_are_excused_only_where_something_was_erased():
    erased = recorded("a", is_proven=False, has_erased=True)
    assert compared(erased, now("a"), VERSION).verdict == "erased"
    assert compared(replace(erased, has_erased=False), now("a"), VERSION).verdict == "unproven"
    assert compared(erased, now("b"), VERSION).verdict == "differs"


def test_what_does_not_fit_and_what_was_never_planned_is_said():
    lost = compared(recorded("a"), None, VERSION)
    assert (lost.verdict, lost.tier_after, lost.tokens_after) == ("does_not_fit", None, None)
    assert not_planned("t", 3).verdict == "not_planned"


def test_totals_count_what_turns_come_to():
    turns = [
        compared(recorded("a"), now("a"), VERSION),
        compared(recorded("a"), now("b", ids=("m1",), tier=2, tokens=20), VERSION),
        compared(recorded("a", is_proven=False, has_erased=True), now("a"), VERSION),
        compared(recorded("a"), None, VERSION),
        not_planned("t9", 9),
    ]
    found = totals([replace(turn, turn_id=f"t{n}") for n, turn in enumerate(turns, start=1)])
    assert (found.turns, found.same, found.erased, found.differing) == (5, 1, 1, 3)
    assert found.first_differing == "t2"
    assert (found.tokens_before, found.tokens_after) == (150, 120)
    assert (found.less_told, found.unseen, found.seen_more) == (1, 1, 0)
    assert found.tiers_before == {0: 4}
    assert found.tiers_after == {0: 2, 2: 1}


TEXTS = st.lists(st.text("abc", max_size=5), max_size=4)


@given(TEXTS, TEXTS)
def test_two_requests_differ_exactly_where_their_messages_do(one, other):
    found = first_difference(request(*one), request(*other))
    if one == other:
        assert found is None
        return
    at = found.message - 1
    assert one[:at] == other[:at]
    assert one[at : at + 1] != other[at : at + 1]
    if at < min(len(one), len(other)):
        assert one[at][: found.offset] == other[at][: found.offset]
