"""The walk plans along every dialogue, and names the first plan that breaks."""

import pytest

from bench import context_walk
from bench.context_walk import SLICE, Broken, spread, walked
from bench.dialogues import Dialogue, Pair, read_all, whole
from bench.replay import Replay, request_tokens, spec
from statecore.context.plan import ContextPlan, DoesNotFit

WINDOWS = (768, 2_048, 8_192, 32_768)


def test_no_plan_of_the_slice_overflows_or_fails():
    counts = walked(SLICE, WINDOWS)
    tiers = {what for _, _, what in counts}
    assert {"tier 0", "tier 2", "tier 3"} <= tiers
    assert sum(counts.values()) > 400


def test_a_long_conversation_walks_through_all_tiers():
    dialogues = list(read_all(SLICE))
    replay = Replay(whole("all", dialogues * 3))
    model = spec(32_768)
    plans = [plan for _, plan in replay.walk(model, spread(len(replay), 12))]
    assert all(isinstance(plan, ContextPlan) for plan in plans)
    assert {plan.tier for plan in plans} == {0, 1, 2}
    for plan in plans:
        tokens = request_tokens(plan.request) + model.reply_reserve_tokens
        assert plan.prompt_tokens == request_tokens(plan.request)
        assert tokens <= 0.9 * model.window_tokens


@pytest.mark.parametrize(
    ("turns", "most", "expected"),
    [(0, 5, []), (3, 5, [0, 1, 2]), (10, 5, [1, 3, 5, 7, 9]), (11, 5, [1, 4, 7, 10])],
)
def test_the_last_turn_is_among_those_that_are_planned(turns, most, expected):
    assert spread(turns, most) == expected


def test_a_plan_that_overflows_is_named(monkeypatch):
    monkeypatch.setattr(context_walk, "request_tokens", lambda request: 10_000_000)
    with pytest.raises(Broken, match=r"window of 2048 tokens, turn \d+: \d+ tokens in a window"):
        walked(SLICE, (2_048,))


def test_a_plan_that_fails_is_named(monkeypatch):
    def failing(self, number, *_):
        raise KeyError(number)

    monkeypatch.setattr(Replay, "plan", failing)
    with pytest.raises(Broken, match=r"turn \d+: KeyError"):
        walked(SLICE, (2_048,))


def test_an_input_that_cannot_fit_may_be_refused():
    replay = Replay(Dialogue("s", "d", (Pair("word " * 4_000, ""),)))
    outcome = replay.plan(0, spec(2_048), None)
    assert isinstance(outcome, DoesNotFit)
    assert context_walk._fault(outcome, spec(2_048), replay, 0) == ""


def test_a_refusal_without_need_is_a_fault():
    replay = Replay(Dialogue("s", "d", (Pair("A few words.", ""),)))
    refused = DoesNotFit((), needed_tokens=9_999, window_tokens=2_048)
    assert "would do" in context_walk._fault(refused, spec(2_048), replay, 0)


def test_a_folder_without_data_ends_with_an_error(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        context_walk.main(["--data", str(tmp_path)])
    assert ended.value.code == 1
    assert "No data set lies in" in capsys.readouterr().out
