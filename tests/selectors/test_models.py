"""Which models there are, and whether they can answer."""

import pytest

from chatapp.llm.registry import default_registry
from chatapp.selectors.models import NotReady, model_choices, model_for, model_names


@pytest.fixture
def keyed(scripted_models):
    """The second model asks for a key that nobody has set."""
    first, second = scripted_models.read_text(encoding="utf-8").rsplit("[[models]]", 1)
    scripted_models.write_text(
        f'{first}[[models]]\nkey_variable = "NO_SUCH_KEY"{second}', encoding="utf-8"
    )
    default_registry.cache_clear()


def test_a_model_is_found_by_name(scripted_models):
    assert model_for("second").name == "second"


def test_the_names_are_those_that_are_found(scripted_models):
    assert model_names() == {"scripted", "second"}
    assert all(model_for(name).name == name for name in model_names())


@pytest.mark.parametrize("name", ["", "nobody"])
def test_a_name_that_is_gone_means_the_first_model(scripted_models, name):
    assert model_for(name).name == "scripted"


def test_a_model_that_cannot_answer_says_why(keyed):
    assert model_for("second") == NotReady("second needs a key: set NO_SUCH_KEY.")
    assert model_for("scripted").name == "scripted"


def test_all_models_come_in_fallback_order_with_one_selected(keyed):
    choices = model_choices("second")

    assert [(each.name, each.ready, each.selected) for each in choices] == [
        ("scripted", True, False),
        ("second", False, True),
    ]
    assert choices[1].detail == "second needs a key: set NO_SUCH_KEY."


@pytest.mark.parametrize("selected", ["", "nobody"])
def test_without_a_valid_choice_the_first_is_selected(scripted_models, selected):
    assert [each.selected for each in model_choices(selected)] == [True, False]


def test_a_registry_without_models_is_said(scripted_models, monkeypatch):
    monkeypatch.setattr("chatapp.selectors.models.registry", EmptyRegistry)

    assert model_for("scripted") == NotReady("No model is set up.")
    assert model_choices("scripted") == ()


class EmptyRegistry:
    """A registry without any model."""

    def get(self, name):
        return None

    def default(self):
        return None

    def all(self):
        return ()
