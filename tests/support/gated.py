"""Answers that a test lets out word by word, and pages that follow them."""

import asyncio
from typing import Any

from tests.support.scripted_provider.replies import Reply
from tests.support.scripted_provider.steps import Done, Finish, Hold, Step, Text
from tests.support.scripted_provider.thread import ProviderThread


def gated(*texts: str) -> Reply:
    """Return an answer with a gate before every text but the first: g1, g2 and so on."""
    steps: list[Step] = [Text(texts[0])]
    for number, text in enumerate(texts[1:], start=1):
        steps += [Hold(f"g{number}"), Text(text)]
    return Reply((*steps, Hold("end"), Finish(), Done()))


async def written(provider: ProviderThread, page: Any, *gates: str) -> None:
    """Let an answer go on to a gate after the other, and see each part arrive in one page."""
    for gate in gates:
        await asyncio.to_thread(provider.wait_held, gate)
        seen = len(page.frames)
        provider.release(gate)
        while len(page.frames) == seen:
            await page.frame()
