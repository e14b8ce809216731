"""What turns hold that memory has not read yet stands in, however far back they lie."""

from dataclasses import replace

import pytest

from chatapp.keyring import keys_of
from chatapp.models import Checkpoint, MemoryDelta
from chatapp.services.planning import missing_of, planned
from chatapp.store import unread
from chatapp.store.contexts import read_draft
from statecore.messages import Message
from tests.support.long_path import long_path
from tests.support.people import MODEL, branch_of

pytestmark = pytest.mark.django_db

SMALL = replace(MODEL, window_tokens=4_000, reply_reserve_tokens=400)
BINDING = {
    1: "Rules: metric units only; never book anything for me.",
    4: "Мой бюджет 1200 евро.",
    9: "更正：预算是900欧元，不是1200。",
    15: "My flight code is QX-4417.",
}


def saying(depth):
    asked = f"Which dish would you cook on an evening like number {depth}, and why?"
    return BINDING.get(depth, asked), "A fine dish of the coast. " * 60


def unlearned(access, turns=120):
    """Make a path of which memory has learned nothing yet."""
    made = long_path(access, turns, saying)
    MemoryDelta.objects.all().delete()
    Checkpoint.objects.all().delete()
    return made


def draft_of(access, *, model=SMALL):
    draft = Message("01930000-0000-7000-8000-000000000001", "user", "What now?", 0)
    return read_draft(
        access.conversation.id, branch_of(access).id, draft, model=model, keys_of=keys_of
    )


def test_rules_and_values_of_turns_that_wait_are_in_the_request(cast):
    unlearned(cast.access)

    context = draft_of(cast.access)
    plan = planned(context, SMALL, {}).plan

    assert context.state.turns[0].depth > max(BINDING)
    sent = "\n".join(message.text for message in plan.request.messages)
    for told in BINDING.values():
        assert told in sent


def test_turns_that_are_not_read_are_counted(cast):
    unlearned(cast.access)

    context = draft_of(cast.access)
    plan = planned(context, SMALL, {}).plan
    found = missing_of(plan, context)

    shown = {turn.id for turn in context.state.turns}
    assert context.waiting_before == 120 - len(shown)
    assert [(one.kind, one.is_active) for one in found] == [("unread", True)]
    sent_ids = {one.message_id for one in plan.sent}
    hidden = [t for t in context.state.turns if sent_ids.isdisjoint(m.id for m in t.messages)]
    assert found[0].turns == context.waiting_before + len(hidden)


def test_where_all_turns_are_learned_nothing_more_is_read(cast):
    long_path(cast.access, 120, saying, learned=120)

    context = draft_of(cast.access)

    assert context.waiting_before == 0
    assert not [one for one in context.state.older if not one.read_for]


def test_it_costs_no_query_and_a_bounded_number_of_rows(
    cast, django_assert_num_queries, monkeypatch
):
    monkeypatch.setattr(unread, "OLDEST_TURNS", 3)
    monkeypatch.setattr(unread, "NEWEST_TURNS", 5)
    unlearned(cast.access)
    draft = Message("01930000-0000-7000-8000-000000000001", "user", "What now?", 0)
    ids = (cast.access.conversation.id, branch_of(cast.access).id)

    with django_assert_num_queries(5):
        context = read_draft(*ids, draft, model=SMALL, keys_of=keys_of)

    last = 120 - len(context.state.turns)
    depths = [one.depth for one in context.state.older]
    assert depths == [1, 2, 3, *range(last - 4, last + 1)]
    assert context.waiting_before == last
