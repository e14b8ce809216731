"""Answers sockets at addresses that do not exist."""

from channels.generic.websocket import AsyncWebsocketConsumer

HIDDEN = 4404


class LostConsumer(AsyncWebsocketConsumer):
    """Closes with the code that stands for 404."""

    async def connect(self) -> None:
        """Close at once; only an accepted socket tells the browser a code."""
        await self.accept()
        await self.close(HIDDEN)
