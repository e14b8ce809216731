"""An attempt is planned from few reads, stored before it is sent, and can be rebuilt."""

from dataclasses import replace
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.access import conversation_for, owner_of
from chatapp.models import Attempt, Message, PlanInput, RequestBlock, Snapshot, TokenCount
from chatapp.selectors.requests import sent_request
from chatapp.services.attempts import Prepared, attempt_prepare
from chatapp.services.commits import turn_commit, turn_interrupt
from chatapp.services.conversations import conversation_choose_model, conversation_create
from chatapp.services.outcomes import Fenced, TextNeeded
from chatapp.services.turns import turn_retry
from chatapp.store import attempts
from chatapp.wiring import chat_template
from statecore.context.plan import PLANNER_VERSION, DoesNotFit
from statecore.models import spec_hash
from statecore.requests import canonical_bytes
from statecore.routing.wire import wire_request
from statecore.tokens import Count
from tests.support.lengthen import lengthen
from tests.support.long_path import long_path
from tests.support.people import MODEL, accept, answered, new_process, prepare, say

pytestmark = pytest.mark.django_db

MAX_READS = 8
"""What the design allows a plan to read, whatever the length of the history."""
SYSTEM = chat_template().system
WIDE = replace(MODEL, window_tokens=64_000)
LARGE = replace(MODEL, window_tokens=32_000, reply_reserve_tokens=1_000)
ELSEWHERE = replace(MODEL, name="elsewhere", tokenizer="server:elsewhere")


def texts(request):
    return [(message.role, message.text) for message in request.messages]


def queries_of_next(access, process):
    """Return the queries that preparing the next turn costs."""
    turn_id = accept(access, "One more?", process).turn_id
    with CaptureQueriesContext(connection) as queries:
        prepare(turn_id, process, WIDE)
    turn_interrupt(turn_id, owner=process)
    return [query["sql"].lstrip() for query in queries.captured_queries]


def reads_of(statements):
    return [sql for sql in statements if sql.startswith(("SELECT", "WITH"))]


def test_a_plan_reads_as_little_of_a_long_conversation_as_of_a_short_one(cast):
    process = new_process()
    say(cast.access, "Name one river.", "The Volga.", process)
    queries_of_next(cast.access, process)

    counts = {}
    for length in (10, 200):
        lengthen(cast.access, length)
        statements = queries_of_next(cast.access, process)
        counts[length] = (len(reads_of(statements)), len(statements))

    assert counts[200] == counts[10]
    assert counts[200][0] <= MAX_READS


def test_the_first_plan_of_a_conversation_reads_no_more_than_allowed(cast):
    assert len(reads_of(queries_of_next(cast.access, new_process()))) <= MAX_READS


def test_the_request_is_system_history_and_input(cast):
    process = new_process()
    say(cast.access, "Name one river.", "The Volga.", process)

    prepared = prepare(accept(cast.access, "Another?", process).turn_id, process)

    assert texts(prepared.request) == [
        ("system", SYSTEM),
        ("user", "Name one river."),
        ("assistant", "The Volga."),
        ("user", "Another?"),
    ]
    assert prepared.request.max_output_tokens == MODEL.reply_reserve_tokens


def test_what_broke_off_is_in_no_later_request(cast):
    process = new_process()
    say(cast.access, "one", "two", process)
    turn_interrupt(accept(cast.access, "lost", process).turn_id, owner=process)

    prepared = prepare(accept(cast.access, "three", process).turn_id, process)

    assert "lost" not in [text for _, text in texts(prepared.request)]


def test_the_attempt_is_stored_before_anything_is_sent(cast):
    process = new_process()
    turn_id = accept(cast.access, "Name one river.", process).turn_id

    prepared = prepare(turn_id, process)

    attempt = Attempt.objects.select_related("plan_input").get(pk=prepared.attempt_id)
    inputs = attempt.plan_input
    assert (attempt.status, attempt.ordinal, attempt.model_name) == ("running", 1, "scripted")
    assert attempt.prompt_tokens == prepared.prompt_tokens
    assert attempt.prompt_quality == "exact"
    assert (inputs.model_id, inputs.template_id) == (spec_hash(MODEL), chat_template().hash)
    assert (inputs.parent_turn_id, inputs.planner_version) == (None, PLANNER_VERSION)
    assert inputs.as_of_seq == attempt.turn.accepted_seq
    assert inputs.previous is None


