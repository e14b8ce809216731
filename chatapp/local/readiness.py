"""Asks whether another process is ready."""

import asyncio
from collections.abc import Awaitable, Callable

from chatapp.local.machine import LOOPBACK

POLL_S = 0.05
HEALTH_PATH = "/healthz"
HOST_REFUSED = 400


async def wait_until(ready: Callable[[], Awaitable[bool]], limit_s: float) -> bool:
    """Ask again and again; returns whether it was ready within the limit."""
    try:
        async with asyncio.timeout(limit_s):
            # There is no event to wait for: the other process opens its socket when it is ready.
            while not await ready():  # noqa: ASYNC110
                await asyncio.sleep(POLL_S)
    except TimeoutError:
        return False
    return True


async def web_answers(port: int) -> bool:
    """Tell whether the web process on this machine serves pages."""
    status = await _http_status(port, HEALTH_PATH)
    # A list of allowed hosts without 127.0.0.1 refuses us, and shows that it is up.
    return status is not None and status <= HOST_REFUSED


async def _http_status(port: int, path: str) -> int | None:
    """Return the status of a GET on this machine, or None when nobody answers."""
    try:
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
    except OSError:
        return None
    try:
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: {LOOPBACK}\r\nConnection: close\r\n\r\n".encode()
        )
        line = await reader.readline()
        return int(line.split()[1])
    except (OSError, IndexError, ValueError):
        return None
    finally:
        writer.close()
