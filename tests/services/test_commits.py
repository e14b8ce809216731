"""Ends of turns: what is booked, measured and kept."""

from dataclasses import replace
from decimal import Decimal

import pytest

from chatapp.models import Attempt, Branch, Outbox, PartialText, TokenCount, Turn, Usage
from chatapp.services.commits import (
    Answer,
    Broken,
    HeadLost,
    Measured,
    cost_usd,
    turn_commit,
    turn_end,
    turn_fail,
    turn_interrupt,
)
from chatapp.store import attempts, partials, paths
from chatapp.store.verification import verify_conversation
from statecore.models import ModelPrices
from tests.support.people import MODEL, accept, answered, branch_of, new_process, prepare, say

pytestmark = pytest.mark.django_db

NOTHING = Measured(None, None, None, None, "estimated")
PRICED = replace(MODEL, prices=ModelPrices(input_usd=0.15, output_usd=0.6))


@pytest.fixture
def running(cast):
    """A running turn with its attempt and owner."""
    process = new_process()
    turn_id = accept(cast.access, "Name one river.", process).turn_id
    return turn_id, prepare(turn_id, process).attempt_id, process


def commit(running, answer, model=MODEL):
    turn_id, attempt_id, process = running
    assert turn_commit(turn_id, attempt_id, answer, owner=process, model=model)
    return Attempt.objects.get(pk=attempt_id)


def fail(running, broken):
    turn_id, attempt_id, process = running
    assert turn_fail(turn_id, attempt_id, broken, owner=process, model=MODEL)
    return Attempt.objects.get(pk=attempt_id)


def test_reported_figures_replace_the_plan_s(running):
    attempt = commit(running, Answer("The Volga.", "complete", Measured(120, 40, 8, 7, "reported")))

    assert (attempt.status, attempt.finish, attempt.first_token_ms) == (
        "succeeded",
        "complete",
        120,
    )
    assert (attempt.prompt_tokens, attempt.prompt_quality) == (40, "reported")
    assert (attempt.cached_tokens, attempt.completion_tokens) == (8, 7)
    assert attempt.completion_quality == "reported"
    assert attempt.ended_ms >= attempt.started_ms


def test_without_a_report_the_plan_s_figures_stay_and_the_answer_is_estimated(running):
    planned = Attempt.objects.get(pk=running[1]).prompt_tokens

    attempt = commit(
        running, Answer("The Volga.", "complete", replace(NOTHING, completion_tokens=4))
    )

    assert (attempt.prompt_tokens, attempt.prompt_quality) == (planned, "exact")
    assert (attempt.completion_tokens, attempt.completion_quality) == (4, "estimated")
    assert attempt.cached_tokens is None


@pytest.mark.parametrize(
    ("finish", "status"),
    [("complete", "succeeded"), ("length", "succeeded"), ("stopped", "stopped")],
)
def test_an_answer_says_how_it_ended(running, finish, status):
    attempt = commit(running, answered("The Volga.", finish))

    assert (attempt.status, attempt.finish) == (status, finish)
    assert Turn.objects.get(pk=running[0]).finish == finish


def test_a_stopped_answer_without_text_is_on_the_path(cast, running):
    commit(running, answered("", "stopped"))

    node = paths.walk(running[0], budget_tokens=100)[0]
    messages = paths.messages_of([node], cast.owner.keys)[running[0]]
    assert [(message.role, message.text) for message in messages] == [
        ("user", "Name one river."),
        ("assistant", ""),
    ]
    assert branch_of(cast.access).tip_id == running[0]


def test_an_answer_is_booked_with_its_price(cast, running):
    commit(running, answered("The Volga."), PRICED)

    usage = Usage.objects.get()
    assert (usage.prompt_tokens, usage.completion_tokens, usage.quality) == (40, 7, "reported")
    assert usage.cost_usd == Decimal("0.0000102")
    assert (usage.key_space_id, usage.attempt_id) == (cast.owner.keys.id, running[1])


def test_an_unknown_price_is_not_zero():
    assert cost_usd(MODEL, 1_000_000, 1_000_000) is None
    half = replace(MODEL, prices=ModelPrices(input_usd=0.15, output_usd=None))
    assert cost_usd(half, 1, 1) is None
    free = replace(MODEL, prices=ModelPrices(input_usd=0.0, output_usd=0.0))
    assert cost_usd(free, 1_000, 1_000) == 0


def test_the_answer_is_counted_and_its_later_work_waits_in_the_outbox(running):
    commit(running, answered("The Volga."))

    turn = Turn.objects.get(pk=running[0])
    counts = TokenCount.objects.filter(message__turn=turn, message__role="assistant")
    assert [count.tokenizer for count in counts] == ["o200k_base"]
    work = Outbox.objects.filter(done_ms=None).values_list("turn_id", "kind")
    assert set(work) == {(running[0], "token_counts"), (running[0], "memory_delta")}
    assert turn.committed_ms >= turn.accepted_ms
    assert turn.owner_id is None


