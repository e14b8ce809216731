"""Models for memory at the scripted provider, and the labels that they give."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from chatapp.llm.registry import default_registry
from chatapp.local.board import StatusBoard
from tests.support.installation import models_toml
from tests.support.scripted_provider.record import Recorded
from tests.support.scripted_provider.replies import Reply, answer
from tests.support.scripted_provider.script import Answerer
from tests.support.scripted_provider.thread import ProviderThread

OPEN = "The garden of our house faces the old mill."
"""A sentence that rules do not settle, so that a model is asked about it."""
SETTLED = "Never mention my employer."
"""A sentence that rules settle."""


@pytest.fixture
def memory_models(scripted_models: Path, provider: ProviderThread) -> Path:
    """Let the models of the scripted provider label sentences too."""
    scripted_models.write_text(models_toml(provider.base_url, for_memory=True), encoding="utf-8")
    return scripted_models


@pytest.fixture
def local_models(
    scripted_models: Path, provider: ProviderThread, tmp_path, settings
) -> StatusBoard:
    """Let them be local ones, which share a processor; return the board that says what they do."""
    settings.DATA_DIR = tmp_path
    scripted_models.write_text(models_toml("", for_memory=True), encoding="utf-8")
    default_registry.cache_clear()
    board = StatusBoard(tmp_path)
    for name in ("scripted", "second"):
        board.put(name, "ready", "It answers.", endpoint=provider.base_url)
    return board


def label_all(label: str = "fact") -> Answerer:
    """Return what gives every sentence that is asked about the same label."""
    return lambda request: labelled(dict.fromkeys(asked(request), label))


def labelled(labels: Mapping[str, str]) -> Reply:
    """Return an answer with these labels by number."""
    return answer(json.dumps(labels))


def asked(request: Recorded) -> list[str]:
    """Return the numbers that a request asks about."""
    form = request.body["response_format"]["json_schema"]["schema"]
    return list(form["required"])


def questions(provider: ProviderThread) -> list[Recorded]:
    """Return the requests that asked for labels."""
    return [request for request in provider.chats if not request.streams]
