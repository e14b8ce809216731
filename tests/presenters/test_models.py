"""The page is honest about models that are not there yet."""

import pytest

from chatapp.presenters.models import present_model, present_models
from tests.web import samples


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"state": "downloading", "progress": 0.43}, "Downloading tiny: 43 %"),
        ({"state": "downloading"}, "Downloading tiny."),
        ({"state": "starting"}, "Starting tiny"),
        ({"state": "failed", "detail": "Too little memory."}, "Too little memory."),
        ({"state": "stopped"}, "is not running"),
        ({"state": "elsewhere"}, "tiny is not ready."),
    ],
)
def test_a_model_that_is_not_ready_says_what_it_does(changes, words):
    view = present_model(samples.model("tiny", ready=False, **changes))

    assert words in view.sentence
    assert view.state_label


def test_a_model_that_is_ready_needs_no_sentence():
    view = present_model(samples.model(detail="Listening."))

    assert (view.sentence, view.state, view.window) == ("", "ready", "4,096")


def test_the_chosen_model_stands_out():
    context = present_models(samples.MODELS)

    assert context["model"].name == "qwen2.5-coder-1.5b"
    assert len(context["models"]) == 3


def test_no_model_at_all_is_no_error():
    assert present_models(()) == {"models": (), "model": None}
