"""`replay`: says in words and as JSON what turns would have been told."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chatapp.management.commands import replay as command
from chatapp.models import Attempt, Turn
from tests.support.people import MODEL, new_process, say

pytestmark = pytest.mark.django_db

SMALL = replace(MODEL, window_tokens=1_500, reply_reserve_tokens=200)


def run(*arguments) -> str:
    output = StringIO()
    call_command("replay", *map(str, arguments), stdout=output)
    return output.getvalue()


def refused(*arguments) -> str:
    with pytest.raises(CommandError) as error:
        run(*arguments)
    return str(error.value)


@pytest.fixture
def talk(cast):
    process = new_process()
    for number in range(1, 5):
        say(cast.access, f"Question {number}?", f"Answer {number}.", process, SMALL)
    return cast.access.conversation.id


def test_turns_as_they_were_are_the_same(talk):
    lines = run(talk).splitlines()
    assert lines[0] == f"conversation {talk}"
    assert lines[1].startswith("turn 1; the same bytes; tokens ")
    assert lines[-1] == "4 turns planned again: 4 the same bytes."


def test_a_request_that_is_not_the_recorded_one_ends_with_an_error(talk):
    Attempt.objects.filter(turn__depth=3).update(request_commitment=b"of something else")
    assert refused(talk) == "Not every request is the recorded one."


def test_json_has_totals_and_every_turn(talk):
    found = json.loads(run(talk, "--json", "--strategy", "summary"))[str(talk)]
    assert found["totals"]["less_told"] == 3
    assert [turn["depth"] for turn in found["turns"]] == [1, 2, 3, 4]


def test_a_replay_ends_with_the_turn_that_is_named(talk):
    second = Turn.objects.get(depth=2).id
    assert run(talk, "--until", second).splitlines()[-1] == (
        "2 turns planned again: 2 the same bytes."
    )


def test_all_conversations_of_a_person_are_replayed(talk):
    assert run("--all", "--user", "alice") == run(talk)
    assert run("--all", "--user", "mallory").strip() == "0 turns planned again: 0 the same bytes."


def test_another_template_is_read_from_a_file(talk, tmp_path):
    path = tmp_path / "tried.toml"
    path.write_text('name = "t"\nversion = 1\nsystem = "x"\nstopped_empty = "y"\n', "utf-8")
    lines = run(talk, "--template", path).splitlines()
    assert lines[-1].startswith("4 turns planned again: 0 would have been told less")


def test_the_model_is_asked_again_and_both_answers_are_shown(talk, monkeypatch):
    async def answered(request, model):
        return f"{model.name} says {len(request.messages)}"

    monkeypatch.setattr(command, "answered", answered)
    text = run(talk, "--answer")
    assert "answered: Answer 2." in text
    assert "answers now: scripted says 4" in text
    found = json.loads(run(talk, "--answer", "--json"))[str(talk)]
    assert found["turns"][0]["answer_before"] == "Answer 1."
    assert found["turns"][0]["answer_after"] == "scripted says 2"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "name a conversation, or say --all."),
        (("TALK", "--all"), "name a conversation, or say --all."),
        (("--all", "--user", "nobody"), "there is no user nobody."),
        (("NONE",), "there is no conversation 00000000-0000-0000-0000-000000000000."),
        (("TALK", "--branch", "NONE"), "has no branch 00000000-0000-0000-0000-000000000000."),
        (("TALK", "--until", "NONE"), "the path has no turn 00000000-0000-0000-0000-000000000000."),
        (("TALK", "--set", "tier1=0.3"), "tier0 is 0.5 and may not be more than tier1"),
        (("TALK", "--set", "x=1"), "x=1: there is no setting 'x'"),
        (("TALK", "--model", "gpt-9"), "there is no model gpt-9; there are "),
        (("TALK", "--template", "/nowhere.toml"), "/nowhere.toml: No such file or directory."),
    ],
)
def test_what_cannot_be_replayed_is_said_in_one_sentence(talk, arguments, sentence):
    names = {"TALK": talk, "NONE": "00000000-0000-0000-0000-000000000000"}
    assert sentence in refused(*(names.get(word, word) for word in arguments))


def test_bounds_are_tried(talk, cast):
    process = new_process()
    for number in range(5, 11):
        say(cast.access, f"Question {number}?", f"Answer {number}.", process, SMALL)
    assert run(talk).splitlines()[-1] == "10 turns planned again: 10 the same bytes."
    bounds = ("tier0=0.2", "tier1=0.2", "tier2=0.25", "settled=0.2", "stepped=0.18")
    lines = run(talk, *(word for bound in bounds for word in ("--set", bound))).splitlines()
    assert "; no longer seen: 14 messages; " in lines[-2]
    assert not lines[-1].startswith("10 turns planned again: 0 would have been told less")
