"""Row 1: time to the first token through the application, and straight from the provider."""

import asyncio
import time
from typing import Any, NamedTuple

from openai import AsyncOpenAI

from bench.figures import Figures
from bench.long_conversation import ENTRIES, TURNS
from bench.setting import Application, Provider
from tests.support.client import ChatClient, Watcher
from tests.support.installation import Installation

ANSWER = "Thank you, that is noted. The parcel leaves on Tuesday and needs about three days."
QUESTION = (
    "Please note for order 48371: the jacket is blue, and the parcel must not come on Friday."
)
CONVERSATIONS = 10
TURNS_FROM = 18
TURNS_TO = 22
"""Each conversation is measured from 18 to 22 turns: 20 in the mean, 50 measurements in all."""
MEASURED = 50
LENGTH = 15
"""Of the message that the long conversation is made of: three hundred tokens and more."""


class FirstToken(NamedTuple):
    """What a kind of conversation comes to."""

    conversation: str
    through: Figures
    straight: Figures


async def measure(application: Application, provider: Provider) -> list[FirstToken]:
    """Return the figures through the application and straight, measured in turns."""
    provider.answer_always(reply="answer", text=ANSWER)
    direct = AsyncOpenAI(base_url=provider.base_url, api_key="none", max_retries=0)
    async with direct, ChatClient(application.url) as client:
        await warm_up(client, direct, provider)
        return [
            await measure_short(client, direct, provider),
            await measure_long(client, direct, provider, application.installation),
        ]


async def measure_short(client: ChatClient, direct: AsyncOpenAI, provider: Provider) -> FirstToken:
    """Return the figures of conversations of twenty turns, which the window holds whole."""
    through: list[int] = []
    straight: list[int] = []
    for _ in range(CONVERSATIONS):
        conversation = await client.create()
        async with client.watch(conversation) as watcher:
            for turn in range(TURNS_TO + 1):
                elapsed_ns = await ask(client, watcher, conversation)
                if turn >= TURNS_FROM:
                    through.append(elapsed_ns)
                    straight.append(await ask_straight(direct, provider.last_request()))
    return FirstToken("20 turns", Figures.of_ns(through), Figures.of_ns(straight))


async def measure_long(
    client: ChatClient, direct: AsyncOpenAI, provider: Provider, installation: Installation
) -> FirstToken:
    """Return the figures of a conversation that remembers what its window does not show."""
    through: list[int] = []
    straight: list[int] = []
    conversation = await client.create()
    provider.answer_always(reply="answer", text=ANSWER * LENGTH)
    async with client.watch(conversation) as watcher:
        await ask(client, watcher, conversation, QUESTION * LENGTH)
    await asyncio.to_thread(installation.run, "-m", "bench.long_conversation", conversation)
    provider.answer_always(reply="answer", text=ANSWER)
    async with client.watch(conversation) as watcher:
        for _ in range(MEASURED):
            through.append(await ask(client, watcher, conversation))
            straight.append(await ask_straight(direct, provider.last_request()))
    return FirstToken(
        f"{TURNS} turns that remember {ENTRIES} sentences, outside the window",
        Figures.of_ns(through),
        Figures.of_ns(straight),
    )


async def warm_up(client: ChatClient, direct: AsyncOpenAI, provider: Provider) -> None:
    """Let both sides import, compile and connect before anything is measured."""
    conversation = await client.create()
    async with client.watch(conversation) as watcher:
        for _ in range(3):
            await ask(client, watcher, conversation)
            await ask_straight(direct, provider.last_request())


async def ask(
    client: ChatClient, watcher: Watcher, conversation: str, question: str = QUESTION
) -> int:
    """Send one message; return the nanoseconds from the post to the first text on the socket."""
    draft = await client.draft(conversation, question)
    frames_before = len(watcher.frames)
    turns_before = committed(watcher)
    started_ns = time.monotonic_ns()
    posting = asyncio.create_task(draft.post())
    await watcher.wait(lambda _view: has_text(watcher, frames_before), "the first text")
    first = next(
        n for n in range(frames_before, len(watcher.frames)) if carries_text(watcher.frames[n])
    )
    (await posting).raise_for_status()
    await watcher.wait(lambda _view: committed(watcher) > turns_before, "the commit")
    return watcher.arrivals_ns[first] - started_ns


async def ask_straight(direct: AsyncOpenAI, request: dict[str, Any]) -> int:
    """Send the same request straight; return the nanoseconds to its first text."""
    started_ns = time.monotonic_ns()
    elapsed_ns = 0
    async with await direct.chat.completions.create(**request) as stream:
        async for chunk in stream:
            if not elapsed_ns and chunk.choices and chunk.choices[0].delta.content:
                elapsed_ns = time.monotonic_ns() - started_ns
    return elapsed_ns


def has_text(watcher: Watcher, start: int) -> bool:
    """Return whether a frame from this one on carries answer text."""
    return any(carries_text(frame) for frame in watcher.frames[start:])


def carries_text(frame: dict[str, Any]) -> bool:
    """Return whether a frame carries answer text."""
    return bool(
        frame["kind"] in {"delta", "blocks"}
        # A whole answer may be there before the page has drawn its turn.
        or (frame["kind"] == "turn" and frame["status"] == "committed")
        or (frame["kind"] == "start" and (frame["tail"] or frame["blocks"]))
    )


def committed(watcher: Watcher) -> int:
    """Return how many turns the page has seen committed."""
    return sum(status == "committed" for status in watcher.view.status.values())
