"""The line under the composer, and the request behind it."""

from dataclasses import replace

from chatapp.presenters.preview import present_preview, previewed
from chatapp.store.contexts import Before
from statecore.context.anchors import Anchor
from statecore.context.plan import DoesNotFit
from tests.web import memory_samples, plan_samples, samples

CONVERSATION = samples.sample_id(900)


def shown(outcome, places=None):
    return present_preview(outcome, CONVERSATION, places)["preview"]


def test_the_line_says_tokens_tier_and_share():
    preview = plan_samples.preview()

    tokens = preview.plan.prompt_tokens
    assert shown(preview).sentence.startswith(f"Next request: {tokens} tokens (exact), tier 0, ")
    assert shown(preview).note == ""
    assert shown(preview).wire is None


def test_what_a_person_should_know_is_noted():
    preview = plan_samples.preview(missing=plan_samples.MISSING, before=Before(2, 900))

    assert shown(preview).note == "tier 2 before"
    assert shown(plan_samples.preview(is_waiting=True)).note == (
        "the answer that is being written counts as far as it has come"
    )
    assert shown(preview).warning == "2 things that hold would be missing"


def test_a_phrase_that_brings_back_an_old_message_is_named():
    at = plan_samples.INPUT.index("that link")
    found = Anchor(
        message_id=memory_samples.message_id(2, 1),
        turn_id=str(samples.sample_id(2)),
        depth=2,
        role="assistant",
        reason="link",
        start=0,
        end=20,
        pointer_start=at,
        pointer_end=at + len("that link"),
    )
    silent = found._replace(reason="last_intent", pointer_start=0, pointer_end=0)
    preview = plan_samples.preview()

    preview = replace(preview, plan=replace(preview.plan, anchors=(found, silent)))

    assert shown(preview).note == "“that link” → turn 2"
    question = shown(preview, memory_samples.places()).wire.messages[-1]
    assert [span.text for span in question.spans if span.id] == ["that link"]


def test_the_first_request_has_nothing_before_it():
    assert shown(plan_samples.preview(before=Before())).note == ""


def test_the_request_is_shown_where_it_is_asked_for():
    preview = plan_samples.preview()

    wire = shown(preview, memory_samples.places()).wire

    texts = ["".join(span.text for span in message.spans) for message in wire.messages]
    assert texts == [message.text for message in preview.plan.request.messages]
    assert texts[-1] == plan_samples.INPUT
    assert wire.messages[1].sources[0].turn_id == samples.sample_id(1)


def test_a_request_that_does_not_fit_names_its_largest_parts():
    found = DoesNotFit((("current_input", 5_000), ("system_prompt", 90)), 5_600, 4_096)

    assert shown(found).sentence == (
        "Does not fit: what is never cut takes 5,600 of 4,096 tokens "
        "(your message 5,000, system prompt 90)."
    )


def test_where_nothing_can_be_said_nothing_is_said():
    assert shown(None) is None


def test_a_plan_is_told_with_all_of_its_account():
    told = previewed(plan_samples.preview())

    assert len(told.segments) == len(told.messages)
    assert {segment["decision"] for segment in told.segments} <= {"kept", "injected"}
