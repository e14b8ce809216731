"""A state that leaves one conversation and comes into another is the same state."""

import pytest
from hypothesis import HealthCheck, given, settings

from chatapp.access import Access, conversation_for
from chatapp.clock import now_ms
from chatapp.models import Conversation, Outbox, Tombstone, Transition, Turn
from chatapp.selectors.contract import contract_of
from chatapp.services.commits import turn_interrupt
from chatapp.services.conversations import conversation_create, conversation_delete
from chatapp.services.importing import DAY_MS, state_import, state_import_new
from chatapp.services.memory import field_set, memory_add, memory_delete, memory_edit, memory_undo
from chatapp.services.outcomes import Accepted, Changed, Imported, MovedOn, NotEmpty
from chatapp.services.transitions import ConversationGone
from chatapp.services.turns import turn_accept, turn_retry
from chatapp.store import outbox
from chatapp.store.said import texts_of
from chatapp.store.verification import verify_conversation
from statecore.contract.differences import difference
from statecore.contract.document import dump, parse
from statecore.contract.hashing import state_hash
from statecore.errors import InvalidInput
from statecore.state.operations import FieldSet
from tests.statecore.contract_builders import SAMPLES, contract, contracts, sample, turn
from tests.support.people import MODEL, accept, new_process, say, typed
from tests.support.remembering import learn, remembered, texts

pytestmark = pytest.mark.django_db

SAID = (
    ("Мой бюджет 900 евро. Отель в Риме.", "Хорошо."),
    ("不要海鲜。", "好的。"),
    ("The code is 4711.", "Noted."),
)


@pytest.fixture
def process(cast):
    return new_process()


@pytest.fixture
def told(cast, process):
    """A conversation with three turns, what they taught, and what its owner did about it."""
    said = [say(cast.access, text, answer, process) for text, answer in SAID]
    for turn_id in said[:2]:
        learn(cast.access, turn_id, "rule")
    first, second = remembered(cast.access).entries
    memory_edit(cast.access, first.id, "Budget 1,000.")
    memory_delete(cast.access, second.id)
    added = memory_add(cast.access, "task", "Call the hotel.")
    memory_undo(cast.access, added.seq)
    memory_add(cast.access, "task", "Book a table.")
    field_set(cast.access, FieldSet("step", "2"))
    return cast.access


@pytest.fixture
def empty(cast):
    """Another conversation of the same person."""
    conversation = conversation_create(cast.owner, model_name=MODEL.name)
    return conversation_for(cast.alice, conversation.id)


def moved(access, other):
    """Let a state travel as text."""
    outcome = state_import(other, parse(dump(contract_of(access))))
    assert isinstance(outcome, Imported)
    return contract_of(other)


def test_an_imported_state_has_the_same_hash(told, empty):
    before = contract_of(told)
    after = moved(told, empty)
    assert difference(before, after) == ()
    assert state_hash(before) == state_hash(after)
    assert parse(dump(after)) == after


def test_the_log_of_an_imported_conversation_verifies(told, empty):
    moved(told, empty)
    found = verify_conversation(empty.conversation.id, empty.keys)
    assert found.findings == ()
    seqs = Transition.objects.filter(conversation=empty.conversation).values_list("seq", flat=True)
    assert sorted(seqs) == list(range(1, len(seqs) + 1))


def test_the_path_is_what_can_be_written_on(told, empty, process):
    moved(told, empty)
    turn_id = say(empty, "Was nun?", "Weiter.", process)
    newest = Turn.objects.select_related("parent").get(pk=turn_id)
    assert (newest.depth, newest.parent.depth) == (4, 3)
    assert (newest.sum_messages, newest.parent.sum_messages) == (8, 6)
    assert verify_conversation(empty.conversation.id, empty.keys).findings == ()


def test_sums_features_and_path_hashes_are_those_of_what_was_said_here(told, empty):
    moved(told, empty)
    columns = ("sum_messages", "sum_reference_tokens", "sum_digest_tokens")
    here, there = (
        [*Turn.objects.filter(conversation=one.conversation).order_by("depth").values(*columns)]
        for one in (told, empty)
    )
    assert here == there
    hashes = Turn.objects.filter(conversation=empty.conversation).values_list("path_hash")
    assert len({bytes(found) for (found,) in hashes}) == len(SAID)


def test_what_was_deleted_stays_deleted(told, empty):
    moved(told, empty)
    assert "不要海鲜。" not in texts(remembered(empty))
    assert Tombstone.objects.filter(conversation=empty.conversation).count() == 1
    second = Turn.objects.filter(conversation=empty.conversation).order_by("depth")[1]
    assert "不要海鲜。" in [message.text for message in messages_of(second, empty)]


def test_memory_says_the_same_and_can_be_acted_on(told, empty):
    before, after = remembered(told), (moved(told, empty), remembered(empty))[1]
    assert [(entry.text, entry.status) for entry in after.entries] == [
        (entry.text, entry.status) for entry in before.entries
    ]
    (table,) = [entry for entry in after.active() if entry.text == "Book a table."]
    assert isinstance(memory_delete(empty, table.id), Changed)
    assert "Book a table." not in texts(remembered(empty))


