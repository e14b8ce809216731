"""Runs the provider as a process of its own: python -m tests.support.scripted_provider."""

import argparse
import asyncio
import contextlib
from pathlib import Path

from tests.support.scripted_provider.parsing import load_script
from tests.support.scripted_provider.server import DEFAULT_MODELS, Server


def main() -> None:
    """Read the command line and serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    parser.add_argument("--script", type=Path, help="JSON file of rules, queue and fallback")
    parser.add_argument("--model", action="append", help="a model to list; may be repeated")
    options = parser.parse_args()
    server = Server(tuple(options.model or DEFAULT_MODELS))
    if options.script is not None:
        load_script(options.script, server.script)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(server, options.port))


async def serve(server: Server, port: int) -> None:
    """Listen, print the address and go on until cancelled."""
    listener = await server.listen(port)
    print(f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}", flush=True)
    await listener.serve_forever()


if __name__ == "__main__":
    main()
