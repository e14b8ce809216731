"""A plan reads no more rows of a path of 20,000 messages than of one of 1,000, in few queries."""

from dataclasses import replace
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.access import conversation_for
from chatapp.keyring import keys_of
from chatapp.models import Checkpoint, MemoryDelta, Turn
from chatapp.services.commits import turn_commit, turn_interrupt
from chatapp.services.conversations import conversation_create
from chatapp.store import context_rows
from chatapp.store.contexts import read_context, read_draft
from chatapp.store.reach import LEAST_TURNS
from statecore.context.occupancy import MESSAGE_OVERHEAD_TOKENS
from statecore.messages import Message
from tests.support.long_path import long_path
from tests.support.people import MODEL, accept, answered, branch_of, new_process, prepare, say

pytestmark = pytest.mark.django_db

MAX_QUERIES = 8
SMALL = replace(MODEL, window_tokens=8_000)
LARGE = replace(MODEL, window_tokens=128_000)
MODELS = pytest.mark.parametrize("model", [SMALL, LARGE], ids=["8k", "128k"])


def saying(depth):
    question = f"Order {40_000 + depth} is to be ready on day {depth}. What else is there to pack?"
    return question, f"A jacket, a map and {depth % 7 + 2} pairs of socks. " * 12


@pytest.fixture
def make_access(cast):
    """Make another conversation of the owner."""

    def make():
        conversation = conversation_create(cast.owner, model_name=MODEL.name)
        return conversation_for(cast.alice, conversation.id)

    return make


@pytest.fixture
def rows_read(monkeypatch):
    """The number of rows that each query of a context returned."""
    found = []
    original = context_rows.rows_of

    def counted(sql, arguments):
        rows = original(sql, arguments)
        found.append(len(rows))
        return rows

    monkeypatch.setattr(context_rows, "rows_of", counted)
    return found


def context_of(access, model, text="What was that number again?"):
    process = new_process()
    turn_id = accept(access, text, process).turn_id
    with CaptureQueriesContext(connection) as queries:
        context = read_context(turn_id, process, model=model, keys_of=keys_of)
    assert len(queries) <= MAX_QUERIES
    turn_interrupt(turn_id, owner=process)
    return context


