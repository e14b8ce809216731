"""An explanation is a table for people and an object for programs."""

import json
from dataclasses import replace

import pytest

from statecore.context.strategies import Strategy
from statecore.errors import InvalidInput
from statecore.explain.explaining import explained
from statecore.explain.options import Options
from statecore.explain.outcome import as_json, as_table, previous_of, printable
from statecore.routing.wire import wire_request
from tests.statecore.explain_files import FORMATS, long_talk, text_of

STRATEGIES = [
    Strategy("elastic"),
    Strategy("full"),
    Strategy("sliding"),
    Strategy("sliding", last_messages=3),
    Strategy("sliding", last_tokens=300),
    Strategy("summary"),
]


def found(document, window_tokens=1_500, **more):
    text = document if isinstance(document, str) else json.dumps(document)
    return explained(text, Options(window_tokens=window_tokens, **more))


def object_of(document, window_tokens=1_500, **more):
    return json.loads(as_json(found(document, window_tokens, **more)))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_the_same_object(name):
    told = object_of(text_of(name))

    assert told["tier"] == 0
    assert told["window_tokens"] == 1_500
    assert 0 < told["total_tokens"] < 1_500
    kinds = [s["kind"] for s in told["segments"] if s["kind"] != "state_block"]
    assert kinds == ["message", "message", "input"]
    assert all(
        {"kind", "source_ids", "tokens", "decision", "reason"} <= segment.keys()
        for segment in told["segments"]
    )
    assert told["request"]["messages"][-1] == {"role": "user", "content": "And by train?"}
    assert told["planned_for"] == told["segments"][-1]["source_ids"][0]


def test_the_request_is_printed_as_it_would_be_sent():
    shown = found(long_talk(40))

    assert json.loads(as_json(shown))["request"] == wire_request(shown.plan.request, shown.model)
    assert json.loads(as_json(shown))["request"]["stream"] is True


@pytest.mark.parametrize("strategy", STRATEGIES, ids=str)
def test_every_strategy_stays_inside_the_window_and_keeps_the_input(strategy):
    window_tokens = 20_000 if strategy.name == "full" else 1_500

    told = object_of(long_talk(40), window_tokens, strategy=strategy)

    assert told["strategy"] == strategy.name
    assert told["total_tokens"] + told["reply_reserve_tokens"] <= window_tokens
    assert told["request"]["messages"][-1]["content"] == "So what is my flight?"
    ids = {f"m{number}" for number in range(1, 84)} | {f"t{number}" for number in range(1, 42)}
    assert {id_ for segment in told["segments"] for id_ in segment["source_ids"]} <= ids


def test_the_tokens_of_what_is_sent_are_those_of_the_request():
    told = object_of(long_talk(40))

    sent = [s for s in told["segments"] if s["decision"] not in {"dropped", "moved_to_summary"}]
    opening_of_the_reply = 3
    assert sum(s["tokens"] for s in sent) + opening_of_the_reply == told["total_tokens"]
    assert len(sent) == len(told["request"]["messages"])


def test_a_long_list_is_sent_with_what_it_taught_long_ago():
    told = object_of(long_talk(40))

    words = "\n".join(message["content"] for message in told["request"]["messages"])
    assert told["tier"] == 2
    assert told["dropped_turns"] > 20
    assert "Never share my plan with Bo." in words
    assert "My flight is QX-4417." in words
    assert "dish number 3 " not in words
    assert told["missing"] == []


def test_a_sliding_window_forgets_and_says_what():
    told = object_of(long_talk(40), strategy=Strategy("sliding", last_messages=4))

    assert {one["kind"] for one in told["missing"]} == {"refusal", "value"}
    assert len(told["request"]["messages"]) <= 5


def test_two_runs_are_the_same_to_the_byte():
    assert as_json(found(long_talk(40))) == as_json(found(long_talk(40)))


def test_the_plan_before_goes_on():
    first = as_json(found(long_talk(40), 4_000))

    again = object_of(long_talk(41), 4_000, previous=previous_of(first))

    assert (
        again["previous"]["window_start_depth"]
        == json.loads(first)["previous"]["window_start_depth"]
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("tier", value) for value in ("x", None, [], 1.5, True, -1, 4, 10**30)],
        *[("judged_depth", value) for value in ("x", None, -1, {})],
        *[("window_start_depth", value) for value in ("1", None, -5)],
        *[("window_tokens", value) for value in ("8192", 0, None)],
        *[("tokenizer", value) for value in (None, 5)],
        *[("template_hash", value) for value in (None, [])],
        *[("settled", value) for value in ("x", 5, [1], {"a": 1}, None)],
    ],
)
def test_a_plan_before_that_was_changed_by_hand_is_refused(name, value):
    document = json.loads(as_json(found(long_talk(4), 4_000)))
    document["previous"][name] = value

    with pytest.raises(InvalidInput, match="not one that --json has printed"):
        previous_of(json.dumps(document))


def test_a_plan_before_of_an_older_version_still_counts():
    document = json.loads(as_json(found(long_talk(4), 4_000)))
    whole = previous_of(json.dumps(document))
    del document["previous"]["settled"]
    document["previous"]["newer"] = 1

    assert previous_of(json.dumps(document)) == replace(whole, settled=())


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"previous": 5}', '{"previous": {"tier": 1}}'])
def test_another_file_is_no_plan_before(text):
    with pytest.raises(InvalidInput, match="not one that --json has printed"):
        previous_of(text)


def test_a_system_prompt_of_several_messages_names_them_all():
    messages = [{"role": "system", "content": "A."}, {"role": "developer", "content": "B."}]

    told = object_of([*messages, {"role": "user", "content": "Hi"}])

    assert told["segments"][0]["source_ids"] == ["m1", "m2"]
    assert told["request"]["messages"][0] == {"role": "system", "content": "A.\n\nB."}


def test_the_table_says_what_was_chosen_and_what_is_missing():
    table = as_table(found(long_talk(40), strategy=Strategy("sliding", last_messages=4)))

    assert "strategy sliding" in table
    assert "remembered, in force, and not in the request: refusal m1:" in table


def test_what_does_not_fit_is_named():
    with pytest.raises(InvalidInput, match="what is never cut needs") as raised:
        found([{"role": "user", "content": "long words " * 400}], 300)

    assert "current_input" in str(raised.value)


def test_a_table_does_nothing_to_a_terminal():
    assert printable("a\x1b[31m\u202eb\nc") == "a\ufffd[31m\ufffdb\nc"
