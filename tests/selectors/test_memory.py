"""What the branch remembers now, and what one attempt was planned with."""

import pytest

from chatapp.access import conversation_for, owner_of
from chatapp.clock import now_ms
from chatapp.models import Attempt, PlanInput, Turn
from chatapp.selectors.memory import attempt_memory, memory_page
from chatapp.services.conversations import conversation_create
from chatapp.services.memory import field_set, memory_add, memory_delete
from statecore.state.operations import FieldSet
from tests.support.lengthen import lengthen
from tests.support.people import accept, new_process, prepare, say
from tests.support.remembering import learn, texts

pytestmark = pytest.mark.django_db

HOUR_MS = 3_600_000


def test_the_page_of_an_empty_conversation(cast):
    before = now_ms()

    page = memory_page(cast.access)

    assert (page.memory.entries, page.waiting, page.tip, page.last_turn_ms) == ((), (), None, 0)
    assert before <= page.branch_now_ms <= now_ms()


def test_the_page_has_what_is_remembered_and_which_turns_wait(cast):
    process = new_process()
    first = say(cast.access, "Дом номер 7.", "Да.", process)
    second = say(cast.access, "预算是900元。", "好。", process)
    learn(cast.access, first)
    memory_add(cast.access, "rule", "Be brief.")
    field_set(cast.access, FieldSet("city", "Perm"))

    page = memory_page(cast.access)

    assert texts(page.memory) == ["Дом номер 7.", "Be brief.", "预算是900元。"]
    assert [entry.seq > page.memory.as_of for entry in page.memory.entries] == [False, False, True]
    assert [field.key for field in page.memory.fields] == ["city"]
    assert (page.waiting, page.tip) == ((second,), second)
    assert page.last_turn_ms == Turn.objects.get(pk=second).branch_ms


def test_branch_time_stood_still_while_the_branch_was_left(cast):
    turn_id = say(cast.access, "One.", "Two.", new_process())
    turn = Turn.objects.get(pk=turn_id)
    Turn.objects.filter(pk=turn_id).update(branch_ms=turn.branch_ms - HOUR_MS)

    before = now_ms()
    page = memory_page(cast.access)

    assert before - HOUR_MS <= page.branch_now_ms <= now_ms() - HOUR_MS
    assert page.last_turn_ms == turn.branch_ms - HOUR_MS


def test_the_page_shows_what_checkpoints_have_left_out(cast):
    say(cast.access, "One.", "Two.", new_process())
    lengthen(cast.access, 40)
    turns = list(Turn.objects.order_by("depth").values_list("id", flat=True))
    for number, turn_id in enumerate(turns, start=1):
        learn(cast.access, turn_id, text=f"{number} " + "долгая фраза " * 200)

    assert len(memory_page(cast.access).memory.entries) == 40


def test_the_page_costs_three_queries(cast, django_assert_num_queries):
    process = new_process()
    for number in range(3):
        learn(cast.access, say(cast.access, f"Number {number}.", "Yes.", process))
        memory_add(cast.access, "rule", f"Rule {number}.")

    with django_assert_num_queries(3):
        memory_page(cast.access)


def test_an_attempt_has_the_memory_of_its_plan_whatever_came_later(cast):
    process = new_process()
    first = say(cast.access, "House number 7.", "Yes.", process)
    learn(cast.access, first)
    turn_id = accept(cast.access, "Where?", process).turn_id
    attempt_id = prepare(turn_id, process).attempt_id

    known = attempt_memory(cast.access, attempt_id)
    memory_add(cast.access, "rule", "Be brief.")
    memory_delete(cast.access, known.entries[0].id)

    assert texts(attempt_memory(cast.access, attempt_id)) == ["House number 7."]
    assert (
        attempt_memory(cast.access, attempt_id).as_of
        == PlanInput.objects.get(attempt_id=attempt_id).as_of_seq
    )


def test_the_first_attempt_of_all_remembers_nothing(cast):
    say(cast.access, "One.", "Two.", new_process())

    assert attempt_memory(cast.access, Attempt.objects.get().id).entries == ()


def test_the_attempt_of_another_s_conversation_is_not_there(cast):
    say(cast.access, "One.", "Two.", new_process())
    stranger = conversation_create(owner_of(cast.mallory), model_name="")
    theirs = conversation_for(cast.mallory, stranger.id)

    assert attempt_memory(theirs, Attempt.objects.get().id) is None
    assert attempt_memory(cast.access, cast.access.conversation.id) is None
    assert memory_page(theirs).tip is None
