"""A call to a local model gives way to answers that somebody waits for: one processor serves both.

A call that is cut off is made again; the server has the beginning of its prompt in its cache.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

R = TypeVar("R")

POLL_S = 0.25
PATIENCE_S = 120.0
"""How long a call gives way in all; then it runs to its end, so that memory comes some time."""


async def giving_way(
    ask: Callable[[], Coroutine[Any, Any, R]], is_busy: Callable[[], Awaitable[bool]]
) -> R:
    """Return what a call brings that is made only while nobody else needs the model.

    Args:
        ask: makes the call; cancelled and made again where an answer begins.
        is_busy: tells whether somebody waits for an answer.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + PATIENCE_S
    while True:
        while loop.time() < deadline and await is_busy():  # noqa: ASYNC110  # rows give no notice
            await asyncio.sleep(POLL_S)
        call = asyncio.create_task(ask())
        try:
            while not call.done() and not (loop.time() < deadline and await is_busy()):
                await asyncio.wait({call}, timeout=POLL_S)
            if call.done():
                return call.result()
        finally:
            await _cut_off(call)


async def _cut_off(call: "asyncio.Task[Any]") -> None:
    """Let no call go on in secret; one that has ended already is left as it is."""
    call.cancel()
    await asyncio.wait({call})
    if not call.cancelled():
        # Whatever it was: it is asked again, or was taken.
        call.exception()
