"""The ASGI application: HTTP by Django, sockets by Channels, drain by lifespan."""

import os
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatapp.settings")
django.setup(set_prefix=False)

from channels.auth import AuthMiddlewareStack  # noqa: E402  # needs the settings
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from django.urls import path, re_path  # noqa: E402

from chatapp.consumers.chat import ChatConsumer  # noqa: E402
from chatapp.consumers.lost import LostConsumer  # noqa: E402
from chatapp.runtime.runtime import current  # noqa: E402
from chatapp.web.threads import SharedThreadsHandler  # noqa: E402


async def lifespan(scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG001  # the protocol's shape
    """Start the runtime with servers that have a lifespan, and drain it when they end."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await current().ensure_started()
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            await current().drain()
            await send({"type": "lifespan.shutdown.complete"})
            return


# Django's types know views only, Channels routes consumers by the same function.
chat: Any = ChatConsumer.as_asgi()
lost: Any = LostConsumer.as_asgi()
routes: Any = [path("ws/c/<uuid:conversation_id>/", chat), re_path("", lost)]

application = ProtocolTypeRouter(
    {
        "http": SharedThreadsHandler(),
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(routes))),
        "lifespan": lifespan,
    }
)
