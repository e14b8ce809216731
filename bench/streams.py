"""Row 2: how many streams of 50 tokens a second one web process serves in time."""

import asyncio
import re
import time
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

from bench.figures import Figures
from bench.setting import Provider
from tests.support.client import ChatClient, Watcher

TOKENS_PER_S = 50
LIMIT_MS = 50.0
"""A token may be this late at the 95th percentile."""
STEPS = (25, 50, 75, 100, 150, 200, 250, 300)
MEASURED_S = 6
RAMP_S = 5.0
RAMP_PER_STREAM_S = 0.12
"""Tokens go on for this long beside the measured time, while the streams start one by one."""
STARTS_AT_ONCE = 8
STAMP = re.compile(r"\d{12,}")


class Load(NamedTuple):
    """What one number of streams led to."""

    streams: int
    lateness: Figures
    """From the moment the provider sent a token to its arrival on the socket."""
    tokens: int


async def measure(url: str, provider: Provider) -> list[Load]:
    """Return the loads up to the first that is too much."""
    loads: list[Load] = []
    for streams in STEPS:
        loads.append(await measure_load(url, provider, streams))
        if loads[-1].lateness.p95_ms >= LIMIT_MS:
            break
    return loads


async def measure_load(url: str, provider: Provider, streams: int) -> Load:
    """Return the lateness of tokens under one number of streams."""
    count = round(TOKENS_PER_S * (RAMP_S + RAMP_PER_STREAM_S * streams + MEASURED_S))
    provider.answer_always(reply="paced", count=count, per_second=TOKENS_PER_S)
    async with ChatClient(url) as client, AsyncExitStack() as stack:
        conversations = [await client.create() for _ in range(streams)]
        watchers = [
            await stack.enter_async_context(client.watch(conversation))
            for conversation in conversations
        ]
        await start_all(client, conversations)
        await asyncio.gather(*map(first_text, watchers))
        from_ns = time.monotonic_ns()
        await asyncio.sleep(MEASURED_S)
        until_ns = time.monotonic_ns()
        late_ns = [late for w in watchers for late in lateness(w, from_ns, until_ns)]
        await asyncio.gather(*(watcher.wait_status("committed") for watcher in watchers))
    return Load(streams, Figures.of_ns(late_ns), len(late_ns))


async def start_all(client: ChatClient, conversations: list[str]) -> None:
    """Post one message to every conversation, a few at once."""
    gate = asyncio.Semaphore(STARTS_AT_ONCE)

    async def start(conversation: str) -> None:
        async with gate:
            (await client.send(conversation, "Count.")).raise_for_status()

    await asyncio.gather(*(start(conversation) for conversation in conversations))


async def first_text(watcher: Watcher) -> None:
    """Wait until a stream has begun."""
    await watcher.wait(lambda view: any(a.seq for a in view.answers.values()), "the first text")


def lateness(watcher: Watcher, from_ns: int, until_ns: int) -> list[int]:
    """Return for each token of the measured time how late it came, in nanoseconds."""
    return [
        arrived_ns - int(stamp)
        for frame, arrived_ns in zip(watcher.frames, watcher.arrivals_ns, strict=True)
        if frame["kind"] == "delta"
        for stamp in stamps(frame)
        if from_ns <= int(stamp) < until_ns
    ]


def stamps(frame: dict[str, Any]) -> list[str]:
    """Return the times in the text of a frame."""
    return STAMP.findall(frame["text"])
