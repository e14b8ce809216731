"""Serves the web: Daphne built here, so that the drain is registered with it."""

import sys
from argparse import ArgumentParser
from threading import Thread
from typing import Any

from channels.routing import get_default_application
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from chatapp.runtime.runtime import current
from chatapp.runtime.warmup import warm_up

SWITCH_S = 0.001
"""How long a thread may keep the event loop waiting; by default five milliseconds, which is what
a token would be late by whenever a page is rendered."""


class Command(BaseCommand):
    """`manage.py web`."""

    help = "Serves HTTP and WebSockets. SIGTERM lets running answers end, for ten seconds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--host", default="127.0.0.1", help="address to bind to")
        parser.add_argument("--port", type=int, default=None, help="port; 0 takes a free one")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002  # Django's signature
        """Serve until a signal comes."""
        # Importing it installs Twisted's reactor, which no other command should do.
        from chatapp.web.server import DrainingServer  # noqa: PLC0415

        self.check(databases=["default"])
        sys.setswitchinterval(SWITCH_S)
        port = settings.PORT if options["port"] is None else options["port"]
        host = options["host"].replace(":", r"\:")
        server = DrainingServer(
            get_default_application(),
            f"tcp:port={port}:interface={host}",
            started=self._start,
            drain=self._drain,
            listening=self._say,
        )
        server.run()
        if server.fault:
            raise CommandError(server.fault)

    async def _start(self) -> None:
        await current().ensure_started()
        Thread(target=warm_up, name="warm-up", daemon=True).start()

    async def _drain(self) -> None:
        await current().drain()

    def _say(self, address: str) -> None:
        self.stdout.write(f"Listening on {address}")
        self.stdout.flush()
