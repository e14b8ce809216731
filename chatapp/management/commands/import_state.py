"""`manage.py import_state`: makes a new conversation of a state or a tree."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from chatapp.access import Owner, owner_of
from chatapp.selectors.accounts import account_named
from chatapp.services.importing import tree_import_new
from statecore.contract.document import decoded, read_json
from statecore.contract.tree_document import as_in_file, tree_from
from statecore.contract.tree_schema import Tree
from statecore.errors import InvalidInput


class Command(BaseCommand):
    help = "Make a new conversation of a state or a tree, and print its id."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="state.json or tree.json; - reads standard input")
        parser.add_argument("--user", default="", metavar="NAME", help="default: the only one")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002  # Django's signature
        user = account_named(options["user"])
        if user is None:
            raise CommandError(
                f"There is no user {options['user']}."
                if options["user"]
                else "Say with --user whose it will be: there is not exactly one user."
            )
        try:
            text = decoded(_read(options["file"]))
            found = read_json(text)
            conversation_id = _imported(owner_of(user), tree_from(found, text), found)
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}.") from None
        except InvalidInput as error:
            raise CommandError(f"{options['file']}: {error}.") from None
        self.stdout.write(str(conversation_id))


def _imported(owner: Owner, tree: Tree, found: object) -> UUID:
    try:
        return tree_import_new(owner, tree)
    except InvalidInput as error:
        raise as_in_file(error, found) from None


def _read(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
