"""`manage.py import_conversations`: makes new conversations of all that a file holds."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chatapp.access import owner_of
from chatapp.presenters.states import present_file
from chatapp.selectors.accounts import account_named
from chatapp.services.importing_files import FileImported, file_import
from statecore.contract.document import decoded
from statecore.errors import InvalidInput


class Command(BaseCommand):
    help = (
        "Make new conversations of a file (ChatGPT conversations.json, OpenAssistant trees, "
        "state.json or tree.json), print their ids, and say what did not come in."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the file; - reads standard input")
        parser.add_argument("--user", default="", metavar="NAME", help="default: the only one")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002  # Django's signature
        name = options["file"]
        user = account_named(options["user"])
        if user is None:
            raise CommandError(
                f"There is no user {options['user']}."
                if options["user"]
                else "Say with --user whose they will be: there is not exactly one user."
            )
        try:
            body = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            outcome = file_import(owner_of(user), decoded(body))
        except OSError as error:
            raise CommandError(f"{name}: {error.strerror}.") from None
        except InvalidInput as error:
            raise CommandError(f"{name}: {error}.") from None
        if isinstance(outcome, FileImported):
            self._report(name, outcome)

    def _report(self, name: str, outcome: FileImported) -> None:
        for conversation_id in outcome.conversations:
            self.stdout.write(str(conversation_id))
        report = present_file(outcome)
        for note in report.notes:
            self.stderr.write(note)
        if not outcome.conversations:
            raise CommandError(f"{name}: no conversation of it could be imported.")
        self.stderr.write(report.sentence)
