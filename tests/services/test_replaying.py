from dataclasses import replace

import pytest

from chatapp.models import Message, PlanInput, Turn
from chatapp.selectors.replays import path_tip
from chatapp.services.replaying import ReplaySettings, replayed
from chatapp.store.permits import erasure_permit
from chatapp.store.sealing import seal
from chatapp.wiring import chat_template
from statecore.context.strategies import Strategy
from statecore.context.tuning import tuned
from statecore.messages import Message as CoreMessage
from statecore.messages import encode_body
from statecore.replay.comparing import totals
from tests.services.test_tier_walk import LARGE, Walk
from tests.support.people import MODEL, accept, new_process, prepare, say
from tests.support.remembering import learn

pytestmark = pytest.mark.django_db

SMALL = replace(MODEL, window_tokens=1_500, reply_reserve_tokens=200)
OWN = ReplaySettings()
ASIDE = "We have been looking forward to this for quite a while now. "


def no_server(model, texts):
    raise AssertionError("No server has to count anything here.")


def again(access, settings=OWN, **options):
    found = replayed(access, path_tip(access), settings, no_server, **options)
    return [turn.found for turn in found]


@pytest.fixture
def talk(cast):
    """A conversation in a small window, whose notes matter."""
    process = new_process()
    for number in range(1, 25):
        question = f"Please note that order {4700 + number} goes to shelf {number}."
        turn_id = say(cast.access, question, ASIDE * 4, process, SMALL)
        learn(cast.access, turn_id, "fact", text=question)
    return cast.access


def test_turns_planned_as_they_were_give_the_same_bytes(talk):
    found = again(talk)
    assert [turn.verdict for turn in found] == ["same"] * 24
    assert {turn.tier_after for turn in found} == {0, 2}


def test_a_walk_through_the_tiers_gives_the_same_bytes(cast):
    walk = Walk(cast.access)
    walk.goes_on_until(2)
    found = again(cast.access)
    assert {turn.verdict for turn in found} == {"same"}
    assert {turn.tier_after for turn in found} == {0, 1, 2}


def test_what_comes_later_changes_no_old_plan(talk):
    process = new_process()
    late = say(talk, "And one that is learned late.", "Yes.", process, SMALL)
    say(talk, "Go on.", "Yes.", process, SMALL)
    learn(talk, late, "rule", text="And one that is learned late.")
    assert {turn.verdict for turn in again(talk)} == {"same"}


def test_every_attempt_of_a_turn_can_be_planned_again(talk):
    process = new_process()
    turn_id = accept(talk, "Say it twice.", process).turn_id
    prepare(turn_id, process, SMALL)
    prepare(turn_id, process, replace(SMALL, window_tokens=900))
    Turn.objects.filter(pk=turn_id).update(status="committed", committed_seq=10**6)
    found = [
        turn
        for turn in replayed(talk, turn_id, OWN, no_server, every_attempt=True)
        if turn.found.turn_id == str(turn_id)
    ]
    assert [turn.attempt for turn in found] == [1, 2]
    assert {turn.found.verdict for turn in found} == {"same"}


def test_a_replay_ends_with_the_turn_that_was_named(talk):
    third = Turn.objects.get(conversation=talk.conversation, depth=3)
    assert [turn.depth for turn in again(talk, until=third.id)] == [1, 2, 3]


def test_redacted_words_are_excused_and_nothing_else_is(talk):
    # Words that no note shares: what a note is sent for may change with the words of an input.
    say(talk, "Wonderful!", "Yes.", new_process(), SMALL)
    redact(talk, depth=25)
    found = again(talk)
    assert {turn.verdict for turn in found[:24]} == {"same"}
    assert found[24].verdict == "erased"


def redact(access, depth):
    turn = Turn.objects.get(conversation=access.conversation, depth=depth)
    row = Message.objects.get(pk=turn.input_message_id)
    message = CoreMessage(str(row.id), "user", "[redacted]", row.created_ms)
    body = seal(access.keys, "chatapp_message", "body", row.id, encode_body(message))
    with erasure_permit(access.conversation.id):
        Message.objects.filter(pk=row.id).update(body=body, redacted_ms=1)


def test_a_plan_input_that_was_tampered_with_is_found(talk):
    plan = PlanInput.objects.get(attempt__turn__depth=20)
    PlanInput.objects.filter(pk=plan.pk).update(as_of_seq=3)
    found = again(talk)
    assert [turn.depth for turn in found if turn.verdict != "same"] == [20]
    assert found[19].difference is not None


def test_another_template_differs_from_the_first_turn_on(talk):
    template = replace(chat_template(), stopped_empty="(nothing)", version=99)
    assert {turn.verdict for turn in again(talk, ReplaySettings(template=template))} == {"same"}
    noted = replace(template, notes=replace(template.notes, other="Merely said"))
    found = again(talk, ReplaySettings(template=noted))
    first = next(turn for turn in found if turn.verdict == "differs")
    assert "Merely said" in first.difference.after
    assert first.tier_after == 2


def test_another_strategy_says_what_the_model_would_no_longer_have_seen(talk):
    found = again(talk, ReplaySettings(strategy=Strategy("summary")))
    told = totals(found)
    assert told.less_told == 23
    assert told.unseen > told.seen_more == 0
    assert told.tokens_after < told.tokens_before


def test_a_larger_model_would_have_been_told_everything(talk):
    found = again(talk, ReplaySettings(model=replace(LARGE, name="large")))
    assert {turn.tier_after for turn in found} == {0}
    assert found[-1].unseen == ()
    assert len(found[-1].seen_more) > 20
    assert totals(found).first_differing == found[0].turn_id


def test_a_turn_without_a_request_is_said_to_have_none(cast):
    process = new_process()
    turn_id = accept(cast.access, "Nobody was asked.", process).turn_id
    found = list(replayed(cast.access, turn_id, OWN, no_server))
    assert [turn.found.verdict for turn in found] == ["not_planned"]


def test_other_bounds_say_what_the_model_would_no_longer_have_seen(talk):
    found = again(talk, ReplaySettings(tuning=tuned(["tier0=0.2", "settled=0.3", "stepped=0.2"])))
    told = totals(found)
    assert told.less_told >= 3
    assert told.first_differing is not None
    wider = again(talk, ReplaySettings(tuning=tuned(["tier0=0.9", "tier1=0.9"])))
    assert totals(wider).seen_more > 3
