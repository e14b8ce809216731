"""A fork costs the same however long the conversation is, and branches cost a plan nothing."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.ids import new_id
from chatapp.keyring import keys_of
from chatapp.models import Branch, Turn
from chatapp.services.branching import branch_fork, branch_roll_back, branch_select, turn_select
from chatapp.services.outcomes import Forked, RolledBack, Selected
from chatapp.services.turns import turn_regenerate
from chatapp.store.branches import branches_after, is_on_path, viewed_branch
from chatapp.store.contexts import read_context
from tests.support.long_path import long_path
from tests.support.people import MODEL, accept, branch_of, new_process, say

pytestmark = pytest.mark.django_db

TURNS = 10_000
BRANCHES = 1_000
FORK_BYTES = 2_048


def saying(depth):
    return f"Question {depth}", f"Answer {depth}"


def rows_by_table() -> dict[str, int]:
    return {model._meta.db_table: model.objects.count() for model in apps.get_models()}


def written(before: dict[str, int]) -> dict[str, int]:
    """Return how many rows each table has more than before."""
    after = rows_by_table()
    return {name: after[name] - count for name, count in before.items() if after[name] != count}


def bytes_of(row) -> int:
    """Return about how many bytes the values of a row take."""
    return sum(_bytes(getattr(row, field.attname)) for field in row._meta.concrete_fields)


def _bytes(value) -> int:
    if isinstance(value, bytes | memoryview | str):
        return len(bytes(value) if not isinstance(value, str) else value.encode())
    return 0 if value is None else 16


def fork_of(access, turn_id):
    """Return what a fork writes, and its branch."""
    before = rows_by_table()
    outcome = branch_fork(access, turn_id, "Another way, 另一条路, другой путь")
    assert isinstance(outcome, Forked)
    return written(before), Branch.objects.get(pk=outcome.branch_id)


def test_a_fork_writes_the_same_rows_in_a_conversation_of_10000_turns(cast):
    short = say(cast.access, "one", "two", new_process())
    # The first choice of a person is inserted, the next ones are updated.
    fork_of(cast.access, short)
    branch_select(cast.access, branch_of(cast.access).id)
    few, _ = fork_of(cast.access, short)
    path = long_path(cast.access, TURNS, saying, parent=Turn.objects.get(pk=short))
    main = replace(cast.access, branch_id=branch_of(cast.access).id)

    many, branch = fork_of(main, path.turn_ids[TURNS // 2])
    newest, _ = fork_of(main, path.tip)

    assert many == newest == few
    assert few == {"chatapp_branch": 1, "chatapp_transition": 1, "chatapp_payload": 1}
    assert bytes_of(branch) < FORK_BYTES
    assert isinstance(branch_roll_back(main, path.turn_ids[0]), RolledBack)


@pytest.fixture
def process(cast):
    return new_process()


def forked(access, turn_ids, count) -> Iterator[Branch]:
    """Yield rows as forks leave them."""
    main = branch_of(access)
    for number in range(count):
        turn_id = turn_ids[number % len(turn_ids)]
        yield Branch(
            id=new_id(),
            conversation=access.conversation,
            origin="fork",
            parent_turn_id=turn_id,
            left_branch=main,
            tip_id=turn_id,
            created_seq=number + 1,
            created_ms=number,
        )


def queries_of(work) -> list[str]:
    with CaptureQueriesContext(connection) as found:
        work()
    return [query["sql"].split("WHERE")[0] for query in found.captured_queries]


def test_a_plan_asks_and_reads_the_same_beside_1000_branches(cast, process):
    path = long_path(cast.access, 300, saying, learned=20)
    running = accept(cast.access, "And now?", process).turn_id
    found = []

    def plan():
        found.append(read_context(running, process, model=MODEL, keys_of=keys_of))

    alone = queries_of(plan)
    Branch.objects.bulk_create(forked(cast.access, path.turn_ids, BRANCHES))
    beside = queries_of(plan)

    assert beside == alone
    assert len(alone) <= 8
    assert found[0] == found[1]
    assert all('FROM "chatapp_branch"' not in sql for sql in beside)


@pytest.mark.skipif(
    "connection.vendor != 'sqlite'", reason="the other database plans by its statistics"
)
def test_who_looks_at_a_branch_reads_no_other(cast, process):
    path = long_path(cast.access, 10, saying)
    Branch.objects.bulk_create(forked(cast.access, path.turn_ids, BRANCHES))
    branch_select(cast.access, Branch.objects.filter(origin="fork").first().id)

    with CaptureQueriesContext(connection) as asked:
        viewed_branch(cast.access)
    (query,) = asked.captured_queries
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
        steps = [row[3] for row in cursor.fetchall()]

    own = [step for step in steps if "chatapp_branch" in step]
    assert own[0].startswith("SEARCH chatapp_branch USING INDEX")
    assert not any("TEMP B-TREE" in step or step.startswith("SCAN") for step in steps)


def test_a_step_reads_what_follows_its_turn_and_no_other_branch(cast, process):
    path = long_path(cast.access, 200, saying)
    Branch.objects.bulk_create(forked(cast.access, path.turn_ids[:100], BRANCHES))
    branch_select(cast.access, Branch.objects.filter(origin="fork").first().id)

    found = branches_after(cast.access.conversation.id, path.turn_ids[150])

    assert [one.id for one in found] == [branch_of(cast.access).id]
    assert isinstance(turn_select(cast.access, path.turn_ids[150]), Selected)


def test_a_path_is_followed_no_further_than_the_turn_that_is_looked_for(cast):
    path = long_path(cast.access, 50, saying)
    turns = {turn.id: turn for turn in Turn.objects.all()}
    tip, near = turns[path.tip], turns[path.turn_ids[40]]

    assert is_on_path(near, tip)
    assert is_on_path(tip, tip)
    assert not is_on_path(tip, near)
    outcome = turn_regenerate(
        cast.access, near.id, key="another-1", model_name=MODEL.name, owner=new_process()
    )
    beside = Turn.objects.get(pk=outcome.turn_id)
    assert not is_on_path(beside, tip)
    assert not is_on_path(near, beside)
    assert is_on_path(turns[near.parent_id], beside)
