from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from chatapp.llm.openai_chat import Endpoint
from chatapp.llm.registry import ModelState
from chatapp.local.faults import LocalError
from chatapp.local.probing import Answer
from chatapp.management.commands import models
from statecore.models import ModelSpec

ONE = ModelSpec(
    "one", "http://127.0.0.1:9/v1", "remote-one", 4096, 512, "o200k_base", expect="Quick."
)
TWO = ModelSpec("two", "http://127.0.0.1:9/v1", "remote-two", 8192, 512, "o200k_base")


@pytest.fixture
def setting(monkeypatch, settings, tmp_path):
    """Two models, of which the second is not ready."""
    settings.DATA_DIR = tmp_path
    states = {"one": ModelState("ready", "Here."), "two": ModelState("failed", "two needs a key.")}
    found = SimpleNamespace(all=lambda: (ONE, TWO))
    monkeypatch.setattr(models, "registry", lambda: found)
    monkeypatch.setattr(models, "model_status", lambda spec: states[spec.name])
    monkeypatch.setattr(models, "endpoint_of", lambda spec: Endpoint(spec.endpoint, "k3y"))
    return states


def run(*words):
    with pytest.raises(SystemExit) as ended:
        call_command("models", *words)
    return ended.value.code


def test_all_models_are_listed_in_their_order(setting, capsys):
    assert run("list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "one: ready. Here."
    assert "window 4,096 tokens" in lines[1]
    assert lines[2].strip() == "Quick."
    assert lines[3] == "two: failed. two needs a key."


def test_a_check_asks_the_server_by_its_own_name_for_the_model(setting, monkeypatch, capsys):
    asked = []

    def ask_once(*words, **_more):
        asked.append(words)
        return Answer(12)

    monkeypatch.setattr(models, "ask_once", ask_once)
    assert run("check", "one") == 0
    assert asked == [("http://127.0.0.1:9/v1", "k3y", "remote-one")]
    assert capsys.readouterr().out == "one: ready, one word took 12 ms.\n"


def test_a_check_says_what_is_wrong(setting, monkeypatch, capsys):
    monkeypatch.setattr(models, "ask_once", lambda *_args, **_more: Answer(12, "it is asleep."))
    assert run("check", "one") == 1
    assert capsys.readouterr().out == "one: it is asleep.\n"


def test_a_model_that_is_not_ready_is_not_asked(setting, monkeypatch, capsys):
    monkeypatch.setattr(models, "ask_once", lambda *_args, **_more: pytest.fail("asked"))
    assert run("check", "two") == 1
    assert capsys.readouterr().out == "two: failed. two needs a key.\n"


def test_a_check_of_all_fails_when_one_does(setting, monkeypatch):
    monkeypatch.setattr(models, "ask_once", lambda *_args, **_more: Answer(12))
    assert run("check") == 1
    setting["two"] = ModelState("ready", "Here.")
    assert run("check") == 0


def test_an_unknown_model_is_refused_with_the_names_there_are(setting, capsys):
    assert run("check", "three") == 1
    assert "the models are: one, two." in capsys.readouterr().err


def test_a_model_is_pulled_with_progress(setting, monkeypatch, capsys, tmp_path):
    def ensure(data_dir, model, *, on_progress, cancelled):
        assert not cancelled.is_set()
        on_progress(model.size_bytes, model.size_bytes)
        return data_dir / "models" / "it.gguf"

    monkeypatch.setattr(models, "ensure_weights", ensure)
    assert run("pull", "smollm2-135m") == 0
    output = capsys.readouterr()
    assert f"smollm2-135m is in {tmp_path}" in output.out
    assert "smollm2-135m 100%" in output.err


def test_a_broken_pull_is_one_sentence(setting, monkeypatch, capsys):
    def ensure(*_args, **_more):
        raise LocalError("The network is down.")

    monkeypatch.setattr(models, "ensure_weights", ensure)
    assert run("pull", "smollm2-135m") == 1
    assert capsys.readouterr().err == "The network is down.\n"


def test_ctrl_c_while_pulling_says_that_parts_are_kept(setting, monkeypatch, capsys):
    def ensure(*_args, **_more):
        raise KeyboardInterrupt

    monkeypatch.setattr(models, "ensure_weights", ensure)
    assert run("pull", "smollm2-135m") == 130
    assert "parts are kept" in capsys.readouterr().err


@pytest.mark.parametrize(("sound", "code", "words"), [(True, 0, "whole"), (False, 1, "damaged")])
def test_weights_that_are_here_are_checked_again(setting, monkeypatch, capsys, sound, code, words):
    monkeypatch.setattr(models, "weights_are_here", lambda *_: True)
    monkeypatch.setattr(models, "weights_are_sound", lambda *_: sound)
    assert run("pull", "smollm2-135m") == code
    assert words in capsys.readouterr().out


def test_only_models_of_the_catalogue_can_be_pulled(setting):
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("models", "pull", "gpt-4o")
