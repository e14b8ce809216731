"""One input on one path, planned under every strategy side by side."""

from dataclasses import replace

import pytest

from chatapp.access import conversation_for, owner_of
from chatapp.models import Attempt, TokenCount, Turn
from chatapp.services import windows
from chatapp.services.comparing import (
    CompareInput,
    Comparison,
    NothingToCompare,
    compare,
)
from chatapp.services.conversations import conversation_create
from chatapp.services.memory import memory_add
from chatapp.services.outcomes import TextNeeded
from statecore.routing.windows import LearnedWindow
from statecore.tokens import Count
from tests.support.long_path import long_path
from tests.support.people import MODEL, accept, branch_of, new_process, prepare, say
from tests.support.remembering import learn

pytestmark = pytest.mark.django_db

LARGE = replace(MODEL, window_tokens=128_000)
UNKNOWN = replace(MODEL, name="unknown", tokenizer="unknown", window_tokens=1_500)
NARROW = replace(MODEL, window_tokens=1_500, reply_reserve_tokens=100)
ELSEWHERE = replace(MODEL, name="elsewhere", tokenizer="server:elsewhere")
NAMES = ["full", "sliding", "summary", "elastic"]


def compared(access, model=MODEL, **what):
    return compare(access, CompareInput(model, branch_of(access).id, **what), fresh={})


def by_name(comparison):
    assert isinstance(comparison, Comparison)
    return {row.strategy.name: row for row in comparison.rows}


@pytest.fixture
def long(cast):
    """Twenty turns, of which a narrow window holds a few; the first is a rule."""
    process = new_process()
    learn(cast.access, say(cast.access, "Never book a night train.", "Fine.", process), "rule")
    for number in range(19):
        words = f"Tell me of day {number}. " + "river " * 40
        learn(cast.access, say(cast.access, words, "water " * 40, process), "fact")
    return cast.access


def test_the_strategies_stand_in_order(long):
    assert [row.strategy.name for row in compared(long).rows] == NAMES


def test_a_path_that_fits_is_the_same_whole_or_elastic(long):
    rows = by_name(compared(long, LARGE))

    full, elastic = rows["full"], rows["elastic"]
    assert full.plan.request == elastic.plan.request
    assert (full.turns_sent, full.messages_sent, full.messages_left_out) == (19, 38, 0)
    assert full.missing == elastic.missing == ()
    assert rows["summary"].messages_sent == 0
    assert rows["summary"].messages_left_out == 38


def test_the_newest_input_is_planned_as_its_path_was_then(long):
    newest = Turn.objects.order_by("-depth").first()

    comparison = compared(long)

    assert comparison.turn_id == newest.id
    assert comparison.input_text.startswith("Tell me of day 18.")
    full = by_name(compared(long, LARGE))["full"]
    assert full.plan.request.messages[-1].text == comparison.input_text
    assert not any(comparison.input_text in m.text for m in full.plan.request.messages[:-1])


def test_an_older_turn_can_be_looked_at(long):
    third = Turn.objects.get(depth=3)

    rows = by_name(compared(long, LARGE, turn_id=third.id))

    assert rows["full"].turns_sent == 2


def test_what_a_person_did_later_does_not_count_for_an_older_turn(long):
    newest = Turn.objects.order_by("-depth").first()
    process = new_process()
    prepare(accept(long, "And now?", process).turn_id, process, NARROW)
    memory_add(long, "rule", "My name is Ada.")

    def told(**what):
        return "".join(
            m.text for m in by_name(compared(long, NARROW, **what))["elastic"].plan.request.messages
        )

    assert "My name is Ada." in told(text="Which train?")
    assert "My name is Ada." not in told(turn_id=newest.id)
    assert "My name is Ada." not in told()


def test_a_typed_text_is_planned_at_the_end_of_the_path(long):
    comparison = compared(long, LARGE, text="Which train?")

    assert (comparison.turn_id, comparison.input_text) == (None, "Which train?")
    assert by_name(comparison)["full"].turns_sent == 20


def test_the_sliding_window_gets_the_tokens_of_the_elastic_plan(long):
    for model in (NARROW, MODEL, replace(NARROW, tokenizer="cl100k_base"), UNKNOWN):
        rows = by_name(compared(long, model))

        sliding, elastic = rows["sliding"], rows["elastic"]
        assert sliding.strategy.prompt_tokens == elastic.prompt_tokens
        assert 0 < sliding.prompt_tokens <= elastic.prompt_tokens


