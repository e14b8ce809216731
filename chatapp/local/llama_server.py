"""Serves one local model with llama.cpp's OpenAI-compatible server, on loopback and with a key.

    python -m chatapp.local.llama_server FILE --name NAME

The key comes from the variable GLASSBOX_LOCAL_KEY, never from the command line. The one line on
standard output says where the server listens, once the model is ready.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from threading import Event
from typing import Protocol

from chatapp.local.machine import LOOPBACK

PACKAGE = "xllamacpp"
KEY_VARIABLE = "GLASSBOX_LOCAL_KEY"
LISTENS = "listens on "
# A cancelled request is noticed between two batches: at 50 tokens a second these take 1.3 s.
# Measured on two cores, batches of 64 prefill as fast as batches of 256, which take 5 s.
BATCH_TOKENS = 64
# Warnings and errors only: from level 3 on there is a line for every request.
VERBOSITY = 2


def main(argv: Sequence[str], environ: Mapping[str, str]) -> int:
    """Serve until a signal ends the process."""
    options = _parser().parse_args(argv)
    key = environ.get(KEY_VARIABLE, "")
    if not key:
        sys.stderr.write(f"{KEY_VARIABLE} is not set: a server without a key is not started.\n")
        return 2
    server = start(options, key)
    sys.stdout.write(f"{LISTENS}{server.listening_address}\n")
    sys.stdout.flush()
    # The server has threads of its own; a signal ends the process by its default action.
    Event().wait()
    return 0


class Listening(Protocol):
    """A server that runs as long as this object lives."""

    listening_address: str


def start(options: argparse.Namespace, key: str) -> Listening:
    """Load the model and listen: one window for each slot, nothing open that is not needed."""
    # Threads that spin while they wait starve each other when another program wants a core: on
    # two cores with one busy, 2 tokens a second instead of 14. Read when the library is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    # By name: it loads 100 MB of native code, has no types, and is missing on some machines.
    library = import_module(PACKAGE)
    params = library.CommonParams()
    params.model.path = options.file
    params.model_alias = {options.name}
    params.hostnames = [LOOPBACK]
    params.port = options.port
    params.api_keys = [key]
    params.n_ctx = options.window * options.slots
    params.n_parallel = options.slots
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options.threads
    params.cache_ram_mib = options.cache_ram_mib
    params.verbosity = VERBOSITY
    params.ui = params.endpoint_slots = params.endpoint_metrics = False
    # The header becomes empty, which is no origin at all: a browser shows the answer to no page.
    params.cors_origins = params.cors_methods = params.cors_headers = ""
    params.cors_origins_explicit = True
    params.cors_credentials = False
    server: Listening = library.Server(params)
    return server


def is_installed() -> bool:
    """Tell whether this machine has the package that serves models."""
    return find_spec(PACKAGE) is not None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="llama_server")
    parser.add_argument("file", help="the weights, in GGUF form")
    parser.add_argument("--name", required=True, help="what the server calls the model")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--window", type=int, default=4096, help="tokens of one slot")
    parser.add_argument("--slots", type=int, default=2, help="requests served side by side")
    parser.add_argument("--cache-ram-mib", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
