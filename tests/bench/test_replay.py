"""A replay holds before each turn what the application would hold."""

from bench.dialogues import Dialogue, Pair
from bench.replay import Replay, request_tokens, spec
from statecore.context.plan import ContextPlan

LINE = "The tram to the harbour goes every ten minutes from the square. "


def replay(*pairs: tuple[str, str]) -> Replay:
    return Replay(Dialogue("s", "d", tuple(Pair(*pair) for pair in pairs)))


def test_the_state_before_a_turn_has_what_came_before():
    state = replay(("One", "1"), ("Two", "2"), ("Three", "3")).state(2, 8_192)
    assert [message.text for turn in state.turns for message in turn.messages] == [
        *("One", "1", "Two", "2")
    ]
    assert state.input.text == "Three"


def test_memory_knows_nothing_of_the_turn_to_come():
    told = replay(("Never call me after eight.", "Fine."), ("Hello.", "Hello."))
    assert told.memory(0).entries == ()
    assert [entry.text for entry in told.memory(1).entries] == ["Never call me after eight."]


def test_turns_that_cannot_be_sent_are_not_read():
    long = replay(*[(LINE * 10, LINE * 10)] * 30)
    state = long.state(29, 2_048)
    assert 0 < len(state.turns) < 29
    assert state.earlier_turns + len(state.turns) == 29
    assert state.earlier_tokens + sum(long.tokens[state.earlier_turns : 29]) == sum(
        long.tokens[:29]
    )
    assert len(long.state(29, 131_072).turns) == 29


def test_tokens_of_a_plan_are_those_of_its_request():
    for number, plan in replay(*[(LINE * 3, LINE * 3)] * 25).walk(spec(1_024), range(25)):
        assert isinstance(plan, ContextPlan), number
        assert plan.prompt_tokens == request_tokens(plan.request)


def test_plans_follow_each_other():
    starts = [
        plan.window_start_depth
        for _, plan in replay(*[(LINE, LINE)] * 40).walk(spec(1_024), range(40))
    ]
    assert starts == sorted(starts)
    assert len(set(starts)) < 20
