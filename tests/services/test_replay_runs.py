from dataclasses import replace

import pytest

from chatapp.access import owner_of
from chatapp.models import Feedback, ReplayRun, Turn
from chatapp.services import replay_runs
from chatapp.services.outcomes import Changed, Missing, Unchanged
from chatapp.services.replay_runs import (
    ReplayOrder,
    account,
    replay_cancel,
    replay_order,
    replay_work,
    replays_due,
)
from chatapp.store import replays
from chatapp.store.feedback import opinions_of
from statecore.replay.comparing import not_planned
from tests.services.test_branching import Talk
from tests.support.people import MODEL, new_process, say

pytestmark = pytest.mark.django_db

SMALL = replace(MODEL, window_tokens=1_500, reply_reserve_tokens=200)


def no_server(model, texts):
    raise AssertionError("No server has to count anything here.")


@pytest.fixture
def woken(monkeypatch):
    found = []
    monkeypatch.setattr(replay_runs, "wake_worker", lambda *arguments: found.append(arguments))
    return found


@pytest.fixture
def talk(cast, woken):
    process = new_process()
    for number in range(6):
        say(cast.access, f"Question {number}?", f"Answer {number}.", process, SMALL)
    return cast.access


def order(access, **changes):
    return ReplayOrder((access.conversation.id,), **changes)


def report(run_id, keys):
    run = ReplayRun.objects.get(pk=run_id)
    return run, replays.report_of(run, keys)


def test_a_worker_is_woken_and_works_the_run_off(talk, woken):
    run_id = replay_order(talk.owner, order(talk))
    assert woken == [("replays", run_id)]
    assert replay_work(run_id, no_server)
    run, (found,) = report(run_id, talk.keys)
    assert (run.status, run.done, run.total) == ("done", 1, 1)
    assert run.ended_ms >= run.created_ms
    assert found["totals"]["same"] == 6
    assert found["turns"] == []


def test_other_settings_are_reported_turn_by_turn_and_by_opinion(talk, cast):
    disliked = Turn.objects.get(depth=6)
    Feedback.objects.create(
        conversation=talk.conversation,
        user=cast.alice,
        message=disliked.messages.get(role="assistant"),
        turn=disliked,
        kind="thumb",
        thumb=-1,
        seq=1_000,
        created_ms=1,
    )
    run_id = replay_order(talk.owner, order(talk, strategy="summary"))
    replay_work(run_id, no_server)
    _, (found,) = report(run_id, talk.keys)
    assert found["totals"]["less_told"] == 5
    assert found["by_opinion"]["down"]["less_told"] == 1
    assert found["by_opinion"]["none"]["turns"] == 5
    assert [turn["opinion"] for turn in found["turns"]] == ["none"] * 4 + ["down"]


def test_what_is_asked_and_found_lies_sealed(talk):
    run_id = replay_order(talk.owner, order(talk, name="Before the fair", strategy="summary"))
    replay_work(run_id, no_server)
    run = ReplayRun.objects.get(pk=run_id)
    assert b"fair" not in bytes(run.order)
    assert str(talk.conversation.id).encode() not in bytes(run.order) + bytes(run.report)


def test_conversations_of_others_are_left_out(talk, cast):
    run_id = replay_order(owner_of(cast.mallory), order(talk))
    replay_work(run_id, no_server)
    run = ReplayRun.objects.get(pk=run_id)
    assert (run.total, run.status) == (0, "done")


def test_a_conversation_that_was_deleted_meanwhile_is_said_to_be_gone(talk):
    run_id = replay_order(talk.owner, order(talk))
    talk.conversation.deleted_ms = 1
    talk.conversation.save()
    replay_work(run_id, no_server)
    assert report(run_id, talk.keys)[1] == [
        {"conversation": str(talk.conversation.id), "gone": True}
    ]


def test_a_run_that_waits_is_cancelled_at_once(talk):
    run_id = replay_order(talk.owner, order(talk))
    assert isinstance(replay_cancel(talk.owner, run_id), Changed)
    assert not replay_work(run_id, no_server)
    assert ReplayRun.objects.get(pk=run_id).status == "cancelled"
    assert isinstance(replay_cancel(talk.owner, run_id), Unchanged)


