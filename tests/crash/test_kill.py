"""Twenty times kill -9 in the middle of answers: nothing that was said may be lost or doubled."""

import asyncio
import os
import random
import time
from collections import Counter
from typing import Any

import pytest

from tests.support.client import DEADLINE_S, ChatClient
from tests.support.installation import Installation
from tests.support.scripted_provider.record import Recorded
from tests.support.scripted_provider.replies import Reply, answer
from tests.support.scripted_provider.thread import ProviderThread
from tests.support.web_process import WebProcess

pytestmark = pytest.mark.crash

KILLS = 20
CONVERSATIONS = 3
"""Messages that are under way at each kill."""
CHUNKS = 40
DELAY_S = 0.03
LONGEST_LIFE_S = CHUNKS * DELAY_S * 2
"""Half of the kills come after the last chunk: around the commit, and after it."""
SEED_VARIABLE = "GLASSBOX_CRASH_SEED"


def slow_answer(request: Recorded) -> Reply:
    """Return many words that name the question, so that answers cannot be mixed up."""
    return answer(answer_to(request.last_user_text), delay_s=DELAY_S)


def answer_to(question: str) -> str:
    return " ".join([f"[{question}]", *(f"word{number}" for number in range(CHUNKS))])


async def test_twenty_kills_lose_and_double_nothing(
    installation: Installation, provider: ProviderThread, capsys: pytest.CaptureFixture[str]
):
    seed = int(os.environ.get(SEED_VARIABLE) or random.SystemRandom().randrange(1 << 32))
    moments = random.Random(seed)
    provider.script.fallback = slow_answer
    posted: list[str] = []
    for kill in range(KILLS):
        with installation.web(f"web{kill}") as web:
            posted += await post_and_kill(web, kill, moments.uniform(0.0, LONGEST_LIFE_S))

    turns = await settled(installation)

    statuses = Counter(turn["status"] for turn in turns)
    with capsys.disabled():
        print(f"\n{KILLS} kills, {len(posted)} messages accepted: {dict(statuses)}")
        print(f"{SEED_VARIABLE}={seed} repeats the moments")
    assert sorted(text for turn in turns for text in turn["inputs"]) == sorted(posted)
    for turn in turns:
        assert_whole(turn)
    assert statuses["interrupted"] > 0, "no kill hit a running answer"
    assert statuses["committed"] > 0, "no kill came after a commit"
    # It exits with 1, which fails the test, when the chain is not what was written.
    assert f"of {KILLS * CONVERSATIONS} conversations verified" in installation.manage("verify_log")


async def post_and_kill(web: WebProcess, kill: int, life_s: float) -> list[str]:
    """Post messages, kill the process after a while; return the texts that it had accepted."""
    async with ChatClient(web.url) as client:
        conversations = [await client.create() for _ in range(CONVERSATIONS)]
        texts = [f"question {kill}.{number}" for number in range(CONVERSATIONS)]
        answers = await asyncio.gather(*map(client.send, conversations, texts))
        for response in answers:
            response.raise_for_status()
        # The moment itself is what is random here; nothing is waited for.
        await asyncio.sleep(life_s)
        web.kill()
    return texts


async def settled(installation: Installation) -> list[dict[str, Any]]:
    """Return all turns once a fresh process has brought each of them to an end state.

    Raises:
        AssertionError: when one still runs after 30 seconds.
    """
    with installation.web("last"):
        deadline = time.monotonic() + DEADLINE_S
        while True:
            turns = installation.ledger()
            running = [turn for turn in turns if turn["status"] == "running"]
            if not running:
                return turns
            assert time.monotonic() < deadline, f"still running: {running}"
            # Another process changes the database: there is no event to wait for.
            await asyncio.sleep(0.5)


def assert_whole(turn: dict[str, Any]) -> None:
    """Check that a turn has its input, and its whole answer exactly when it is committed."""
    (question,) = turn["inputs"]
    if turn["status"] == "committed":
        assert turn["answers"] == [answer_to(question)]
    else:
        assert turn["status"] == "interrupted"
        assert turn["answers"] == []
