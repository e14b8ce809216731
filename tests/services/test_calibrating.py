"""Estimated counts of a path follow what its provider has reported, model by model."""

from dataclasses import replace

import pytest

from chatapp.models import Attempt, TokenCount
from chatapp.services.commits import Answer, Measured, turn_commit
from chatapp.store.calibrations import (
    KEPT_MODELS,
    NOTHING_CALIBRATED,
    Calibration,
    calibration_document,
    factors_of,
)
from tests.support.people import MODEL, accept, new_process, prepare

pytestmark = pytest.mark.django_db

UNKNOWN = replace(MODEL, tokenizer="unknown")
TEXT = "The parcel left the warehouse on Tuesday and should arrive soon. " * 10


def take(cast, process, model=UNKNOWN, text=TEXT, *, ratio=None):
    """Take one turn whose provider counts so many times what was planned; return its attempt."""
    turn_id = accept(cast.access, text, process).turn_id
    prepared = prepare(turn_id, process, model)
    reported = None if ratio is None else int(ratio * prepared.prompt_tokens)
    quality = "estimated" if ratio is None else "reported"
    measured = Measured(120, reported, None, 7, quality)
    answer = Answer("Noted.", "complete", measured)
    assert turn_commit(turn_id, prepared.attempt_id, answer, owner=process, model=model)
    return Attempt.objects.select_related("plan_input").get(pk=prepared.attempt_id)


def factors(attempt: Attempt, model=UNKNOWN):
    return attempt.plan_input.result["calibration"]["by_model"].get(model.name, {})


def planned(attempt: Attempt) -> int:
    return attempt.plan_input.result["planned_tokens"]


def test_a_request_is_planned_with_what_was_reported_before(cast):
    process = new_process()
    first = take(cast, process, ratio=2.0)

    second = take(cast, process)

    assert factors(first) == {}
    assert factors(second) == {"latin": pytest.approx(2.0, rel=0.02)}
    assert planned(second) > 2.5 * planned(first)
    assert second.plan_input.calibration == pytest.approx(2.0, rel=0.02)
    assert second.prompt_quality == "estimated"


def test_the_planned_figure_stays_beside_the_reported_one(cast):
    attempt = take(cast, new_process(), ratio=2.0)

    assert attempt.prompt_quality == "reported"
    assert attempt.prompt_tokens == 2 * planned(attempt)


def test_without_a_report_factors_are_carried_on(cast):
    process = new_process()
    take(cast, process, ratio=1.5)

    second, third = take(cast, process), take(cast, process)

    assert factors(third) == factors(second) != {}


def test_stored_counts_are_those_of_the_estimate_alone(cast):
    process = new_process()
    take(cast, process, ratio=2.0)
    take(cast, process)

    of_text = TokenCount.objects.filter(tokenizer="unknown", message__role="user")
    assert len(set(of_text.values_list("tokens", flat=True))) == 1


def test_each_model_has_its_own_factors(cast):
    process = new_process()
    other = replace(UNKNOWN, name="other")
    take(cast, process, ratio=2.0)
    attempt = take(cast, process, other, ratio=1.2)

    last = take(cast, process)

    assert factors(attempt, other) == {}
    assert factors(last)["latin"] == pytest.approx(2.0, rel=0.02)
    assert factors(last, other)["latin"] == pytest.approx(1.2, rel=0.05)


def test_exact_counts_are_left_as_they_are(cast):
    process = new_process()
    first = take(cast, process, MODEL, ratio=2.0)

    second = take(cast, process, MODEL)

    assert factors(second, MODEL) == {}
    assert planned(second) < 2.5 * planned(first)
    assert second.plan_input.calibration == 1.0


def test_only_the_latest_models_are_remembered():
    by_model = {str(number): {"latin": 1.1} for number in range(20)}

    document = calibration_document(Calibration("19", by_model, {}))

    assert list(document["by_model"]) == [str(n) for n in range(20 - KEPT_MODELS, 20)]


@pytest.mark.parametrize("result", [None, {}, {"planned_tokens": 5}])
def test_a_plan_from_before_there_were_factors_has_none(result):
    assert factors_of(result, 9) == {}


def test_the_factor_of_a_request_is_the_mean_of_its_scripts():
    found = Calibration("m", {"m": {"latin": 1.0, "thai": 2.0}}, {"latin": 75, "thai": 25})

    assert found.factor == 1.25
    assert NOTHING_CALIBRATED.factor == 1.0
