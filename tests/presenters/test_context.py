"""The context panel: the gauge at its marks, the parts with their sources, what has changed."""

import pytest

from chatapp.presenters.context import left_out, present_context, sources_of
from chatapp.presenters.differences import present_difference
from chatapp.presenters.gauges import present_gauge
from chatapp.presenters.segments import present_segments
from tests.web import memory_samples, samples

CONVERSATION = samples.sample_id(900)
PLACES = memory_samples.places()


def difference(old, new, **changes):
    before = samples.attempt(1, segments=old)
    return present_difference(samples.attempt(2, segments=new, **changes), before, PLACES)


def said(found):
    return [(change.kind, change.text) for change in found.changes]


@pytest.mark.parametrize(
    ("rho", "tier"), [(0.0, 0), (0.499, 0), (0.5, 1), (0.75, 2), (0.9, 3), (1.7, 3)]
)
def test_each_figure_lies_in_the_tier_that_its_mark_means(rho, tier):
    gauge = present_gauge(samples.attempt(rho_sent=0.2, rho_full=rho))

    assert (gauge.sent_tier.number, gauge.full_tier.number) == (0, tier)
    assert gauge.full_width == min(1000, rho * 1000)


def test_the_gauge_has_both_figures_and_three_marks_in_words():
    gauge = present_gauge(samples.attempt(rho_sent=0.42, rho_full=1.37))

    assert (gauge.sent, gauge.full) == ("42 %", "137 %")
    assert gauge.marks == (500, 750, 900)
    assert sum(tier.width for tier in gauge.tiers) == 1000
    assert gauge.label == (
        "42 % of the window sent, 137 % with the whole history; marks: 50, 75, 90 %"
    )


def test_a_history_that_was_sent_whole_takes_what_is_sent():
    assert present_gauge(samples.attempt(rho_sent=0.4, rho_full=None)).full == "40 %"


def test_without_a_window_there_is_no_gauge():
    assert present_gauge(samples.attempt(rho_sent=None)) is None


def test_what_was_left_out_is_never_silent():
    assert left_out(samples.attempt()) == (
        "3 older turns were not sent. The whole conversation would take 97 % of the window."
    )
    assert left_out(samples.attempt(dropped_turns=0)) == ""
    assert left_out(samples.attempt(dropped_turns=1, rho_full=None)) == (
        "1 older turn was not sent."
    )


def test_each_part_has_its_reason_and_a_link_to_each_source():
    looked = memory_samples.looked_at()

    view = present_context(looked, PLACES, CONVERSATION)["context"]

    by_kind = {segment.kind: segment for segment in view.segments}
    assert by_kind["gap"].sources == ()
    assert [link.label for link in by_kind["state_block"].sources] == ["turn 1", "turn 2"]
    assert by_kind["input"].sources[0].turn_id == samples.sample_id(6)
    assert view.segments[2].decision_label == "in part"
    assert view.segments[2].reason == "Sent without what you have deleted."
    assert set(sources_of(looked)) >= {memory_samples.message_id(turn) for turn in (1, 2, 6)}


def test_before_the_first_question_there_is_nothing_to_show():
    context = present_context(None, {}, CONVERSATION)

    assert (context["turn"], context["context"]) == (None, None)
    assert list(sources_of(None)) == []


def test_a_turn_without_an_attempt_is_named_all_the_same():
    looked = memory_samples.looked_at(turn=samples.turn(6, attempts=()), before=None)

    context = present_context(looked, {}, CONVERSATION)

    assert (context["turn"].depth, context["context"]) == (6, None)


def test_the_first_turn_differs_from_nothing():
    assert present_difference(samples.attempt(), None, PLACES) is None


def test_the_question_of_before_is_a_message_now_and_has_not_changed():
    found = difference(
        memory_samples.segments(1, 2, notes=False), memory_samples.segments(1, 3, notes=False)
    )

    assert said(found) == [("added", "2 messages came in")]
    assert [link.label for link in found.changes[0].sources] == ["turn 2", "turn 3"]
    assert found.tokens.endswith("tokens more: 487 → 814.")


def test_a_difference_of_estimates_is_an_estimate():
    guessed = [
        {**one, "quality": "estimated"} for one in memory_samples.segments(1, 3, notes=False)
    ]

    found = difference(memory_samples.segments(1, 2, notes=False), guessed)

    assert found.tokens == "≈ 327 tokens more: 487 → ≈ 814."


def test_what_fell_out_came_in_and_changed_is_told_apart():
    found = difference(
        memory_samples.segments(1, 4, notes=False),
        memory_samples.segments(3, 4, masked=True),
        model_name="second",
    )

    assert said(found) == [
        ("dropped", "4 messages fell out"),
        ("changed", "now: Sent without what you have deleted."),
        ("added", "notes of the application came in"),
        ("changed", "another model: second instead of qwen2.5-coder-1.5b"),
    ]
    assert "less" in found.tokens


def test_notes_that_go_or_change_are_said():
    with_notes, without = memory_samples.segments(1, 2), memory_samples.segments(1, 2, notes=False)
    longer = memory_samples.segments(1, 2)
    longer[-2]["tokens"] += 9

    assert said(difference(with_notes, without)) == [
        ("dropped", "notes of the application fell out")
    ]
    assert said(difference(with_notes, longer)) == [
        ("changed", "the notes of the application changed")
    ]
    settled = memory_samples.segments(1, 2)
    settled[-2]["reason"] = "settled_notes"
    assert said(difference(without, settled)) == [
        ("added", "settled notes of the application came in")
    ]
    same = difference(with_notes, with_notes)
    assert (said(same), same.tokens) == ([], "As many tokens as before: 635.")


def test_another_count_of_the_same_text_is_no_change():
    counted = memory_samples.segments(1, 2, notes=False)
    for segment in counted:
        segment["tokens"] += 3

    assert said(difference(memory_samples.segments(1, 2, notes=False), counted)) == []


def test_settled_notes_and_those_of_the_turn_change_apart():
    before = memory_samples.segments(1, 2)
    block = before[-2]
    before.insert(1, block | {"reason": "settled_notes", "tokens": 90})
    after = [*before[:1], before[1] | {"tokens": 70}, *before[2:]]

    assert said(difference(before, after)) == [
        ("changed", "the settled notes of the application were chosen anew")
    ]
    assert said(difference(before, [*before[:-2], before[-1]])) == [
        ("dropped", "notes of the application fell out")
    ]


def test_the_two_messages_of_notes_have_names_of_their_own():
    parts = memory_samples.segments(1, 2)
    parts.insert(1, parts[-2] | {"reason": "settled_notes"})

    views = present_segments(parts, PLACES)

    labels = [view.label for view in views if view.kind == "state_block"]
    assert labels == ["Settled notes of the application", "Notes of the application"]
