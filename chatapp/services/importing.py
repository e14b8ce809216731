"""Puts a whole conversation into an empty one, under new ids and seqs: whole, or not at all."""

from itertools import count
from uuid import UUID

from django.db import transaction

from chatapp.access import Access, Owner
from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.models import Branch, Conversation, Operation, Transition, Turn
from chatapp.services.conversations import conversation_create
from chatapp.services.importing_portions import write_at_once, write_in_portions
from chatapp.services.importing_rows import TreeWriter
from chatapp.services.outcomes import Imported, NotEmpty
from chatapp.services.transitions import ConversationGone, Head
from chatapp.store import unfinished
from chatapp.store.carried import IMPORTED, LATEST_SEQ
from chatapp.store.erasure import remove_conversation
from chatapp.store.whole_path import MAX_TURNS
from statecore.contract.places import wrong
from statecore.contract.renaming import Named, Names
from statecore.contract.schema import Contract
from statecore.contract.tree_paths import tree_of
from statecore.contract.tree_renaming import renamed_tree
from statecore.contract.tree_schema import Tree
from statecore.contract.tree_times import tree_moments
from statecore.errors import InvalidInput

DAY_MS = 86_400_000

SHORT_PARTS = 400
"""Turns, branches and what is remembered of a tree that is written in one transaction."""


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
    conversation_id = access.conversation.id
    recover_lost(now)
    while True:
        head = _head(conversation_id)
        if head is None or head.seq > LATEST_SEQ or not is_empty(conversation_id):
            return NotEmpty()
        if is_short(tree):
            if _written_at_once(access, tree, head, now, hide_at=head.seq - 1):
                break
        elif unfinished.hide(conversation_id, head.seq - 1, now):
            _write_hidden(access, tree, head, now)
            break
        # Somebody renamed it, or the like: what was made for another seq is made again.
    return Imported(turns=len(tree.turns), messages=len(tree.messages()))


def state_import(access: Access, contract: Contract) -> Imported | NotEmpty:
    """Make an empty conversation the one that a contract tells of; arguments as `tree_import`."""
    return tree_import(access, tree_of(contract))


def tree_import_new(owner: Owner, tree: Tree) -> UUID:
    """Make a new conversation of a tree and return its id.

    Raises:
        InvalidInput: as `tree_import`; nothing is made then.
    """
    now = now_ms()
    _refuse_unfit(tree, now)
    recover_lost(now)
    with transaction.atomic():
        conversation = conversation_create(owner, model_name="")
        head = _head(conversation.id)
        if head is None or not unfinished.hide(conversation.id, head.seq - 1, now):
            raise ConversationGone
    access = Access(owner, conversation)
    try:
        if is_short(tree):
            _written_at_once(access, tree, head, now, hide_at=None)
        else:
            _write_hidden(access, tree, head, now)
    except BaseException:
        with transaction.atomic():
            unfinished.empty_again(conversation.id)
            remove_conversation(conversation.id)
        raise
    return conversation.id


def state_import_new(owner: Owner, contract: Contract) -> UUID:
    """Make a new conversation of a state and return its id; errors as `tree_import_new`."""
    return tree_import_new(owner, tree_of(contract))


def is_short(tree: Tree) -> bool:
    """Return whether a tree is written in a single transaction."""
    rows = (tree.turns, tree.branches, tree.memory.deltas, tree.memory.operations, tree.system)
    return sum(map(len, rows)) <= SHORT_PARTS


def recover_lost(now_ms: int) -> None:
    """Make conversations empty again to which a process was writing that died; one query."""
    for conversation_id in unfinished.lost(now_ms):
        unfinished.empty_again(conversation_id)


def _head(conversation_id: UUID) -> Head | None:
    """Return where the log of a conversation goes on; None while somebody imports into it.

    Raises:
        ConversationGone: when it was deleted.
    """
    found = Conversation.objects.filter(pk=conversation_id)
    row = found.values_list("last_seq", "chain", "deleted_ms").first()
    if row is None or (row[2] is not None and row[2] >= 0):
        raise ConversationGone
    last_seq, chain, deleted_ms = row
    return None if deleted_ms is not None else Head(last_seq + 1, bytes(chain))


def _written_at_once(
    access: Access, tree: Tree, head: Head, now_ms: int, *, hide_at: int | None
) -> bool:
    main, writer = _writer(access, tree, head, now_ms)
    return write_at_once(access, main, writer, hide_at=hide_at)


def _write_hidden(access: Access, tree: Tree, head: Head, now_ms: int) -> None:
    try:
        write_in_portions(access, *_writer(access, tree, head, now_ms))
    except BaseException:
        unfinished.empty_again(access.conversation.id)
        raise


def _writer(access: Access, tree: Tree, head: Head, now_ms: int) -> tuple[UUID, TreeWriter]:
    """Return the main line, and what makes the rows of a tree under ids and seqs of its own."""
    main = Branch.objects.get(conversation=access.conversation, origin=Branch.Origin.MAIN).id
    names = _names(access, tree, head.seq + 1)
    own = renamed_tree(tree, names, _branches(main, tree))
    return main, TreeWriter(access, own, main, head, now_ms)


def _refuse_unfit(tree: Tree, now_ms: int) -> None:
    for name, rows in (("turns", tree.turns), ("branches", tree.branches)):
        if len(rows) > MAX_TURNS:
            raise InvalidInput(f"{name}: {len(rows)} where {MAX_TURNS} are the most")
    # Times never go back: one of next year would hold the whole conversation there.
    for place, moment_ms in tree_moments(tree):
        if moment_ms > now_ms + DAY_MS:
            raise wrong(place, "lies in the future")


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


def _branches(main: UUID, tree: Tree) -> dict[str, str]:
    first, *others = tree.branches
    return {first.id: str(main)} | {branch.id: str(new_id()) for branch in others}


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
