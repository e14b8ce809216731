"""The session panel: who set a field, when it ends, and what of it is past."""

import pytest

from chatapp.forms.memory import EXPIRIES
from chatapp.presenters.session import expiry_words, live_fields, present_session
from chatapp.presenters.summary import Editing
from statecore.memory.session import Expiry
from tests.web import memory_samples, samples
from tests.web.memory_samples import DAY_MS, HOUR_MS, NOW_MS


def shown(*fields, editing=None, **changes):
    page = memory_samples.page(memory=memory_samples.memory(fields=fields), **changes)
    context = present_session(
        page,
        memory_samples.places(),
        samples.sample_id(900),
        editing=editing or Editing(),
        now_ms=NOW_MS,
    )
    return context, page


@pytest.mark.parametrize(
    ("expiry", "set_ms", "words"),
    [
        (Expiry(), NOW_MS, "stays until it is removed"),
        (Expiry("time", HOUR_MS), NOW_MS - 600_000, "expires in 50 min"),
        (Expiry("time", 7 * DAY_MS), NOW_MS, "expires in 7 days"),
        (Expiry("idle", DAY_MS), NOW_MS - 9 * DAY_MS, "expires in 22 h unless the talk goes on"),
    ],
)
def test_the_end_of_a_field_is_said_in_words(expiry, set_ms, words):
    field = memory_samples.field("k", expiry=expiry, set_ms=set_ms)

    context, _ = shown(field, last_turn_ms=NOW_MS - 2 * HOUR_MS)

    assert context["fields"][0].expires == words


def test_what_has_ended_stands_below_and_counts_no_more():
    context, page = shown(
        memory_samples.field("a", expiry=Expiry("time", HOUR_MS), set_ms=NOW_MS - HOUR_MS),
        memory_samples.field("b", removed=True),
        memory_samples.field("c"),
    )

    assert [field.key for field in context["fields"]] == ["c"]
    assert [str(field.status_label) for field in context["past"]] == ["expired", "removed"]
    assert live_fields(page) == 1


@pytest.mark.parametrize(
    ("changes", "seen", "words"),
    [
        ({}, 6, ""),
        ({}, 5, "set anew meanwhile"),
        ({"removed": True}, 6, "was removed or has expired"),
    ],
)
def test_an_open_form_says_what_happened_to_its_field(changes, seen, words):
    context, _ = shown(memory_samples.field("k", **changes), editing=Editing("k", seen))

    (field,) = context["fields"]
    assert words in (field.conflict.sentence if field.conflict else "")
    assert bool(field.conflict) is bool(words)


def test_a_form_whose_field_is_not_there_is_kept():
    assert shown(editing=Editing("k", 1))[0]["is_lost"]


def test_each_choice_of_the_form_has_words_of_its_own():
    words = [expiry_words(expiry) for expiry in EXPIRIES.values()]

    assert len(set(words)) == len(words)
    assert "until 1 day without a turn" in words


def test_the_form_of_a_field_has_its_end_chosen():
    context, _ = shown(memory_samples.field("k", expiry=Expiry("idle", 7 * DAY_MS)))

    assert context["fields"][0].expiry == "idle_week"
