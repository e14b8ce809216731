"""An older result is stale once the same tool has answered the same arguments again."""

from statecore.context.staleness import stale_results
from statecore.messages import Message, ToolCall
from tests.statecore.builders import answer, result, turn, user


def asking(id_: str, call: str, arguments: str, name: str = "weather") -> Message:
    return Message(id_, "assistant", "", 0, (ToolCall(call, name, arguments),))


def stale_after(*asked: tuple[str, str], texts=("4 degrees",)) -> frozenset[str]:
    """Return what is stale after calls of a tool with these arguments, one a turn."""
    turns = [
        turn(
            depth,
            user(f"u{depth}", "?"),
            asking(f"a{depth}", f"c{depth}", arguments, name),
            result(f"r{depth}", f"c{depth}", texts[depth % len(texts)]),
        )
        for depth, (name, arguments) in enumerate(asked, start=1)
    ]
    return stale_results(turns)


def test_the_same_call_makes_the_older_result_stale():
    assert stale_after(("weather", '{"city": "Oslo"}'), ("weather", '{"city": "Oslo"}')) == {"r1"}


def test_only_the_newest_of_many_is_fresh():
    assert stale_after(*[("weather", "{}")] * 4) == {"r1", "r2", "r3"}


def test_order_and_white_space_of_arguments_do_not_matter():
    assert stale_after(("f", '{"a": 1, "b": [2]}'), ("f", '{ "b":[2],"a":1 }')) == {"r1"}


def test_no_arguments_are_an_empty_object():
    assert stale_after(("f", ""), ("f", "{}")) == {"r1"}


def test_other_arguments_or_another_tool_leave_it_fresh():
    assert stale_after(("f", '{"a": 1}'), ("f", '{"a": 2}'), ("g", '{"a": 1}')) == frozenset()


def test_the_order_of_a_list_matters():
    assert stale_after(("f", '{"a": [1, 2]}'), ("f", '{"a": [2, 1]}')) == frozenset()


def test_arguments_that_are_no_json_are_compared_as_written():
    assert stale_after(("f", "{city: Oslo"), ("f", " {city: Oslo ")) == {"r1"}


def test_a_call_without_a_result_makes_nothing_stale():
    first = turn(1, user("u1", "?"), asking("a1", "c1", "{}"), result("r1", "c1"))
    second = turn(2, user("u2", "?"), asking("a2", "c2", "{}"))
    assert stale_results((first, second)) == frozenset()


def test_call_ids_may_come_back_in_another_turn():
    turns = [
        turn(d, user(f"u{d}", "?"), asking(f"a{d}", "call_0", a), result(f"r{d}", "call_0"))
        for d, a in enumerate(('{"a": 1}', '{"a": 2}', '{"a": 1}'), start=1)
    ]
    assert stale_results(turns) == {"r1"}


def test_a_second_answer_to_one_call_counts_for_nothing():
    messages = (asking("a", "c", "{}"), result("r", "c"), result("again", "c"))
    assert stale_results([turn(1, user("u", "?"), *messages)]) == frozenset()


def test_a_result_that_nobody_asked_for_is_passed_over():
    assert (
        stale_results([turn(1, user("u", "?"), result("r", "c"), answer("a", "."))]) == frozenset()
    )
