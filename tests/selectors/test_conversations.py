"""What the list and the page of conversations read."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.access import conversation_for, owner_of
from chatapp.models import Conversation, PlanInput
from chatapp.selectors import conversations as selectors
from chatapp.selectors.branches import shown_branch
from chatapp.selectors.conversations import (
    LIST_PAGE,
    TURNS_PAGE,
    branch_state,
    conversation_list,
    conversation_page,
    newest_conversation,
    newest_page,
    older_turns,
    turns_after,
    turns_from,
    verbatim_depth,
)
from chatapp.services.commits import turn_commit, turn_interrupt
from chatapp.services.conversations import (
    conversation_create,
    conversation_delete,
    conversation_rename,
)
from tests.support.lengthen import lengthen
from tests.support.people import MODEL, accept, answered, branch_of, new_process, prepare, say

pytestmark = pytest.mark.django_db

NARROW = replace(MODEL, window_tokens=1_000, reply_reserve_tokens=100)


def listed(owner, **more):
    rows, older = conversation_list(owner, **more)
    return [row.id for row in rows], older


def make(owner, count):
    """Make conversations, some of them of the same millisecond."""
    made = [conversation_create(owner, model_name="").id for _ in range(count)]
    for number, conversation_id in enumerate(made):
        Conversation.objects.filter(pk=conversation_id).update(updated_ms=1_000 + number // 3)
    return made


def test_the_list_has_the_newest_first(cast):
    older = cast.access.conversation.id
    newer = conversation_create(cast.owner, model_name="").id
    Conversation.objects.filter(pk=older).update(updated_ms=1)

    assert listed(cast.owner) == ([newer, older], None)


def test_the_list_goes_on_without_gap_or_double(cast):
    made = {*make(cast.owner, 2 * LIST_PAGE + 5), cast.access.conversation.id}

    found, before = [], None
    while True:
        ids, before = listed(cast.owner, before=before)
        found += ids
        if before is None:
            break

    assert len(found) == len(set(found)) == len(made)
    assert set(found) == made


def test_a_full_last_page_promises_nothing_more(cast):
    make(cast.owner, LIST_PAGE - 1)

    ids, older = listed(cast.owner)

    assert (len(ids), older) == (LIST_PAGE, None)


def test_the_list_is_the_owner_s_without_deleted_and_temporary_ones(cast):
    deleted = conversation_create(cast.owner, model_name="")
    conversation_delete(conversation_for(cast.alice, deleted.id))
    temporary = conversation_create(cast.owner, model_name="")
    Conversation.objects.filter(pk=temporary.id).update(temporary=True)
    foreign = conversation_create(owner_of(cast.mallory), model_name="")

    assert listed(cast.owner)[0] == [cast.access.conversation.id]
    assert listed(owner_of(cast.mallory))[0] == [foreign.id]


def test_a_foreign_place_in_the_list_is_no_place(cast):
    foreign = conversation_create(owner_of(cast.mallory), model_name="")
    Conversation.objects.filter(pk=foreign.id).update(updated_ms=1)

    assert listed(cast.owner, before=foreign.id) == listed(cast.owner)


def test_a_line_has_title_and_whether_an_answer_is_written(cast):
    process = new_process()
    (untitled,), _ = conversation_list(cast.owner)
    turn_id = accept(cast.access, "Plan a trip", process).turn_id
    (running,), _ = conversation_list(cast.owner)
    turn_interrupt(turn_id, owner=process)
    (ended,), _ = conversation_list(cast.owner)

    assert (untitled.title, untitled.running) == (None, False)
    assert (running.title, running.running) == ("Plan a trip", True)
    assert ended.running is False


def test_the_list_costs_one_query_however_long(cast, django_assert_num_queries):
    make(cast.owner, 20)

    with django_assert_num_queries(1):
        conversation_list(cast.owner)


def test_the_newest_conversation_is_the_one_written_in_last(cast):
    first = cast.access.conversation.id
    Conversation.objects.filter(pk=first).update(updated_ms=1)
    second = conversation_create(cast.owner, model_name="").id
    assert newest_conversation(cast.owner) == second

    say(cast.access, "Hi", "Hello.", new_process())
    assert newest_conversation(cast.owner) == first
    assert newest_conversation(owner_of(cast.mallory)) is None


def test_a_page_has_the_newest_turns_and_where_to_write(cast):
    process = new_process()
    say(cast.access, "one", "two", process)
    conversation_rename(cast.access, "Numbers")
    running = accept(cast.access, "three", process).turn_id
    access = conversation_for(cast.alice, cast.access.conversation.id)

    page = conversation_page(access)

    branch = branch_of(access)
    assert (page.title, page.model_name, page.running_turn) == ("Numbers", "scripted", running)
    assert (page.branch_id, page.branch_version) == (branch.id, branch.version)
    assert [turn.input_text for turn in page.turns] == ["one", "three"]
    assert page.older_before is None
    assert newest_page(access) == conversation_page(access, with_segments=True).turns


@pytest.fixture
def long(cast):
    say(cast.access, "one", "two", new_process())
    lengthen(cast.access, 2 * TURNS_PAGE + 5)
    return cast.access


def test_turns_come_page_by_page_without_gap_or_double(long):
    page = conversation_page(long)
    depths, before = [turn.depth for turn in page.turns], page.older_before
    pages = 1
    while before is not None:
        rows, before = older_turns(long, before)
        depths = [turn.depth for turn in rows] + depths
        pages += 1

    assert depths == list(range(1, 2 * TURNS_PAGE + 6))
    assert pages == 3


def test_turns_from_an_older_one_lead_to_the_newest_page_without_gap_or_double(long):
    lengthen(long, 4 * TURNS_PAGE)
    page = conversation_page(long)
    wanted = long.conversation.turns.get(depth=5)

    found = turns_from(long, wanted.id, page.older_before)
    depths = [turn.depth for turn in found.turns]
    pages = 1
    while found.newer_after is not None:
        found = turns_after(long, found.newer_after, page.older_before)
        depths += [turn.depth for turn in found.turns]
        pages += 1

    assert [*depths, *(turn.depth for turn in page.turns)] == list(range(5, 4 * TURNS_PAGE + 1))
    assert pages == 3
    older, _ = older_turns(long, turns_from(long, wanted.id, page.older_before).older_before)
    assert [turn.depth for turn in older] == [1, 2, 3, 4]


def test_turns_from_what_does_not_lead_there_are_none(long):
    page = conversation_page(long)
    oldest, newest = page.older_before, page.turns[-1].id

    assert turns_from(long, newest, oldest).turns == ()
    assert turns_from(long, oldest, oldest).turns == ()
    assert turns_from(long, long.conversation.id, oldest).turns == ()
    assert turns_after(long, page.turns[-2].id, newest).turns == ()
    assert len(turns_from(long, page.turns[-2].id, newest).turns) == 1


def test_before_the_first_turn_is_nothing(long):
    first = long.conversation.turns.get(depth=1)

    assert older_turns(long, first.id) == ((), None)
    assert older_turns(long, long.conversation.id) == ((), None)


def test_what_broke_off_is_shown_where_it_was_tried(cast):
    process = new_process()
    first = say(cast.access, "one", "two", process)
    broken = []
    for text in ("lost", "lost too"):
        broken.append(accept(cast.access, text, process).turn_id)
        turn_interrupt(broken[-1], owner=process)
    last = say(cast.access, "three", "four", process)

    page = conversation_page(cast.access)

    assert [turn.id for turn in page.turns] == [first, *broken, last]
    assert [turn.seen for turn in page.turns] == [True, False, False, True]


def test_what_broke_off_at_the_root_is_shown_at_the_root(cast):
    process = new_process()
    broken = accept(cast.access, "lost", process).turn_id
    turn_interrupt(broken, owner=process)
    alone = conversation_page(cast.access)
    first = say(cast.access, "one", "two", process)

    assert [turn.id for turn in alone.turns] == [broken]
    assert alone.turns[0].seen
    assert [turn.id for turn in conversation_page(cast.access).turns] == [broken, first]


def test_what_broke_off_long_ago_comes_with_its_page_and_once(long):
    process = new_process()
    old = long.conversation.turns.get(depth=10)
    branch = shown_branch(long)
    branch.tip_id, tip = old.id, branch.tip_id
    branch.save()
    broken = accept(long, "lost", process).turn_id
    turn_interrupt(broken, owner=process)
    branch = shown_branch(long)
    branch.tip_id = tip
    branch.save()

    page = conversation_page(long)
    shown, before = [turn.id for turn in page.turns], page.older_before
    while before is not None:
        rows, before = older_turns(long, before)
        shown = [turn.id for turn in rows] + shown

    assert shown.count(broken) == 1
    assert shown.index(broken) in {10, 11}


def test_a_page_costs_as_many_queries_however_much_was_said(cast):
    process = new_process()
    say(cast.access, "one", "two", process)
    counts = []
    for length in (10, 200):
        lengthen(cast.access, length)
        with CaptureQueriesContext(connection) as queries:
            conversation_page(cast.access)
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_a_turn_tells_its_branch_and_version(cast):
    turn_id = say(cast.access, "one", "two", new_process())
    branch = branch_of(cast.access)

    assert branch_state(turn_id) == (branch.id, branch.version)


def test_a_page_tells_from_where_on_the_newest_request_is_word_for_word(cast):
    process = new_process()
    assert verbatim_depth(cast.access) is None
    for number in range(9):
        words = f"Tell me of day {number}. " + "river " * 40
        say(cast.access, words, "water " * 40, process)
    assert verbatim_depth(cast.access) == 1

    prepare(accept(cast.access, "And now?", process).turn_id, process, NARROW)

    newest = PlanInput.objects.order_by("-attempt__turn__depth").first()
    assert verbatim_depth(cast.access) == newest.result["window_start_depth"] > 1
    assert conversation_page(cast.access).verbatim_depth == verbatim_depth(cast.access)


def test_what_requests_are_made_of_is_read_where_it_is_asked_for(cast):
    say(cast.access, "Name one river.", "The Volga.", new_process())

    def segments(turns):
        return [len(attempt.segments) for turn in turns for attempt in turn.attempts]

    assert segments(conversation_page(cast.access).turns) == [0]
    assert segments(conversation_page(cast.access, with_segments=True).turns) == [2]
    assert segments(newest_page(cast.access)) == [2]


def test_a_turn_that_is_committed_while_its_page_is_read_is_on_it(cast, monkeypatch):
    process = new_process()
    turn_id = accept(cast.access, "one", process).turn_id
    prepared = prepare(turn_id, process)
    real = selectors.viewed_branch
    looks = []

    def committed_meanwhile(access):
        branch = real(access)
        if not looks:
            turn_commit(turn_id, prepared.attempt_id, answered("two"), owner=process, model=MODEL)
        looks.append(branch)
        return branch

    monkeypatch.setattr(selectors, "viewed_branch", committed_meanwhile)
    page = conversation_page(cast.access)
    assert [turn.id for turn in page.turns] == [turn_id]
    assert page.running_turn is None
    assert [turn.answer_text for turn in page.turns] == ["two"]
