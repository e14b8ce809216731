"""What the first turn needs is loaded at start, and a failure to load it stops nothing."""

import gc
import sys

import pytest

from chatapp.runtime import warmup


@pytest.fixture(autouse=True)
def thawed():
    yield
    gc.unfreeze()


def test_it_loads_the_client_and_sets_what_stays_aside():
    warmup.warm_up()

    assert "openai" in sys.modules
    assert gc.get_freeze_count() > 0


def test_a_failure_is_logged_and_stops_nothing(monkeypatch, caplog):
    def broken(text):
        raise OSError("no ranks")

    monkeypatch.setattr(warmup, "count_reference", broken)

    warmup.warm_up()

    assert "Warming up failed" in caplog.text