@MODELS
def test_rows_do_not_grow_with_the_history(cast, make_access, rows_read, model):
    read = []
    for messages in (1_000, 20_000):
        access = make_access()
        long_path(access, messages // 2, saying, learned=150)
        rows_read.clear()
        context = context_of(access, model)
        read.append(sum(rows_read))
        assert context.state.earlier_turns + len(context.state.turns) == messages // 2

    assert read[1] <= read[0]


@MODELS
def test_what_is_read_holds_half_a_window_and_little_more(cast, model):
    long_path(cast.access, 600, saying, learned=150)

    context = context_of(cast.access, model)

    state = context.state
    assert state.earlier_turns > 0
    read = sum(count.tokens for count in context.counts.values())
    read += len(state.turns) * 2 * MESSAGE_OVERHEAD_TOKENS
    turn = read // len(state.turns)
    assert model.window_tokens // 2 <= read <= model.window_tokens // 2 + 3 * turn


def test_few_large_turns_are_read_at_least_and_never_more_than_a_window(cast):
    def large(depth):
        return f"{depth}", "word " * 1_200

    long_path(cast.access, 40, large)

    few = context_of(cast.access, SMALL).state
    none = context_of(cast.access, replace(SMALL, window_tokens=2_000)).state

    assert len(few.turns) == LEAST_TURNS
    assert len(none.turns) <= 3


def test_a_path_whose_digests_fit_a_large_window_is_read_whole_with_their_counts(cast):
    def long_answers(depth):
        return "And then?", f"On day {depth} it rained. " + "The river was calm and wide. " * 60

    long_path(cast.access, 400, long_answers)

    context = context_of(cast.access, LARGE)

    assert context.state.earlier_turns == 0
    assert len(context.state.turns) == 400
    digests = [key for key in context.counts if key.form == "digest"]
    assert len(digests) == 400
    assert context.sums.reference_tokens > LARGE.window_tokens // 2


def test_turns_that_memory_has_not_learned_are_read_as_far_as_a_window_reaches(cast):
    long_path(cast.access, 96, saying, learned=10)
    near = len(context_of(cast.access, SMALL).state.turns)

    forget_deltas(cast.access)
    far = len(context_of(cast.access, SMALL).state.turns)

    assert near < far < 96


def forget_deltas(access):
    """Let no turn be learned."""
    MemoryDelta.objects.filter(turn__conversation=access.conversation).delete()
    Checkpoint.objects.filter(turn__conversation=access.conversation).delete()


def test_the_window_of_the_plan_before_is_loaded(cast):
    process = new_process()
    long_path(cast.access, 300, saying, learned=150)
    first = accept(cast.access, "Go on.", process).turn_id
    prepare(first, process, SMALL)
    start = Turn.objects.get(pk=first).attempts.get().plan_input.result["window_start_depth"]
    commit(first, process)

    context = context_of(cast.access, SMALL)

    assert context.previous.window_start_depth == start
    assert context.state.turns[0].depth <= start


def commit(turn_id, process):
    attempt = Turn.objects.get(pk=turn_id).attempts.get()
    assert turn_commit(turn_id, attempt.id, answered("Yes."), owner=process, model=SMALL)


def test_a_branch_sees_its_own_turns_only(cast):
    trunk = long_path(cast.access, 60, saying)
    fork = Turn.objects.get(pk=trunk.turn_ids[29])
    main = long_path(cast.access, 30, lambda depth: (f"main {depth}", "yes"), parent=fork)

    state = context_of(cast.access, LARGE).state

    assert [turn.id for turn in state.turns] == [
        str(turn_id) for turn_id in (*trunk.turn_ids[:30], *main.turn_ids)
    ]
    assert [turn.depth for turn in state.turns] == list(range(1, 61))


def test_a_text_that_is_typed_reads_the_same_as_the_turn_that_it_becomes(cast):
    long_path(cast.access, 300, saying, learned=150)
    draft = Message(str(UUID(int=7)), "user", "What was that number again?", 10**9)

    typed = read_draft(
        cast.access.conversation.id,
        branch_of(cast.access).id,
        draft,
        model=SMALL,
        keys_of=keys_of,
    )
    sent = context_of(cast.access, SMALL)

    assert typed.state.turns == sent.state.turns
    assert typed.state.earlier_tokens == sent.state.earlier_tokens
    assert typed.state.memory.entries == sent.state.memory.entries
    assert typed.state.input == draft
    assert typed.state.branch_now_ms == 10**9


@pytest.mark.parametrize("typed", [False, True], ids=["sent", "typed"])
def test_what_the_input_points_at_long_before_is_read_within_the_queries(cast, typed):
    first = say(
        cast.access, "Where is it?", "It is at https://example.org/docs, as ever.", new_process()
    )
    long_path(cast.access, 400, saying, learned=60, parent=Turn.objects.get(pk=first))
    text = "Please open that link again."

    if typed:
        draft = Message(str(UUID(int=7)), "user", text, 10**9)
        ids = (cast.access.conversation.id, branch_of(cast.access).id)
        with CaptureQueriesContext(connection) as queries:
            context = read_draft(*ids, draft, model=SMALL, keys_of=keys_of)
        assert len(queries) <= MAX_QUERIES
    else:
        context = context_of(cast.access, SMALL, text)

    assert context.state.earlier_turns > 300
    assert [old.message.text for old in context.state.older] == [
        "It is at https://example.org/docs, as ever."
    ]


def test_a_branch_of_another_conversation_has_no_context(cast, make_access):
    draft = Message(str(UUID(int=7)), "user", "Hello?", 1)
    other = branch_of(make_access()).id

    found = read_draft(cast.access.conversation.id, other, draft, model=SMALL, keys_of=keys_of)

    assert found is None
