"""A file is read whatever its format; one wrong conversation does not hinder the others."""

import json

import pytest

from statecore.contract.tree_document import dump_tree
from statecore.contract.tree_paths import path_of
from statecore.errors import InvalidInput
from statecore.formats.conversations import Found, Unfit, conversations_of
from tests.statecore.contract_builders import sample
from tests.statecore.export_builders import chat
from tests.statecore.tree_builders import forked


def oasst(text):
    return {"nodes": [{"id": "q", "parent": None, "role": "user", "text": text}]}


def firsts(text) -> list[str]:
    """Return the first words of each conversation, or why it does not fit."""
    return [
        f"{one.place}: {one.why}"
        if isinstance(one, Unfit)
        else path_of(one.tree, one.tree.selected).turns[0].messages[0].text
        for one in conversations_of(text)
    ]


def test_a_tree_and_a_state_are_one_conversation_each():
    written = dump_tree(forked())
    assert list(conversations_of(written)) == [Found("", forked(), {}, json.loads(written))]
    assert len(firsts(sample("state.3.zh.json"))) == 1


def test_an_export_holds_several_conversations_or_is_one():
    assert firsts(json.dumps([chat("One"), chat("Два"), chat("三")])) == ["One", "Два", "三"]
    assert firsts(json.dumps(chat("One"))) == ["One"]


def test_trees_stand_one_a_line_or_in_a_list_or_alone():
    lines = "\n".join(json.dumps(oasst(text)) for text in ("One", "Два"))
    assert firsts(lines) == ["One", "Два"]
    assert firsts(f"{lines}\n\n") == ["One", "Два"]
    assert firsts(json.dumps([oasst("One"), oasst("Два")])) == ["One", "Два"]
    assert firsts(json.dumps(oasst("One"))) == ["One"]


def test_a_separator_that_is_no_line_end_does_not_cut_a_line():
    lines = "\n".join(json.dumps(oasst(text), ensure_ascii=False) for text in ("A\u2028B", "C"))
    assert firsts(lines) == ["A\u2028B", "C"]


def test_what_does_not_fit_is_named_and_the_others_come():
    wrong = chat("Two")
    wrong["current_node"] = "gone"
    found = firsts(json.dumps([chat("One"), wrong, 7, chat(), chat("Five", title="x" * 300)]))
    assert found == [
        "One",
        "conversation 2: mapping: current_node is 'gone', which is not there",
        "conversation 3: it is no conversation",
        "conversation 4: holds no message of a user",
        "Five",
    ]
    lines = f"{json.dumps(oasst('One'))}\n{{\n{json.dumps(oasst('Three'))}"
    assert firsts(lines) == ["One", "line 2: it is no conversation", "Three"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not JSON"),
        ("[]", "it is no state or tree of Glassbox, no export of ChatGPT"),
        ('{"a": 1}', "it is no state or tree of Glassbox, no export of ChatGPT"),
        ('{"schema_version": "glassbox.state.3"}', "conversation: field required"),
        (json.dumps(chat()), "holds no message of a user"),
    ],
)
def test_what_is_nothing_that_is_known_is_refused_at_once(text, sentence):
    with pytest.raises(InvalidInput) as error:
        list(conversations_of(text))
    assert sentence in str(error.value)


def test_a_file_whose_first_entry_is_no_conversation_gives_the_others():
    assert firsts(json.dumps([{"title": "Lost"}, chat("Two")])) == [
        "conversation 1: it is no conversation",
        "Two",
    ]


@pytest.mark.parametrize("version", [99, "2.0"])
def test_a_version_that_nobody_knows_is_named_whatever_else_the_file_has(version):
    text = json.dumps({"schema_version": version, "mapping": {}, "messages": []})
    with pytest.raises(InvalidInput, match=f"schema_version: {version} is not known"):
        list(conversations_of(text))
