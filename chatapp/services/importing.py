"""Puts a whole conversation into an empty one: one transaction, under new ids and seqs."""

from itertools import count
from uuid import UUID

from django.db import transaction

from chatapp.access import Access, Owner
from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.models import Branch, Operation, Transition, Turn
from chatapp.services.conversations import conversation_create
from chatapp.services.importing_rows import TreeWriter
from chatapp.services.outcomes import Imported, NotEmpty
from chatapp.services.transitions import claim
from chatapp.store.carried import IMPORTED, LATEST_SEQ
from chatapp.store.whole_path import MAX_TURNS
from statecore.contract.renaming import Named, Names
from statecore.contract.schema import Contract
from statecore.contract.tree_paths import tree_of
from statecore.contract.tree_renaming import renamed_tree
from statecore.contract.tree_schema import Tree
from statecore.contract.tree_times import tree_moments
from statecore.errors import InvalidInput, place_of

DAY_MS = 86_400_000


def tree_import(access: Access, tree: Tree) -> Imported | NotEmpty:
    """Make an empty conversation the one that a tree tells of.

    What was deleted stays deleted, what waits to be learned waits here too. The hash of the
    conversation is then that of the tree, where the tree has a system message, and so is that of
    the state at the end of each of its branches.

    Args:
        access: the conversation; its own system prompt gives way to that of the tree.
        tree: one that `parse_tree` has let in.

    Raises:
        InvalidInput: when it has too many turns or branches, or a time of it lies in the future.
        ConversationGone: when the conversation was deleted in the meantime.
    """
    now = now_ms()
    _refuse_unfit(tree, now)
    with transaction.atomic():
        head = claim(access.conversation.id, 1 + len(tree.seqs()))
        if head.seq > LATEST_SEQ or not is_empty(access.conversation.id):
            # A claimed seq without its transition would be a gap in the log.
            transaction.set_rollback(True)
            return NotEmpty()
        names = _names(access, tree, head.seq + 1)
        own = renamed_tree(tree, names, _branches(access, tree))
        TreeWriter(access, own, head, now).write()
    return Imported(turns=len(own.turns), messages=len(own.messages()))


def state_import(access: Access, contract: Contract) -> Imported | NotEmpty:
    """Make an empty conversation the one that a contract tells of; arguments as `tree_import`."""
    return tree_import(access, tree_of(contract))


def tree_import_new(owner: Owner, tree: Tree) -> UUID:
    """Make a new conversation of a tree and return its id.

    Raises:
        InvalidInput: as `tree_import`; nothing is made then.
    """
    with transaction.atomic():
        conversation = conversation_create(owner, model_name="")
        tree_import(Access(owner, conversation), tree)
    return conversation.id


def state_import_new(owner: Owner, contract: Contract) -> UUID:
    """Make a new conversation of a state and return its id; errors as `tree_import_new`."""
    return tree_import_new(owner, tree_of(contract))


def _refuse_unfit(tree: Tree, now_ms: int) -> None:
    for name, rows in (("turns", tree.turns), ("branches", tree.branches)):
        if len(rows) > MAX_TURNS:
            raise InvalidInput(f"{name}: {len(rows)} where {MAX_TURNS} are the most")
    # Times never go back: one of next year would hold the whole conversation there.
    for place, moment_ms in tree_moments(tree):
        if moment_ms > now_ms + DAY_MS:
            raise InvalidInput(f"{place_of(place)}: lies in the future")


def is_empty(conversation_id: UUID) -> bool:
    """Return whether nothing was said, remembered, branched or imported in a conversation."""
    imported = Transition.objects.filter(conversation_id=conversation_id, kind=IMPORTED)
    return not (
        Turn.objects.filter(conversation_id=conversation_id).exists()
        or Operation.objects.filter(conversation_id=conversation_id).exists()
        or Branch.objects.filter(conversation_id=conversation_id).exclude(origin="main").exists()
        or imported.exists()
    )


def _names(access: Access, tree: Tree, first_seq: int) -> Names:
    return Names(
        conversation=str(access.conversation.id),
        turns={turn.id: str(new_id()) for turn in tree.turns},
        messages={message.id: str(new_id()) for message in tree.messages()},
        seqs=dict(zip(sorted(tree.seqs()), count(first_seq), strict=False)),
        facts={fact.id: str(new_id()) for fact in tree.facts},
        elsewhere=_elsewhere,
    )


def _branches(access: Access, tree: Tree) -> dict[str, str]:
    main = Branch.objects.get(conversation=access.conversation, origin=Branch.Origin.MAIN)
    first, *others = tree.branches
    return {first.id: str(main.id)} | {branch.id: str(new_id()) for branch in others}


def _elsewhere(what: Named, name: str, number: int) -> str:
    if what == "entry":
        # No addition can ever have this id.
        return f"op:x{number}"
    return name if what == "conversation" or _is_id(name) else str(new_id())


def _is_id(name: str) -> bool:
    try:
        return str(UUID(name)) == name
    except ValueError:
        return False
