"""The runtime's own threads for database work, each with its own lasting connection.

`sync_to_async` outside a request has one thread for the whole process; a slow query there would
stop every stream.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from threading import Barrier
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, InterfaceError, connections

P = ParamSpec("P")
R = TypeVar("R")

THREADS = 4

_executor: ThreadPoolExecutor | None = None


def _pool() -> ThreadPoolExecutor:
    global _executor  # noqa: PLW0603  # one pool for the process, made at first use
    if _executor is None:
        _executor = ThreadPoolExecutor(THREADS, thread_name_prefix="runtime")
    return _executor


async def in_pool(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a blocking function in the runtime's threads and return its result."""
    loop = asyncio.get_running_loop()
    # The language of the request goes along.
    job = partial(_run, function, *args, **kwargs)
    return await loop.run_in_executor(_pool(), copy_context().run, job)


def _run(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return function(*args, **kwargs)
    except (DatabaseError, InterfaceError):
        # A server that was restarted leaves dead connections behind: the next call makes new ones.
        for connection in connections.all(initialized_only=True):
            if not connection.in_atomic_block:
                connection.close_if_unusable_or_obsolete()
        raise


def close_pool() -> None:
    """End the threads and close their connections."""
    global _executor  # see above
    executor, _executor = _executor, None
    if executor is None:
        return
    # One job a thread, as many as there may ever be: the barrier keeps a thread from taking two.
    barrier = Barrier(THREADS)
    for _ in range(THREADS):
        executor.submit(_close_connections, barrier)
    executor.shutdown(wait=True)


def _close_connections(barrier: Barrier) -> None:
    connections.close_all()
    barrier.wait(timeout=5)