@pytest.mark.parametrize("tokenizer", ["o200k_base", "cl100k_base"])
def test_a_full_history_that_does_not_fit_is_counted_as_well_as_one_that_does(long, tokenizer):
    narrow = replace(NARROW, tokenizer=tokenizer)
    wide = replace(LARGE, tokenizer=tokenizer)

    full = by_name(compared(long, narrow))["full"]

    assert (full.plan, full.quality) == (None, "exact")
    assert full.prompt_tokens == by_name(compared(long, wide))["full"].prompt_tokens


def test_what_is_not_exact_is_not_called_so(long):
    full = by_name(compared(long, replace(UNKNOWN, window_tokens=1_000)))["full"]

    assert (full.plan, full.quality) == (None, "estimated")


@pytest.mark.parametrize("tokenizer", ["o200k_base", "cl100k_base", "unknown"])
def test_the_whole_history_is_as_large_in_the_account_of_elastic_as_by_itself(long, tokenizer):
    rows = by_name(compared(long, replace(NARROW, tokenizer=tokenizer)))

    full, elastic = rows["full"], rows["elastic"]
    assert elastic.plan.dropped_turns > 0
    assert elastic.plan.rho_full == pytest.approx(full.rho, rel=0.02)
    if tokenizer == "o200k_base":
        assert elastic.plan.rho_full == full.rho


def test_what_is_known_of_a_provider_holds_for_all_strategies(long):
    windows.refused(MODEL, LearnedWindow(MODEL.window_tokens, 1_500, 100, told_tokens=1_600))

    comparison = compared(long)

    assert comparison.model.window_tokens == 1_500
    assert comparison.window.told_tokens == 1_600
    assert all(row.prompt_tokens <= 1_400 for row in comparison.rows if row.plan)


def test_the_sliding_window_takes_limits_of_its_own(long):
    rows = by_name(compared(long, NARROW, last_messages=4))

    assert rows["sliding"].strategy.last_tokens is None
    assert (rows["sliding"].turns_sent, rows["sliding"].messages_sent) == (2, 4)


def test_what_only_memory_gives_back_is_missing_without_it(long):
    rows = by_name(compared(long, NARROW))

    assert [lost.kind for lost in rows["sliding"].missing if lost.is_active].count("refusal") == 1
    assert not any(lost.kind == "refusal" for lost in rows["elastic"].missing)
    assert rows["elastic"].entries > 0
    assert rows["sliding"].entries == 0


def test_a_history_that_is_too_long_is_said_by_its_sums(cast):
    long_path(cast.access, 400, lambda depth: (f"Day {depth}?", "It rained. " * 30), learned=40)

    comparison = compared(cast.access, text="And today?")

    rows = by_name(comparison)
    assert rows["full"].plan is None
    assert rows["full"].prompt_tokens > Turn.objects.get(depth=400).sum_reference_tokens
    assert rows["full"].rho > 1
    assert rows["full"].messages_left_out == 800
    assert comparison.unread_turns > 300
    assert rows["elastic"].messages_sent + rows["elastic"].messages_left_out == 800


def test_nothing_is_written(long):
    counted = Attempt.objects.count(), TokenCount.objects.count()

    compared(long, NARROW, text="Which train?")

    assert (Attempt.objects.count(), TokenCount.objects.count()) == counted


def test_all_that_a_server_has_to_count_is_asked_for(long):
    counts = {}
    what = CompareInput(ELSEWHERE, branch_of(long).id, text="Which train?")
    for _ in range(5):
        outcome = compare(long, what, fresh=counts)
        if isinstance(outcome, Comparison):
            break
        assert isinstance(outcome, TextNeeded)
        counts |= {key: Count(len(text) // 4, "exact") for key, text in outcome.texts.items()}

    assert by_name(outcome).keys() == set(NAMES)


def test_a_conversation_in_which_nothing_was_said_has_nothing_to_compare(cast):
    assert compared(cast.access) == NothingToCompare()


def test_a_turn_of_somebody_else_is_not_looked_at(long, cast):
    owner = owner_of(cast.mallory)
    theirs = conversation_for(cast.mallory, conversation_create(owner, model_name="").id)

    assert compared(theirs, turn_id=Turn.objects.get(depth=3).id) == NothingToCompare()