def test_a_turn_that_lost_its_head_is_not_committed(cast, running):
    turn_id, attempt_id, process = running
    Branch.objects.update(active_turn=None)

    with pytest.raises(HeadLost):
        turn_commit(turn_id, attempt_id, answered("late"), owner=process, model=MODEL)

    assert Turn.objects.get(pk=turn_id).status == "running"
    assert not Usage.objects.exists()


def test_a_failure_keeps_text_and_the_provider_s_words_sealed(cast, running):
    attempt = fail(running, Broken("server_error", "HTTP 500: secret", "The first", NOTHING))

    assert (attempt.status, attempt.reason) == ("failed", "server_error")
    assert attempts.output_of(attempt, cast.owner.keys) == "The first"
    assert attempts.detail_of(attempt, cast.owner.keys) == "HTTP 500: secret"
    assert b"secret" not in bytes(attempt.detail)


def test_a_failure_without_text_stores_none(cast, running):
    attempt = fail(running, Broken("rate_limit", "", "", NOTHING))

    assert (attempt.output, attempt.detail) == (None, None)
    assert attempts.output_of(attempt, cast.owner.keys) is None
    assert attempts.detail_of(attempt, cast.owner.keys) is None
    assert not Usage.objects.exists()


def test_what_a_broken_answer_cost_is_booked_where_the_provider_says_it(running):
    fail(running, Broken("network", "", "The first", Measured(120, 40, None, 3, "reported")))

    assert Usage.objects.get().completion_tokens == 3


def test_a_failure_before_any_attempt_needs_none(cast, running):
    turn_id, _, process = running

    assert turn_fail(
        turn_id, None, Broken("context_overflow", "", "", NOTHING), owner=process, model=MODEL
    )

    assert Turn.objects.get(pk=turn_id).reason == "context_overflow"
    assert branch_of(cast.access).active_turn is None


def test_an_interruption_keeps_the_partial_text_with_its_attempt(cast, running):
    turn_id, attempt_id, process = running
    keys = cast.owner.keys
    partials.append(
        [
            partials.Partial(attempt_id, 1, 2, "The first ", keys),
            partials.Partial(attempt_id, 2, 3, "step", keys),
        ]
    )

    assert turn_interrupt(turn_id, owner=process) == cast.access.conversation.id

    attempt = Attempt.objects.get(pk=attempt_id)
    assert (attempt.status, attempt.reason) == ("interrupted", "interrupted")
    assert attempts.output_of(attempt, keys) == "The first step"
    assert not PartialText.objects.exists()
    assert branch_of(cast.access).active_turn is None


def test_a_turn_is_interrupted_once(running):
    turn_id, _, process = running

    assert turn_interrupt(turn_id, owner=process) is not None
    assert turn_interrupt(turn_id, owner=process) is None


def test_an_interruption_in_the_name_of_another_owner_does_nothing(running):
    turn_id, _, _ = running

    assert turn_interrupt(turn_id, owner=new_process()) is None
    assert turn_interrupt(turn_id, owner=None) is None
    assert Turn.objects.get(pk=turn_id).status == "running"


def test_a_turn_without_any_owner_can_be_interrupted(running):
    turn_id, _, _ = running
    Turn.objects.filter(pk=turn_id).update(owner=None)

    assert turn_interrupt(turn_id, owner=None) is not None


def test_one_door_commits_answers_and_fails_what_broke(cast):
    process = new_process()
    for ended, status in (
        (answered("Yes."), "committed"),
        (Broken("network", "", "", NOTHING), "failed"),
    ):
        turn_id = accept(cast.access, "Hi", process).turn_id
        attempt_id = prepare(turn_id, process).attempt_id

        assert turn_end(turn_id, attempt_id, ended, process, MODEL)
        assert Turn.objects.get(pk=turn_id).status == status


def test_an_answer_comes_from_an_attempt(running):
    turn_id, _, process = running

    with pytest.raises(ValueError, match="attempt"):
        turn_end(turn_id, None, answered("Yes."), process, MODEL)


def test_the_path_hash_depends_on_the_whole_path(cast):
    process = new_process()
    hashes = [
        bytes(Turn.objects.get(pk=say(cast.access, "Hi", "Hello.", process)).path_hash)
        for _ in range(3)
    ]

    assert len(set(hashes)) == 3
    assert verify_conversation(cast.access.conversation.id, cast.owner.keys).findings == ()
