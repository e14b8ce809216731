"""Makes conversations of a file that holds several: each comes in by itself, or not at all."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from chatapp.access import Access, Owner
from chatapp.services.importing import is_empty, tree_import, tree_import_new
from chatapp.services.outcomes import Imported, NotEmpty
from statecore.contract.tree_document import as_in_file
from statecore.contract.tree_schema import Tree
from statecore.errors import InvalidInput
from statecore.formats.conversations import Unfit, conversations_of
from statecore.formats.message_tree import Why


@dataclass(frozen=True, slots=True)
class Refused:
    """One conversation of a file that did not come in."""

    place: str
    """Which one it is, in words."""
    why: str


@dataclass(frozen=True, slots=True)
class FileImported:
    """What has come of a file."""

    conversations: tuple[UUID, ...]
    """In the order of the file."""
    turns: int
    messages: int
    refused: tuple[Refused, ...]
    left_out: Mapping[Why, int]
    """Messages of the conversations that came in which are not in them, by reason."""


def file_import(owner: Owner, text: str, *, into: Access | None = None) -> FileImported | NotEmpty:
    """Make conversations of all that a file holds; those that are wrong do not hinder the others.

    Args:
        owner: whose they will be.
        text: of the file.
        into: an empty conversation that the first of them comes into; None makes new ones only.

    Raises:
        InvalidInput: when the file is nothing that is known, or the only thing in it is wrong.
        ConversationGone: when the conversation was deleted in the meantime.
    """
    if into is not None and not is_empty(into.conversation.id):
        return NotEmpty()
    made: list[UUID] = []
    refused: list[Refused] = []
    left_out: Counter[Why] = Counter()
    turns = messages = 0
    for found in conversations_of(text):
        if isinstance(found, Unfit):
            refused.append(Refused(found.place, found.why))
            continue
        try:
            conversation_id, outcome = _imported(owner, found.tree, None if made else into)
        except InvalidInput as error:
            if not found.place:
                raise as_in_file(error, found.document) from None
            refused.append(Refused(found.place, str(error)))
            continue
        if isinstance(outcome, NotEmpty):
            return outcome
        made.append(conversation_id)
        left_out.update(found.left_out)
        turns, messages = turns + outcome.turns, messages + outcome.messages
    return FileImported(tuple(made), turns, messages, tuple(refused), left_out)


def _imported(owner: Owner, tree: Tree, into: Access | None) -> tuple[UUID, Imported | NotEmpty]:
    if into is not None:
        return into.conversation.id, tree_import(into, tree)
    made = Imported(turns=len(tree.turns), messages=len(tree.messages()))
    return tree_import_new(owner, tree), made
