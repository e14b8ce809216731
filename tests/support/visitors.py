"""Three people at the running application: the owner, a stranger, and somebody not signed in."""

import asyncio
import re
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest_asyncio
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import AsyncClient
from django.urls import reverse

from chatapp.ids import new_id
from chatapp.runtime import runtime as runtimes
from chatapp.runtime.pool import in_pool
from chatapp.selectors.rows import TurnRow
from chatapp.selectors.turns import turn_row
from tests.support.people import Cast, branch_of

HTMX = {"HX-Request": "true"}
ARTICLE = re.compile(r'id="turn-([0-9a-f-]{36})"')
DEADLINE_S = 60.0


@dataclass(frozen=True)
class Visitors:
    """Clients of the cast; alice's conversation is the one that addresses are about."""

    people: Cast
    alice: AsyncClient
    mallory: AsyncClient
    anonymous: AsyncClient

    @property
    def conversation_id(self) -> UUID:
        """Alice's conversation."""
        return self.people.access.conversation.id

    def url(self, name: str, **more: object) -> str:
        """Return an address within alice's conversation."""
        return reverse(name, kwargs={"conversation_id": self.conversation_id, **more})

    async def draft(self, text: str, *, key: str = "") -> dict[str, Any]:
        """Return the fields of a message typed on alice's page as it is now."""
        branch = await in_pool(branch_of, self.people.access)
        return {
            "text": text,
            "key": key or new_id().hex,
            "branch": str(branch.id),
            "version": str(branch.version),
        }

    async def post(self, fields: dict[str, Any]) -> Any:
        """Send a drafted message as alice."""
        return await self.alice.post(self.url("turns"), fields, headers=HTMX)

    async def ask(self, text: str) -> UUID:
        """Send a message that must be accepted and return its turn, which then runs."""
        answer = await self.post(await self.draft(text))
        assert answer.status_code == 200, answer.text
        return turn_in(answer)

    async def row(self, turn_id: UUID) -> TurnRow:
        """Return a turn as it is now."""
        row = await in_pool(turn_row, self.people.access, turn_id)
        assert row is not None
        return row

    async def talk(self, text: str) -> TurnRow:
        """Take one whole turn and return it."""
        turn_id = await self.ask(text)
        await ended(turn_id)
        return await self.row(turn_id)


def turn_in(answer: Any) -> UUID:
    """Return the turn that a fragment shows."""
    found = ARTICLE.findall(answer.text)
    assert len(found) == 1, answer.text
    return UUID(found[0])


async def ended(turn_id: UUID) -> None:
    """Wait until a turn no longer runs in this process."""
    job = runtimes.current().jobs.get(turn_id)
    if job is not None:
        await asyncio.wait_for(job.ended.wait(), DEADLINE_S)


@pytest_asyncio.fixture
async def visitors(people) -> Visitors:
    """Return the cast at their browsers, with a runtime and the scripted provider behind."""
    clients = [AsyncClient() for _ in range(3)]
    for client, user in zip(clients, (people.alice, people.mallory), strict=False):
        await client.aforce_login(user)
    yield Visitors(people, *clients)
    # Signing in works in a thread of asgiref's, whose connection would outlive the test.
    await sync_to_async(connections.close_all)()
