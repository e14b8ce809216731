import os

import pytest

from chatapp.llm.model_file import ModelsFileError, read_models
from chatapp.llm.registry import NOWHERE, Registry
from chatapp.local.status import ModelStatus, write_status
from statecore.models import ModelSpec

FILE = """
[[models]]
name = "far"
endpoint = "https://far.example.org/v1"
key_variable = "FAR_KEY"
window_tokens = 8192
reply_reserve_tokens = 1024
"""
SHIPPED = """
[[models]]
name = "qwen2.5-coder-1.5b"
local = true
window_tokens = 4096
reply_reserve_tokens = 512

[[models]]
name = "smollm2-135m"
local = true
window_tokens = 2048
reply_reserve_tokens = 256
fallback_order = 1
"""


def spec(name):
    return ModelSpec(name, "http://127.0.0.1:9/v1", name, 4096, 512, "o200k_base")


@pytest.fixture
def make(tmp_path):
    """Return a maker of registries on this environment and what is found around it."""
    (tmp_path / "shipped.toml").write_text(SHIPPED)

    def registry(*, nearby=(), by_variables=None, **environ):
        return Registry(
            environ=environ,
            data_dir=tmp_path,
            shipped=tmp_path / "shipped.toml",
            nearby=lambda: nearby,
            by_variables=lambda *_: by_variables,
        )

    return registry


@pytest.fixture
def models_file(tmp_path):
    path = tmp_path / "models.toml"
    path.write_text(FILE)
    return path


def names(registry):
    return [model.name for model in registry.all()]


def test_the_named_file_comes_first(make, models_file):
    found = {"nearby": (spec("near"),), "by_variables": (spec("openai"),)}
    assert names(make(GLASSBOX_MODELS=str(models_file), **found)) == ["far"]


def test_openai_variables_come_second(make):
    assert names(make(nearby=(spec("near"),), by_variables=(spec("openai"),))) == ["openai"]


def test_a_server_on_this_machine_comes_third(make):
    assert names(make(nearby=(spec("near"),))) == ["near"]


def test_our_own_models_come_last(make):
    assert names(make()) == ["qwen2.5-coder-1.5b", "smollm2-135m"]


def test_variables_that_lead_nowhere_are_an_error_and_not_a_reason_to_look_elsewhere(make):
    with pytest.raises(ModelsFileError, match="OPENAI_BASE_URL does not answer"):
        make(nearby=(spec("near"),), by_variables=()).all()


def test_small_means_the_small_model_alone_whatever_else_is_there(make):
    assert names(make(MODEL="small", by_variables=(spec("openai"),))) == ["smollm2-135m"]


def test_a_model_can_be_chosen_by_name(make):
    assert names(make(MODEL="b", nearby=(spec("a"), spec("b")))) == ["b"]


def test_a_choice_that_is_not_there_is_an_error_that_names_those_that_are(make):
    with pytest.raises(ModelsFileError, match=r"'c', which is not among the models: a, b\."):
        make(MODEL="c", nearby=(spec("a"), spec("b"))).all()


def test_the_search_is_made_once(make):
    searches = []
    registry = make()
    registry._nearby = lambda: searches.append(1) or ()
    registry.all()
    registry.all()
    assert len(searches) == 1


def test_models_are_got_by_name_and_the_first_is_the_default(make):
    registry = make()
    assert registry.get("smollm2-135m").window_tokens == 2048
    assert registry.get("unknown") is None
    assert registry.default().name == "qwen2.5-coder-1.5b"


def test_a_changed_file_is_read_again(make, models_file):
    registry = make(GLASSBOX_MODELS=str(models_file))
    assert names(registry) == ["far"]
    models_file.write_text(FILE.replace("far", "other"))
    os.utime(models_file, ns=(1, 1))
    assert names(registry) == ["other"]


def test_an_unchanged_file_is_not_read_again(make, models_file):
    registry = make(GLASSBOX_MODELS=str(models_file))
    assert registry.all() is registry.all()


def test_a_file_that_breaks_while_running_changes_nothing_and_is_reported(
    make, models_file, caplog
):
    registry = make(GLASSBOX_MODELS=str(models_file))
    registry.all()
    models_file.write_text("[[models]]\n")
    os.utime(models_file, ns=(1, 1))
    assert names(registry) == ["far"]
    assert "name: is missing" in caplog.text
    registry.all()
    assert caplog.text.count("name: is missing") == 1


def test_a_file_that_vanishes_while_running_changes_nothing(make, models_file):
    registry = make(GLASSBOX_MODELS=str(models_file))
    registry.all()
    models_file.unlink()
    assert names(registry) == ["far"]


def test_a_file_that_was_never_there_is_an_error(make, tmp_path):
    with pytest.raises(ModelsFileError, match="cannot be read"):
        make(GLASSBOX_MODELS=str(tmp_path / "none.toml")).all()


def test_a_remote_model_is_asked_at_its_endpoint_with_its_key(make, models_file):
    registry = make(GLASSBOX_MODELS=str(models_file), FAR_KEY="k3y")
    (far,) = registry.all()
    assert registry.endpoint_of(far) == ("https://far.example.org/v1", "k3y")
    assert registry.state_of(far).state == "ready"


def test_a_remote_model_without_its_key_says_which_variable_to_set(make, models_file):
    registry = make(GLASSBOX_MODELS=str(models_file))
    (far,) = registry.all()
    assert registry.state_of(far).state == "failed"
    assert registry.state_of(far).detail == "far needs a key: set FAR_KEY."


def test_a_local_model_is_asked_where_the_supervisor_says_now(make, tmp_path):
    registry = make()
    local = registry.default()
    assert registry.endpoint_of(local) == (NOWHERE, "")
    ready = ModelStatus("ready", "Here.", None, "http://127.0.0.1:5/v1", "k1")
    write_status(tmp_path, {local.name: ready})
    assert registry.endpoint_of(local) == ("http://127.0.0.1:5/v1", "k1")
    again = ModelStatus("ready", "Here.", None, "http://127.0.0.1:6/v1", "k2")
    write_status(tmp_path, {local.name: again})
    assert registry.endpoint_of(local) == ("http://127.0.0.1:6/v1", "k2")


def test_a_local_model_on_its_way_has_a_state_and_no_address(make, tmp_path):
    registry = make()
    local = registry.default()
    write_status(tmp_path, {local.name: ModelStatus("downloading", "On its way.", 0.5)})
    state = registry.state_of(local)
    assert (state.state, state.detail, state.progress) == ("downloading", "On its way.", 0.5)
    assert registry.endpoint_of(local) == (NOWHERE, "")


def test_a_local_model_that_nobody_started_says_how_to_start_it(make):
    registry = make()
    assert registry.state_of(registry.default()).state == "stopped"
    assert "make run" in registry.state_of(registry.default()).detail


def test_other_processes_are_pinned_to_the_file_there_is(make, models_file, tmp_path):
    registry = make(GLASSBOX_MODELS=str(models_file))
    assert registry.pin(tmp_path / "run" / "found.toml") == models_file
    assert not (tmp_path / "run").exists()


def test_other_processes_are_pinned_to_what_was_found(make, tmp_path):
    registry = make(nearby=(spec("near"),))
    path = registry.pin(tmp_path / "run" / "found.toml")
    assert read_models(path) == registry.all()
