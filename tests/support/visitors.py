"""Three people at the running application: the owner, a stranger, and somebody not signed in."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest_asyncio
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import AsyncClient
from django.urls import reverse

from chatapp.ids import new_id
from chatapp.runtime.pool import in_pool
from tests.support.people import Cast, branch_of

HTMX = {"HX-Request": "true"}


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


@pytest_asyncio.fixture
async def visitors(people) -> Visitors:
    """Return the cast at their browsers, with a runtime and the scripted provider behind."""
    clients = [AsyncClient() for _ in range(3)]
    for client, user in zip(clients, (people.alice, people.mallory), strict=False):
        await client.aforce_login(user)
    yield Visitors(people, *clients)
    # Signing in works in a thread of asgiref's, whose connection would outlive the test.
    await sync_to_async(connections.close_all)()
