"""A long import is written in many short transactions, and nobody sees a part of it."""

import asyncio
from types import SimpleNamespace

import pytest
from django.db import transaction
from django.http import Http404

from chatapp.access import Access, conversation_for
from chatapp.models import Branch, Conversation, Outbox, Transition, Turn
from chatapp.runtime.pool import in_pool
from chatapp.selectors.contract_tree import tree_of
from chatapp.services import importing, importing_portions, importing_rows
from chatapp.services.conversations import conversation_create, conversation_rename
from chatapp.services.importing import tree_import, tree_import_new
from chatapp.services.importing_rows import ROWS_AT_ONCE, TreeWriter
from chatapp.services.outcomes import Imported, NotEmpty
from chatapp.services.transitions import ConversationGone, Head
from chatapp.store import outbox, unfinished
from chatapp.store.verification import verify_conversation
from statecore.contract.tree_hashing import tree_hash
from tests.runtime.test_runner import end, start
from tests.statecore.tree_builders import forked, leaf, tree
from tests.support.people import MODEL
from tests.support.scripted_provider import replies

pytestmark = pytest.mark.django_db

LARGEST_TURN = 40
"""More rows than any turn of these tests has."""


def talk(turns):
    """Return a tree of one line."""
    made = []
    for number in range(1, turns + 1):
        made.append(leaf(number, made[-1] if made else None))
    memory = tree().memory.model_copy(update={"as_of": 2 * turns})
    return tree(*made, memory=memory)


@pytest.fixture
def empty(cast):
    """Another conversation of the same person."""
    conversation = conversation_create(cast.owner, model_name=MODEL.name)
    return conversation_for(cast.alice, conversation.id)


@pytest.fixture
def long(monkeypatch):
    """Let any tree count as long, in portions of a few rows."""
    monkeypatch.setattr(importing, "SHORT_PARTS", 0)
    monkeypatch.setattr(importing_rows, "ROWS_AT_ONCE", 7)
    monkeypatch.setattr(importing_rows, "TRANSITIONS_AT_ONCE", 3)


def watched(monkeypatch, look):
    """Call something with the number of each portion before it is written."""
    write, met = importing_portions._write, []

    def looks(access, portion):
        met.append(portion)
        look(len(met), access)
        write(access, portion)

    monkeypatch.setattr(importing_portions, "_write", looks)
    return met


def test_no_transaction_has_more_rows_in_a_longer_import(empty):
    sizes = {}
    for turns in (400, 1_600):
        main = Branch.objects.get(conversation=empty.conversation).id
        found = importing._writer(empty, talk(turns), Head(2, b""), 1)[1]
        assert isinstance(found, TreeWriter)
        portions = list(found.portions())
        sizes[turns] = [len(portion) for portion in portions]
        assert main == found._main
    assert sum(sizes[1_600]) > 3.9 * sum(sizes[400])
    assert max(sizes[1_600]) < ROWS_AT_ONCE + LARGEST_TURN
    assert len(sizes[1_600]) > len(sizes[400])


def test_what_is_short_comes_in_one_transaction_and_what_is_long_in_many(empty, monkeypatch):
    entered = []

    def atomic():
        entered.append(1)
        return transaction.atomic()

    monkeypatch.setattr(importing_portions, "transaction", SimpleNamespace(atomic=atomic))
    tree_import(empty, forked())
    assert len(entered) == 1
    assert importing.is_short(forked())
    assert not importing.is_short(talk(importing.SHORT_PARTS))
    monkeypatch.setattr(importing, "SHORT_PARTS", 0)
    fresh = conversation_create(empty.owner, model_name=MODEL.name)
    tree_import(Access(empty.owner, fresh), forked())
    assert len(entered) > 5


def test_nobody_sees_or_works_at_a_part_of_an_import(cast, empty, long, monkeypatch):
    identity = empty.conversation.id

    def look(_number, access):
        with pytest.raises(Http404):
            conversation_for(cast.alice, identity)
        with pytest.raises(ConversationGone):
            conversation_rename(access, "Late")
        assert tree_import(empty, forked()) == NotEmpty()
        for kind in outbox.KINDS:
            assert outbox.waiting(kind, 2**50, 100) == []

    portions = watched(monkeypatch, look)
    assert isinstance(tree_import(empty, forked()), Imported)
    assert len(portions) > 8
    found = conversation_for(cast.alice, identity)
    bare = tree_of(found).model_copy(update={"system": ()})
    assert tree_hash(bare) == tree_hash(forked())
    assert verify_conversation(identity, found.keys).findings == ()
    assert len(outbox.waiting(outbox.TOKEN_COUNTS, 2**50, 100)) == 4