def test_what_nobody_had_learned_waits_to_be_learned_here(told, empty):
    moved(told, empty)
    waiting = Outbox.objects.filter(conversation=empty.conversation, done_ms=None)
    assert waiting.filter(kind=outbox.MEMORY_DELTA).count() == 1
    assert waiting.filter(kind=outbox.TOKEN_COUNTS).count() == len(SAID)


def test_an_input_that_waits_can_be_asked_again(told, empty, process):
    turn_id = accept(told, "Und jetzt?", process).turn_id
    turn_interrupt(turn_id, owner=process)
    before = contract_of(told)
    assert before.turns[-1].status == "interrupted"
    assert state_hash(moved(told, empty)) == state_hash(before)
    waiting = Turn.objects.get(conversation=empty.conversation, status="interrupted")
    outcome = turn_retry(empty, waiting.id, owner=process, model_name=MODEL.name)
    assert outcome == Accepted(waiting.id)


@pytest.mark.parametrize("begun", ["said", "remembered", "imported"])
def test_only_an_empty_conversation_takes_a_state(told, empty, process, begun):
    if begun == "said":
        say(empty, "Hello.", "Hello.", process)
    elif begun == "remembered":
        memory_add(empty, "rule", "Be brief.")
    else:
        state_import(empty, contract())
    contract_before = contract_of(empty)
    assert isinstance(state_import(empty, contract_of(told)), NotEmpty)
    assert contract_of(empty) == contract_before
    assert verify_conversation(empty.conversation.id, empty.keys).findings == ()


def test_nobody_imports_into_a_conversation_that_is_gone(told, empty):
    conversation_delete(empty)
    with pytest.raises(ConversationGone):
        state_import(empty, contract_of(told))


def test_times_of_the_future_are_refused(empty):
    later = now_ms() + 2 * DAY_MS
    ahead = contract(turn(1, accepted_ms=later, committed_ms=later))
    with pytest.raises(InvalidInput, match="turns 1 → accepted_ms: lies in the future"):
        state_import(empty, ahead)
    assert not Turn.objects.exists()


def test_a_state_of_too_many_turns_is_refused(empty, monkeypatch):
    monkeypatch.setattr("chatapp.services.importing.MAX_TURNS", 1)
    with pytest.raises(InvalidInput, match="turns: 2 where 1 are the most"):
        state_import(empty, contract(turn(1), turn(2)))


def test_a_page_that_was_open_before_cannot_post_onto_what_it_has_not_seen(told, empty, process):
    draft = typed(empty, "Hello?")
    moved(told, empty)
    assert isinstance(turn_accept(empty, draft, owner=process), MovedOn)


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.glob("*.json")))
def test_every_stored_sample_comes_in_and_goes_out_as_it_is(empty, name):
    given_state = parse(sample(name))
    state_import(empty, given_state)
    found = contract_of(reloaded(empty))
    # Where a file has no system message, that of the conversation stays in force.
    system = found.system if given_state.system else None
    found = found.model_copy(update={"system": system})
    assert difference(given_state, found) == ()
    assert verify_conversation(empty.conversation.id, empty.keys).findings == ()


def test_what_a_state_carries_is_kept_under_the_ids_of_its_new_place(empty):
    given_state = parse(sample("state.1.ru.json"))
    state_import(empty, given_state)
    found = contract_of(reloaded(empty))
    assert [field.value for field in found.contract_fields] == ["ru", "strict", "support"]
    (fact,) = found.facts
    assert fact.sources[0].conversation_id == str(empty.conversation.id)
    assert fact.sources[0].message_id == found.turns[0].messages[0].id
    assert found.request_meta.marks == {"fallback_used": "True"}
    assert found.conversation.title == "Возврат куртки"


def test_a_new_conversation_is_made_of_a_state_or_nothing_is(cast):
    before = Conversation.objects.count()
    later = now_ms() + 2 * DAY_MS
    with pytest.raises(InvalidInput):
        state_import_new(cast.owner, contract(turn(1, accepted_ms=later, committed_ms=later)))
    assert Conversation.objects.count() == before
    made = state_import_new(cast.owner, parse(sample("state.3.zh.json")))
    access = conversation_for(cast.alice, made)
    assert state_hash(contract_of(access)) == state_hash(parse(sample("state.3.zh.json")))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(contracts())
def test_any_state_comes_in_and_goes_out_as_it_is(cast, drawn):
    made = state_import_new(cast.owner, drawn)
    access = conversation_for(cast.alice, made)
    found = contract_of(access)
    if drawn.system is None:
        found = found.model_copy(update={"system": None})
    assert difference(drawn, found) == ()
    assert state_hash(drawn) == state_hash(found)
    assert parse(dump(found)) == found
    assert verify_conversation(made, access.keys).findings == ()


def test_a_long_state_costs_no_more_queries_for_each_turn_than_its_rows(
    empty, django_assert_max_num_queries
):
    long_state = contract(*(turn(depth) for depth in range(1, 101)))
    with django_assert_max_num_queries(100 * 9 + 60):
        state_import(empty, long_state)
    with django_assert_max_num_queries(8):
        contract_of(empty)


def messages_of(turn_row, access):
    (found,) = texts_of([turn_row.id], access.keys)
    return [found.question, found.answer]


def reloaded(access):
    """Return the access of a new request."""
    row = Conversation.objects.get(pk=access.conversation.id)
    return Access(access.owner, row)
