"""kill -9 in the middle of learning: every turn is learned once, and nothing waits in the end."""

import asyncio
import os
import random
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.client import ChatClient
from tests.support.installation import Installation
from tests.support.labels import asked, labelled, questions
from tests.support.postgres import fresh_database
from tests.support.scripted_provider.record import Recorded
from tests.support.scripted_provider.replies import Reply, answer
from tests.support.scripted_provider.thread import ProviderThread
from tests.support.skips import postgres_url
from tests.support.worker_process import WorkerProcess

pytestmark = pytest.mark.crash

KILLS = int(os.environ.get("GLASSBOX_KILLS") or 10)
SEED_VARIABLE = "GLASSBOX_CRASH_SEED"
SETTLE_LIMIT_S = 120.0
CALL_LIMIT_S = 60.0
"""A worker that has just begun loads its libraries before it asks."""

WAKE_S = 0.1
"""Within so long after a commit a worker loads the turn."""
THINK_S = 0.1
WRITE_S = 0.3
"""Within so long after the answer it is kept and the delta written."""
HOUSE = re.compile(r"garden of (\w+)")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "sqlite":
        yield ""
        return
    with fresh_database(postgres_url()) as url:
        yield url


@pytest.fixture
def for_memory() -> bool:
    return True


@dataclass
class Scene:
    """One turn whose learning is cut off."""

    provider: ProviderThread
    moments: random.Random
    house: str

    @property
    def sentence(self) -> str:
        """What only a model can label, and what no other turn says."""
        return f"The garden of {self.house} faces the old mill."

    async def before_the_call(self) -> None:
        """Wait for a moment at which the worker loads the turn, or asks already."""
        await asyncio.sleep(self.moments.uniform(0.0, WAKE_S))

    async def in_the_call(self) -> None:
        """Wait for a moment while the model works."""
        await self._held()
        await asyncio.sleep(self.moments.uniform(0.0, THINK_S))

    async def after_the_answer(self) -> None:
        """Wait for a moment at which the answer is kept or the delta written."""
        await self._held()
        (question,) = [one for one in questions(self.provider) if self.house in one.last_user_text]
        self.provider.release(self.house)
        finished = self.provider.log.wait_finished
        await asyncio.to_thread(finished, question, deadline_s=CALL_LIMIT_S)
        await asyncio.sleep(self.moments.uniform(0.0, WRITE_S))

    async def _held(self) -> None:
        held = self.provider.gates.wait_held
        await asyncio.to_thread(held, self.house, deadline_s=CALL_LIMIT_S)


MOMENTS: tuple[Callable[[Scene], Awaitable[None]], ...] = (
    Scene.before_the_call,
    Scene.in_the_call,
    Scene.after_the_answer,
)


def answer_at_its_gate(request: Recorded) -> Reply:
    """Answer a chat at once, and a question about a house when its gate opens."""
    if request.streams:
        return answer("I see.")
    reply = labelled(dict.fromkeys(asked(request), "fact"))
    house = HOUSE.search(request.last_user_text)
    return Reply(reply.steps, head_gate=house[1] if house else None)


async def test_kills_lose_and_double_nothing(
    installation: Installation, provider: ProviderThread, capsys: pytest.CaptureFixture[str]
):
    seed = int(os.environ.get(SEED_VARIABLE) or random.SystemRandom().randrange(1 << 32))
    moments = random.Random(seed)
    provider.script.fallback = answer_at_its_gate
    killed: Counter[str] = Counter()
    texts: list[str] = []
    with installation.web() as web:
        async with ChatClient(web.url) as client:
            for kill in range(KILLS):
                scene = Scene(provider, moments, house_of(kill))
                moment = MOMENTS[kill % len(MOMENTS)]
                with installation.worker() as worker:
                    texts += await say_and_kill(client, scene, worker, moment)
                killed[moment.__name__] += 1
        with installation.worker():
            turns = await settled(installation)

    report(capsys, killed, questions(provider), turns, seed)
    assert sorted(turn["status"] for turn in turns) == ["committed"] * 2 * KILLS
    for turn in turns:
        assert (turn["deltas"], turn["transitions"], turn["waiting"]) == (1, 1, []), turn
    # What was said at the end of each path remembers all that was said on it.
    assert sorted(text for turn in turns[1::2] for text in turn["entries"]) == sorted(texts)
    assert f"of {KILLS} conversations verified" in installation.manage("verify_log")


def house_of(kill: int) -> str:
    """Return a name without a number, which rules would take for an exact value."""
    return f"{chr(97 + kill // 26)}{chr(97 + kill % 26)}ton"


async def say_and_kill(
    client: ChatClient,
    scene: Scene,
    worker: WorkerProcess,
    moment: Callable[[Scene], Awaitable[None]],
) -> list[str]:
    """Take a turn, kill the worker on its way, and take another that nobody learns meanwhile."""
    conversation = await client.create()
    later = f"The cellar of {scene.house} is painted white."
    await say(client, conversation, scene.sentence)
    await moment(scene)
    worker.kill()
    scene.provider.release(scene.house)
    await say(client, conversation, later)
    return [scene.sentence, later]


async def say(client: ChatClient, conversation: str, text: str) -> None:
    """Take one whole turn."""
    async with client.watch(conversation) as watcher:
        (await client.send(conversation, text)).raise_for_status()
        await watcher.wait_status("committed")


async def settled(installation: Installation) -> list[dict[str, Any]]:
    """Return all turns once nothing waits any more, or what waits when the time is over."""
    deadline = time.monotonic() + SETTLE_LIMIT_S
    while True:
        turns = installation.learned()
        if time.monotonic() > deadline or not any(turn["waiting"] for turn in turns):
            # Rows that were read while the worker still wrote are of several moments.
            return installation.learned()
        # Another process changes the database: there is no event to wait for.
        await asyncio.sleep(1.0)


def report(
    capsys: pytest.CaptureFixture[str],
    killed: Counter[str],
    asked_for: list[Recorded],
    turns: list[dict[str, Any]],
    seed: int,
) -> None:
    """Print what was counted."""
    calls = Counter(question.last_user_text for question in asked_for)
    answered = Counter(one.last_user_text for one in asked_for if one.finished_at is not None)
    with capsys.disabled():
        print(f"\n{KILLS} kills: {dict(killed)}; {len(turns)} turns committed and learned")
        print(f"{len(asked_for)} label calls for {len(calls)} questions; answered more than once:")
        print(f"{sum(count > 1 for count in answered.values())} (killed before it was kept)")
        print(f"{SEED_VARIABLE}={seed} repeats the moments")
