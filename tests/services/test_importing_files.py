"""A file of several conversations: each comes in by itself, or not at all."""

import json
from pathlib import Path

import pytest

from chatapp.access import conversation_for
from chatapp.clock import now_ms
from chatapp.models import Conversation, Turn
from chatapp.selectors.contract_tree import tree_of
from chatapp.services import importing_portions
from chatapp.services.importing import DAY_MS
from chatapp.services.importing_files import FileImported, Refused, file_import
from chatapp.services.outcomes import NotEmpty
from statecore.contract.tree_document import dump_tree
from statecore.errors import InvalidInput
from tests.statecore.export_builders import chat, conversation, node
from tests.statecore.tree_builders import forked
from tests.support.people import new_process, say

pytestmark = pytest.mark.django_db
DATA = Path(__file__).parent.parent / "data" / "trees"
LATER_S = (now_ms() + 2 * DAY_MS) / 1000


def come(outcome):
    assert isinstance(outcome, FileImported)
    return outcome


def texts(cast, conversation_id):
    found = tree_of(conversation_for(cast.alice, conversation_id))
    return [message.text for turn in found.turns for message in turn.messages]


def test_each_becomes_a_conversation_and_the_first_comes_into_the_one_that_is_open(cast):
    given = json.dumps([chat("One", "Yes"), chat("二", "好", title="第二")])
    outcome = come(file_import(cast.owner, given, into=cast.access))
    first, second = outcome.conversations
    assert first == cast.access.conversation.id
    assert texts(cast, first) == ["One", "Yes"]
    assert texts(cast, second) == ["二", "好"]
    title = tree_of(conversation_for(cast.alice, second)).conversation.title
    assert (title, outcome.turns, outcome.refused) == ("第二", 2, ())


def test_those_that_are_wrong_make_nothing_and_do_not_hinder_the_others(cast):
    ahead = conversation(node("q", None, "user", "Soon", create_time=LATER_S))
    given = json.dumps([chat(), ahead, chat("One", "Yes")])
    before = Conversation.objects.count()
    outcome = come(file_import(cast.owner, given))
    assert outcome.refused[0] == Refused("conversation 1", "holds no message of a user")
    assert outcome.refused[1].place == "conversation 2"
    assert outcome.refused[1].why.endswith("lies in the future")
    assert Conversation.objects.count() == before + 1
    assert texts(cast, outcome.conversations[0]) == ["One", "Yes"]


def test_a_conversation_that_breaks_off_leaves_nothing_and_the_others_stay(cast, monkeypatch):
    finish = importing_portions._finish
    met = []

    def breaks(access, main, writer):
        finish(access, main, writer)
        met.append(access)
        if len(met) == 2:
            raise InvalidInput("no room")

    monkeypatch.setattr(importing_portions, "_finish", breaks)
    given = json.dumps([chat("One", "Yes"), chat("Two", "Yes"), chat("Three", "Yes")])
    outcome = come(file_import(cast.owner, given))
    assert [one.place for one in outcome.refused] == ["conversation 2"]
    assert len(outcome.conversations) == 2
    assert Turn.objects.count() == 2


def test_a_single_conversation_that_is_wrong_is_an_error(cast):
    wrong = conversation(node("q", None, "user", "Soon", create_time=LATER_S))
    with pytest.raises(InvalidInput, match="lies in the future"):
        file_import(cast.owner, json.dumps(wrong))


@pytest.mark.parametrize("into", [True, False])
def test_a_time_that_lies_in_the_future_is_named_where_the_file_has_it(cast, into):
    later_ms = int(1000 * LATER_S)
    messages = [
        {"role": "system", "text": "Be brief."},
        {"role": "user", "text": "Hi"},
        {"role": "assistant", "text": "Ho", "created_ms": later_ms},
    ]
    plain = {"schema_version": "glassbox.state.1", "messages": messages}
    before = Conversation.objects.count()
    with pytest.raises(InvalidInput, match=r"^messages 3 → created_ms: lies in the future$"):
        file_import(cast.owner, json.dumps(plain), into=cast.access if into else None)
    messages[0]["created_ms"] = later_ms
    with pytest.raises(InvalidInput, match=r"^messages 1 → created_ms: lies in the future$"):
        file_import(cast.owner, json.dumps(plain), into=cast.access if into else None)
    assert Conversation.objects.count() == before


def test_a_conversation_that_has_begun_takes_no_file(cast):
    say(cast.access, "Hello.", "Hello.", new_process())
    before = Conversation.objects.count()
    given = json.dumps([chat("One"), chat("Two")])
    assert isinstance(file_import(cast.owner, given, into=cast.access), NotEmpty)
    assert Conversation.objects.count() == before


def test_what_was_left_out_is_counted(cast):
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    one = conversation(node("s", None, "system", "", **hidden), node("q", "s", "user", "Hi"))
    outcome = come(file_import(cast.owner, json.dumps([one, one])))
    assert outcome.left_out == {"hidden": 2}


def test_a_tree_is_a_file_too(cast):
    outcome = come(file_import(cast.owner, dump_tree(forked())))
    assert (len(outcome.conversations), outcome.turns) == (1, 4)


@pytest.mark.parametrize(
    ("name", "counts"),
    [("oasst_trees.jsonl", [(4, 4), (2, 2), (11, 8)]), ("conversations.json", [(6, 3), (2, 1)])],
)
def test_files_of_other_programs_come_in_with_all_their_branches(cast, name, counts):
    text = (DATA / name).read_text(encoding="utf-8")
    outcome = come(file_import(cast.owner, text))
    found = [tree_of(conversation_for(cast.alice, made)) for made in outcome.conversations]
    assert outcome.refused == ()
    assert [(len(tree.turns), len(tree.branches)) for tree in found] == counts