def test_each_plan_is_told_what_the_one_before_chose(cast):
    process = new_process()
    say(cast.access, "one", "two", process)
    first = PlanInput.objects.get()

    prepare(accept(cast.access, "three", process).turn_id, process)

    second = PlanInput.objects.exclude(pk=first.pk).get()
    assert second.previous == {name: first.result[name] for name in second.previous}
    assert second.previous["window_tokens"] == MODEL.window_tokens


def test_models_and_templates_are_kept_once(cast):
    process = new_process()
    say(cast.access, "one", "two", process)
    say(cast.access, "three", "four", process)

    assert sorted(Snapshot.objects.values_list("kind", flat=True)) == ["model", "template"]


def test_another_attempt_of_a_turn_is_the_next_by_number(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    first = prepare(turn_id, process)

    second = prepare(turn_id, process, replace(MODEL, name="second"))

    ordinals = Attempt.objects.in_bulk([first.attempt_id, second.attempt_id])
    assert ordinals[first.attempt_id].ordinal == 1
    assert ordinals[second.attempt_id].ordinal == 2


@pytest.mark.parametrize("how", ["another", "ended", "unknown"])
def test_who_does_not_own_the_turn_prepares_nothing(cast, how):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    owner = new_process() if how == "another" else process
    if how == "ended":
        turn_interrupt(turn_id, owner=process)
    if how == "unknown":
        turn_id = process

    outcome = attempt_prepare(turn_id, owner=owner, model=MODEL, fresh={})

    assert outcome == Fenced()
    assert not Attempt.objects.exists()


def test_what_does_not_fit_is_said_and_not_stored(cast):
    process = new_process()
    turn_id = accept(cast.access, "river " * 5_000, process).turn_id

    outcome = attempt_prepare(turn_id, owner=process, model=MODEL, fresh={})

    assert isinstance(outcome, DoesNotFit)
    assert outcome.needed_tokens > outcome.window_tokens == MODEL.window_tokens
    assert not Attempt.objects.exists()


def test_a_server_s_tokenizer_is_asked_for_what_is_not_counted_yet(cast):
    process = new_process()
    say(cast.access, "one", "two", process)
    turn_id = accept(cast.access, "three", process).turn_id

    needed = attempt_prepare(turn_id, owner=process, model=ELSEWHERE, fresh={})
    assert isinstance(needed, TextNeeded)
    fresh = {message_id: Count(3, "exact") for message_id in needed.texts}
    prepared = attempt_prepare(turn_id, owner=process, model=ELSEWHERE, fresh=fresh)

    assert sorted(needed.texts.values()) == sorted([SYSTEM, "one", "two", "three"])
    assert isinstance(prepared, Prepared)
    stored = TokenCount.objects.filter(tokenizer="server:elsewhere")
    assert stored.count() == 4


def test_what_was_counted_once_is_not_asked_for_again(cast):
    process = new_process()
    turn_id = accept(cast.access, "one", process).turn_id
    needed = attempt_prepare(turn_id, owner=process, model=ELSEWHERE, fresh={})
    fresh = {message_id: Count(3, "exact") for message_id in needed.texts}
    attempt_prepare(turn_id, owner=process, model=ELSEWHERE, fresh=fresh)

    again = attempt_prepare(turn_id, owner=process, model=ELSEWHERE, fresh={})

    assert isinstance(again, Prepared)


def test_a_tokenizer_at_hand_counts_here_and_keeps_its_counts(cast):
    process = new_process()
    other = replace(MODEL, tokenizer="cl100k_base")
    say(cast.access, "one", "two", process)

    prepare(accept(cast.access, "three", process).turn_id, process, other)

    assert TokenCount.objects.filter(tokenizer="cl100k_base").count() == Message.objects.count()


# Replay.


@pytest.mark.parametrize("length", [1, 20, 40])
def test_every_stored_request_is_rebuilt_byte_for_byte(cast, length):
    process = new_process()
    sent = {}
    for number in range(length):
        turn_id = accept(cast.access, f"Вопрос {number} 👋", process).turn_id
        prepared = prepare(turn_id, process, WIDE)
        sent[prepared.attempt_id] = prepared.request
        end(turn_id, prepared, f"答案 {number}", process)

    for attempt_id, request in sent.items():
        found = sent_request(cast.access, attempt_id)

        assert found.proven
        assert found.body == wire_request(request, WIDE)
        attempt = Attempt.objects.get(pk=attempt_id)
        expected = attempts.digest(cast.owner.keys, canonical_bytes(request))
        assert bytes(attempt.request_commitment) == expected


def end(turn_id, prepared, text, process):
    assert turn_commit(turn_id, prepared.attempt_id, answered(text), owner=process, model=WIDE)


def test_a_request_of_digests_is_rebuilt_and_counted_from_what_is_stored(cast):
    process = new_process()
    long_path(
        cast.access, 40, lambda depth: (f"Day {depth}?", "It rained. " + "A calm sea. " * 150)
    )
    turn_id = accept(cast.access, "And today?", process).turn_id

    prepared = prepare(turn_id, process, LARGE)

    attempt = Attempt.objects.select_related("plan_input").get(pk=prepared.attempt_id)
    result = attempt.plan_input.result
    assert (result["tier"], result["policy"], result["judged_depth"]) == (1, "four tiers", 40)
    digests = [part for part in attempt.segments if part["decision"] == "digested"]
    assert len(digests) == 35
    assert result["verbatim_depth"] == 36
    assert result["window_start_depth"] == 1
    assert TokenCount.objects.filter(form="digest").count() == 40
    found = sent_request(cast.access, prepared.attempt_id)
    assert found.proven
    assert found.body == wire_request(prepared.request, LARGE)


def test_requests_of_digests_share_their_beginning(cast):
    process = new_process()
    long_path(
        cast.access, 40, lambda depth: (f"Day {depth}?", "It rained. " + "A calm sea. " * 150)
    )
    requests = []
    for number in range(3):
        turn_id = accept(cast.access, f"And {number} days later?", process).turn_id
        prepared = prepare(turn_id, process, LARGE)
        requests.append(prepared.request.messages)
        assert turn_commit(
            turn_id, prepared.attempt_id, answered("It rained."), owner=process, model=LARGE
        )

    for before, after in pairwise(requests):
        assert after[: len(before) - 1] == before[:-1]


def test_consecutive_requests_share_all_blocks_but_the_last(cast):
    process = new_process()
    for number in range(40):
        say(cast.access, f"question {number}", f"answer {number}", process)

    manifests = list(Attempt.objects.order_by("id").values_list("manifest", flat=True))
    for before, after in pairwise(manifests):
        assert after[: len(before) - 1] == before[:-1]
    assert len(manifests[-1]) == 4
    referred = {block for manifest in manifests for block in manifest}
    assert RequestBlock.objects.count() == len(referred)
    assert sum(map(len, manifests)) > 2 * len(referred)


def test_blocks_hold_references_where_there_is_a_message(cast):
    process = new_process()
    say(cast.access, "A long question " * 50, "A long answer " * 50, process)

    prepare(accept(cast.access, "And?", process).turn_id, process)

    assert max(len(bytes(block.body)) for block in RequestBlock.objects.all()) < 600


def test_a_request_of_another_conversation_is_not_shown(cast):
    process = new_process()
    say(cast.access, "A secret?", "Yes.", process)
    stranger = conversation_create(owner_of(cast.mallory), model_name="")
    theirs = conversation_for(cast.mallory, stranger.id)

    assert sent_request(theirs, Attempt.objects.get().id) is None


def test_a_retry_with_another_model_is_told_the_same(cast):
    process = new_process()
    turn_id = accept(cast.access, "Name one river.", process).turn_id
    first = prepare(turn_id, process)
    turn_interrupt(turn_id, owner=process)
    conversation_choose_model(cast.access, "second")
    turn_retry(cast.access, turn_id, owner=process, model_name="second")

    second = prepare(turn_id, process, replace(MODEL, name="second", window_tokens=8_000))

    assert texts(second.request) == texts(first.request)
