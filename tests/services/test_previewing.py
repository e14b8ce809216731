"""The next request is shown while its input is typed, as it will be sent; nothing is written."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.access import conversation_for
from chatapp.models import Attempt, Message, TokenCount
from chatapp.services.commits import turn_interrupt
from chatapp.services.conversations import conversation_create
from chatapp.services.outcomes import TextNeeded
from chatapp.services.previewing import NoBranch, NothingTyped, Preview, preview
from chatapp.store import partials
from chatapp.store.partials import Partial
from chatapp.wiring import chat_template
from statecore.context.plan import DoesNotFit
from statecore.tokens import Count
from tests.support.long_path import long_path
from tests.support.people import MODEL, accept, branch_of, new_process, prepare, say
from tests.support.remembering import learn

pytestmark = pytest.mark.django_db

MAX_QUERIES = 8
ELSEWHERE = replace(MODEL, name="elsewhere", tokenizer="server:elsewhere")
NARROW = replace(MODEL, window_tokens=1_000, reply_reserve_tokens=100)


def shown(access, text, model=MODEL, fresh=None, branch_id=None):
    branch_id = branch_id or branch_of(access).id
    return preview(access, branch_id, text, model=model, fresh=fresh or {})


def texts(request):
    return [(message.role, message.text) for message in request.messages]


@pytest.fixture
def talked(cast):
    process = new_process()
    say(cast.access, "Name one river.", "The Volga.", process)
    return cast.access


@pytest.mark.parametrize("model", [MODEL, NARROW], ids=["whole", "narrow"])
def test_it_is_the_request_that_is_sent_then(talked, model):
    process = new_process()
    for number in range(8):
        say(talked, f"Tell me of day {number}. " + "river " * 40, "water " * 40, process)

    before = shown(talked, "And where does it end?", model)
    turn_id = accept(talked, "And where does it end?", process).turn_id
    sent = prepare(turn_id, process, model)

    assert isinstance(before, Preview)
    assert texts(before.plan.request) == texts(sent.request)
    assert before.plan.prompt_tokens == sent.prompt_tokens


def test_an_answer_that_is_being_written_counts_as_far_as_it_has_come(talked):
    process = new_process()
    turn_id = accept(talked, "And the longest one?", process).turn_id
    assert texts(shown(talked, "Why?").plan.request)[-3:-1] == [
        ("user", "And the longest one?"),
        ("assistant", chat_template().stopped_empty),
    ]
    attempt = prepare(turn_id, process)
    partials.append([Partial(attempt.attempt_id, 1, 3, "The Yenisei", talked.keys)])

    found = shown(talked, "Why?")

    assert texts(found.plan.request)[-3:] == [
        ("user", "And the longest one?"),
        ("assistant", "The Yenisei"),
        ("user", "Why?"),
    ]
    assert found.is_waiting
    assert not TokenCount.objects.filter(message_id=attempt.attempt_id).exists()


def test_the_first_turn_of_all_may_be_running(cast):
    accept(cast.access, "Hello?", new_process())

    assert ("user", "Hello?") in texts(shown(cast.access, "Anybody?").plan.request)


def test_a_turn_that_broke_off_does_not_count(talked):
    process = new_process()
    turn_id = accept(talked, "And the longest one?", process).turn_id
    turn_interrupt(turn_id, owner=process)

    found = shown(talked, "Why?")

    assert texts(found.plan.request)[-2] == ("assistant", "The Volga.")
    assert not found.is_waiting


def test_the_first_request_of_a_conversation_is_shown_too(cast):
    found = shown(cast.access, "Hello?")

    assert texts(found.plan.request)[-1] == ("user", "Hello?")
    assert (found.before.tier, found.before.tokens) == (None, None)


def test_nothing_is_written(talked):
    counted = Attempt.objects.count(), Message.objects.count(), TokenCount.objects.count()
    with CaptureQueriesContext(connection) as queries:
        shown(talked, "And where does it end?")

    assert len(queries) <= MAX_QUERIES
    assert all(q["sql"].lstrip().startswith(("SELECT", "WITH")) for q in queries.captured_queries)
    found = Attempt.objects.count(), Message.objects.count(), TokenCount.objects.count()
    assert found == counted


def test_a_long_path_costs_no_more_queries(cast):
    long_path(cast.access, 400, lambda depth: (f"Day {depth}?", "It rained. " * 30), learned=60)

    with CaptureQueriesContext(connection) as queries:
        found = shown(cast.access, "And today?")

    assert isinstance(found, Preview)
    assert found.plan.tier == 2
    assert len(queries) <= MAX_QUERIES


@pytest.mark.parametrize("text", ["", "  \n"])
def test_no_text_has_no_request(talked, text):
    assert shown(talked, text) == NothingTyped()


def test_what_does_not_fit_is_said(talked):
    found = shown(talked, "river " * 9_000)

    assert isinstance(found, DoesNotFit)
    assert found.largest[0][0] == "current_input"


def test_a_branch_of_somebody_else_is_not_looked_at(talked, cast):
    other = conversation_create(cast.owner, model_name=MODEL.name)
    branch = branch_of(conversation_for(cast.alice, other.id))

    assert shown(talked, "Hello?", branch_id=branch.id) == NoBranch()


def test_a_server_s_tokenizer_is_asked_and_what_it_said_is_not_stored(talked):
    needed = shown(talked, "And?", ELSEWHERE)
    assert isinstance(needed, TextNeeded)
    assert "And?" in needed.texts.values()

    counts = {key: Count(3, "exact") for key in needed.texts}
    found = shown(talked, "And?", ELSEWHERE, counts)

    assert isinstance(found, Preview)
    assert not TokenCount.objects.filter(tokenizer=ELSEWHERE.tokenizer).exists()


def test_the_same_text_has_the_same_id_and_another_text_another(talked):
    one, same, other = (shown(talked, text) for text in ("And?", "And?", "And then?"))

    assert one.input_id == same.input_id != other.input_id


def test_what_binds_and_would_not_be_sent_is_named(cast):
    process = new_process()
    first = say(cast.access, "Never book a night train.", "I will not.", process)
    learn(cast.access, first, "rule")
    for number in range(12):
        rule = (
            f"Always keep seat {100 + number} free for me, my aunt, my bags and my old umbrella. "
        )
        learn(cast.access, say(cast.access, rule, "water " * 60, process), "rule")

    found = shown(cast.access, "Which train?", NARROW)

    assert found.plan.tier >= 2
    lost = {missing.entry_id for missing in found.missing}
    told = {selected.id for selected in found.plan.selected}
    sent = {message for sent in found.plan.sent if (message := sent.message_id)}
    assert lost
    assert lost.isdisjoint(told)
    assert not any(entry_id.startswith(message) for entry_id in lost for message in sent)