@pytest.mark.parametrize("broken", [1, 2, 3, 5, 8, 10])
def test_an_import_that_breaks_off_leaves_the_conversation_empty(
    cast, empty, long, monkeypatch, broken
):
    def breaks(number, _access):
        if number == broken:
            raise OSError("disk full")

    with monkeypatch.context() as while_broken:
        watched(while_broken, breaks)
        with pytest.raises(OSError, match="disk full"):
            tree_import(empty, forked())
    found = conversation_for(cast.alice, empty.conversation.id)
    assert importing.is_empty(found.conversation.id)
    assert Transition.objects.filter(conversation=found.conversation).count() == 1
    assert Turn.objects.count() == Outbox.objects.count() == 0
    assert verify_conversation(found.conversation.id, found.keys).findings == ()
    assert isinstance(tree_import(found, forked()), Imported)


@pytest.mark.parametrize("broken", [1, 9])
@pytest.mark.parametrize("parts", [0, 400])
def test_a_new_conversation_that_breaks_off_was_never_there(cast, long, monkeypatch, broken, parts):
    monkeypatch.setattr(importing, "SHORT_PARTS", parts)
    before = set(Conversation.objects.values_list("id", flat=True))

    def breaks(number, _access):
        if number == broken:
            raise OSError("disk full")

    watched(monkeypatch, breaks)
    with pytest.raises(OSError, match="disk full"):
        tree_import_new(cast.owner, forked())
    assert set(Conversation.objects.values_list("id", flat=True)) == before
    assert Turn.objects.count() == 0


def test_what_a_process_left_that_was_killed_is_empty_again_with_the_next_import(
    cast, empty, long, monkeypatch
):
    class Killed(BaseException):
        pass

    def breaks(number, _access):
        if number == 8:
            raise Killed

    with monkeypatch.context() as while_killed:
        watched(while_killed, breaks)
        while_killed.setattr(unfinished, "empty_again", lambda _id: None)
        with pytest.raises(Killed):
            tree_import(empty, forked())
    tree_import_new(cast.owner, forked())
    with pytest.raises(Http404):
        # It may be that somebody still writes.
        conversation_for(cast.alice, empty.conversation.id)
    hidden = Conversation.objects.filter(pk=empty.conversation.id)
    begun_ms = hidden.values_list("deleted_ms", flat=True).get()
    hidden.update(deleted_ms=begun_ms + unfinished.LOST_AFTER_MS + 1)
    tree_import_new(cast.owner, forked())
    found = conversation_for(cast.alice, empty.conversation.id)
    assert importing.is_empty(found.conversation.id)
    assert isinstance(tree_import(found, forked()), Imported)


@pytest.mark.parametrize("parts", [0, 400])
def test_what_was_made_for_another_seq_is_made_again(cast, empty, monkeypatch, parts):
    monkeypatch.setattr(importing, "SHORT_PARTS", parts)
    hide, met = unfinished.hide, []

    def renamed_first(*given):
        if not met:
            met.append(given)
            conversation_rename(empty, "Meanwhile")
        return hide(*given)

    monkeypatch.setattr(unfinished, "hide", renamed_first)
    assert isinstance(tree_import(empty, forked()), Imported)
    assert verify_conversation(empty.conversation.id, empty.keys).findings == ()


@pytest.mark.django_db(transaction=True)
async def test_an_answer_goes_on_while_a_long_state_comes_in(
    runtime, people, provider, monkeypatch
):
    monkeypatch.setattr(importing, "SHORT_PARTS", 0)
    provider.enqueue(replies.held("The ", "Volga."))
    turn_id = await start(runtime, people)
    await asyncio.to_thread(provider.wait_held)
    identity = await in_pool(tree_import_new, people.owner, talk(300))
    provider.release()
    turn = await end(runtime, turn_id)
    assert (turn.status, turn.finish) == ("committed", "complete")
    there = Turn.objects.filter(conversation_id=identity, status="committed")
    assert await in_pool(there.count) == 300
