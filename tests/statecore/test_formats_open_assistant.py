"""Trees of OpenAssistant are read in both of their forms."""

import pytest

from statecore.errors import InvalidInput
from statecore.formats.message_tree import LeftOut
from statecore.formats.open_assistant import is_tree, message_tree


def row(name, parent, role, text="Hm", **more):
    return {"id": name, "parent": parent, "role": role, "text": text} | more


LIST = [
    row("q", None, "user", "Назови реку.", created="2023-02-10T22:01:05+00:00"),
    row("b", "q", "assistant", "Дон.", rank=1),
    row("a", "q", "assistant", "Рейн.", rank=0, created="2023-02-10T22:01:06"),
    row("q2", "a", "user", "为什么？"),
]
NESTED = {
    "message_tree_id": "q",
    "prompt": {
        "message_id": "q",
        "role": "prompter",
        "text": "Назови реку.",
        "created_date": "2023-02-10T22:01:05+00:00",
        "replies": [
            {"message_id": "b", "role": "assistant", "text": "Дон.", "rank": 1, "replies": []},
            {
                "message_id": "a",
                "role": "assistant",
                "text": "Рейн.",
                "rank": 0,
                "created_date": "2023-02-10T22:01:06+00:00",
                "replies": [{"message_id": "q2", "role": "prompter", "text": "为什么？"}],
            },
        ],
    },
}


def read(nodes):
    return message_tree({"nodes": nodes}, "line 1")


def test_siblings_stand_by_rank_and_the_path_of_the_best_is_looked_at():
    found = read(LIST)
    assert [one.message.id for one in found.nodes] == ["q", "a", "q2", "b"]
    assert found.selected == "q2"
    assert found.created_ms == 1676066465000
    assert found.updated_ms == 1676066466000


def test_a_prompt_with_replies_inside_is_the_same_tree():
    assert message_tree(NESTED, "line 1") == read(LIST)


def test_what_has_no_rank_stands_last():
    rows = [row("q", None, "user"), row("a", "q", "assistant"), row("b", "q", "assistant", rank=3)]
    assert [one.message.id for one in read(rows).nodes] == ["q", "b", "a"]


def test_an_empty_message_is_told_and_what_follows_it_stays():
    rows = [row("q", None, "user"), row("a", "q", "assistant", " "), row("p", "a", "user")]
    found = read(rows)
    assert [(one.message.id, one.parent) for one in found.nodes] == [("q", None), ("p", "q")]
    assert found.left_out == (LeftOut("empty", "a"),)


def test_a_tree_is_known_by_its_nodes_or_its_prompt():
    assert is_tree({"nodes": []})
    assert is_tree(NESTED)
    assert not is_tree({"messages": []})
    assert not is_tree([])


@pytest.mark.parametrize(
    ("nodes", "sentence"),
    [
        (
            [row("a", "gone", "user")],
            "line 1 → nodes 1: the parent of 'a' is 'gone', which is not there",
        ),
        (
            [row("a", "b", "user"), row("b", "a", "user")],
            "line 1 → nodes: the parents of some messages lead in a ring",
        ),
        (
            [row("a", None, "user"), row("a", None, "user")],
            "line 1 → nodes: two messages have the same id",
        ),
        (
            [row("a", None, "robot")],
            "line 1 → nodes 1 → role: input should be 'user' or 'assistant'",
        ),
    ],
)
def test_what_is_wrong_with_a_tree_is_named(nodes, sentence):
    with pytest.raises(InvalidInput) as error:
        read(nodes)
    assert str(error.value) == sentence
