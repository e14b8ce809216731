import os
import sys
from types import ModuleType, SimpleNamespace

import pytest

from chatapp.local import llama_server
from chatapp.local.llama_server import KEY_VARIABLE, LISTENS, is_installed, main, start


class FakeLibrary(ModuleType):
    """Has the two names of xllamacpp that are used."""

    def __init__(self):
        super().__init__("xllamacpp")
        self.params = SimpleNamespace(
            model=SimpleNamespace(),
            cpuparams=SimpleNamespace(),
            cpuparams_batch=SimpleNamespace(),
        )
        self.CommonParams = lambda: self.params
        self.Server = self.serve

    def serve(self, params):
        assert params is self.params
        return SimpleNamespace(listening_address="http://127.0.0.1:5")


@pytest.fixture
def library(monkeypatch):
    fake = FakeLibrary()
    monkeypatch.setitem(sys.modules, "xllamacpp", fake)
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    return fake


def options(*words):
    return llama_server._parser().parse_args(["weights.gguf", "--name", "tiny", *words])


def test_it_listens_on_loopback_with_a_key(library):
    start(options("--port", "5"), "s3cret")
    assert library.params.hostnames == ["127.0.0.1"]
    assert library.params.port == 5
    assert library.params.api_keys == ["s3cret"]


def test_every_slot_has_a_whole_window(library):
    start(options("--window", "1000", "--slots", "3"), "s3cret")
    assert library.params.n_ctx == 3000
    assert library.params.n_parallel == 3


def test_nothing_is_open_that_is_not_needed(library):
    start(options(), "s3cret")
    params = library.params
    assert not any((params.ui, params.endpoint_slots, params.endpoint_metrics))
    assert (params.cors_origins, params.cors_origins_explicit) == ("", True)
    assert params.cors_credentials is False


def test_the_memory_for_prompts_is_bounded(library):
    start(options("--cache-ram-mib", "77"), "s3cret")
    assert library.params.cache_ram_mib == 77


def test_batches_are_small_so_that_a_cancelled_prompt_is_noticed_soon(library):
    start(options(), "s3cret")
    assert library.params.n_batch == library.params.n_ubatch == 64


def test_waiting_threads_leave_the_processor_to_others_unless_told_otherwise(library, monkeypatch):
    monkeypatch.delenv("OMP_WAIT_POLICY")
    start(options(), "s3cret")
    assert os.environ["OMP_WAIT_POLICY"] == "passive"
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    start(options(), "s3cret")
    assert os.environ["OMP_WAIT_POLICY"] == "active"


def test_a_server_without_a_key_is_not_started(library, capsys):
    assert main(["weights.gguf", "--name", "tiny"], {}) == 2
    assert KEY_VARIABLE in capsys.readouterr().err
    assert not hasattr(library.params, "port")


def test_the_address_is_printed_once_it_listens(library, capsys, monkeypatch):
    monkeypatch.setattr(llama_server, "Event", lambda: SimpleNamespace(wait=lambda: None))
    assert main(["weights.gguf", "--name", "tiny"], {KEY_VARIABLE: "s3cret"}) == 0
    assert capsys.readouterr().out == f"{LISTENS}http://127.0.0.1:5\n"


def test_a_machine_without_the_package_is_known(monkeypatch):
    monkeypatch.setattr(llama_server, "PACKAGE", "package_that_is_not_there")
    assert not is_installed()