def test_a_run_is_cancelled_in_the_middle_of_a_conversation(talk, monkeypatch):
    run_id = replay_order(talk.owner, order(talk))
    monkeypatch.setattr(replay_runs, "BEAT_MS", 0)
    planned = []
    real = replay_runs.replayed_tree

    def until_cancelled(*arguments):
        for turn in real(*arguments):
            planned.append(turn)
            if len(planned) == 3:
                replay_cancel(talk.owner, run_id)
            yield turn

    monkeypatch.setattr(replay_runs, "replayed_tree", until_cancelled)
    replay_work(run_id, no_server)
    run, found = report(run_id, talk.keys)
    assert (run.status, len(planned), found) == ("cancelled", 3, [])


def test_a_stranger_cancels_nothing(talk, cast):
    run_id = replay_order(talk.owner, order(talk))
    assert isinstance(replay_cancel(owner_of(cast.mallory), run_id), Missing)
    assert not ReplayRun.objects.get(pk=run_id).cancel_requested


def test_a_run_whose_worker_died_goes_on_with_what_is_left(talk, monkeypatch):
    run_id = replay_order(talk.owner, order(talk))
    assert replays_due() == [run_id]
    claimed = replays.claim_run(run_id, 1_000)
    replays.keep_report(run_id, 1_000, [{"conversation": "first"}], talk.keys, 2_000)
    assert claimed is not None
    assert replays_due() == [run_id]
    assert replay_work(run_id, no_server)
    run, found = report(run_id, talk.keys)
    assert (run.status, found) == ("done", [{"conversation": "first"}])
    assert replays_due() == []


def test_two_workers_never_share_a_run(talk):
    run_id = replay_order(talk.owner, order(talk))
    assert replays.claim_run(run_id, replay_runs.now_ms()) is not None
    assert not replay_work(run_id, no_server)


def test_a_run_that_breaks_off_says_so(talk, monkeypatch):
    run_id = replay_order(talk.owner, order(talk))

    def broken(*_):
        raise RuntimeError("a secret of the user")

    monkeypatch.setattr(replay_runs, "replayed_tree", broken)
    assert replay_work(run_id, no_server)
    run = ReplayRun.objects.get(pk=run_id)
    assert run.status == "failed"
    assert "secret" not in run.detail
    assert run.detail


def test_of_many_turns_that_differ_the_first_are_kept_and_all_are_counted(talk):
    turns = [not_planned(str(talk.conversation.id), depth) for depth in range(1, 301)]
    found = account(talk.conversation.id, turns, {})
    assert len(found["turns"]) == replay_runs.TURNS_SHOWN
    assert found["differing"] == found["totals"]["turns"] == 300


def test_the_newest_thumb_counts_and_one_taken_back_is_none(talk, cast):
    turns = list(Turn.objects.order_by("depth"))
    given = [(0, "thumb", 1), (0, "thumb", -1), (1, "thumb", 1), (1, "thumb", 0), (2, "edit", 0)]
    given += [(3, "regenerate", 0), (3, "thumb", 1)]
    for seq, (number, kind, thumb) in enumerate(given, start=1_000):
        turn = turns[number]
        Feedback.objects.create(
            conversation=talk.conversation,
            user=cast.alice,
            message=turn.messages.get(role="assistant"),
            turn=turn,
            kind=kind,
            thumb=thumb,
            seq=seq,
            created_ms=seq,
        )
    found = opinions_of(talk.conversation.id)
    assert found == {turns[0].id: "down", turns[2].id: "replaced", turns[3].id: "up"}


def test_what_was_edited_or_answered_again_is_judged_too(cast, woken):
    talk = Talk(cast.access)
    talk.says("one")
    two = talk.says("two")
    talk.regenerates(two)
    talk.edits(two, "zwei")
    run_id = replay_order(talk.access.owner, order(talk.access))
    replay_work(run_id, no_server)
    _, (found,) = report(run_id, talk.access.keys)
    assert found["totals"]["same"] == found["totals"]["turns"] == 4
    assert found["by_opinion"]["replaced"]["turns"] == 1
    assert found["by_opinion"]["none"]["turns"] == 3


def test_a_model_that_has_gone_since_ends_the_run_instead_of_being_passed_over(talk):
    run_id = replay_order(talk.owner, order(talk, model="nobody"))
    assert replay_work(run_id, no_server)
    run, found = report(run_id, talk.keys)
    assert (run.status, found) == ("failed", [])
