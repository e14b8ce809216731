"""`manage.py play`: plays a recorded session again, without any provider, and compares its end."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from chatapp.access import conversation_by_id
from chatapp.runtime.playing import NotPlayable, Played, play


class Command(BaseCommand):
    help = (
        "Do every transition of a conversation's log again through the same services, at the times "
        "of then, with what providers streamed then, and no provider called. Every request has to "
        "be the recorded one and every branch has to end in the same state; else it exits with 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("conversation", type=UUID, metavar="CONVERSATION")
        parser.add_argument("--until", type=int, metavar="SEQ", help="stop after this transition")
        parser.add_argument(
            "--keep", action="store_true", help="keep the played conversation beside the recorded"
        )

    def handle(self, **options: Any) -> None:
        access = conversation_by_id(options["conversation"])
        if access is None:
            raise CommandError(f"There is no conversation {options['conversation']}.")
        try:
            played = play(access, until=options["until"], keep=options["keep"])
        except NotPlayable as error:
            raise CommandError(f"It cannot be played: {error}.") from None
        self.stdout.write(_line(played))
        if played.conversation_id is not None:
            self.stdout.write(f"kept as {played.conversation_id}")
        if played.fault is not None:
            fault = played.fault
            raise CommandError(f"seq {fault.seq}, {fault.kind}: {fault.what}.")


def _line(played: Played) -> str:
    line = (
        f"{played.transitions} transitions played, {played.requests} requests planned again, "
        f"{played.branches} branches compared"
    )
    return f"{line}; {played.erased} transitions erased" if played.erased else line
