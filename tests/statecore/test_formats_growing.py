"""Turns become a tree: further inputs and further answers are branches."""

from hypothesis import given
from hypothesis import strategies as st

from statecore.contract.tree_document import dump_tree, parse_tree
from statecore.contract.tree_paths import path_of
from statecore.formats.growing import grown
from statecore.formats.message_tree import MessageTree, Node
from statecore.messages import Message


def node(name, parent, role, at=0, model="") -> Node:
    return Node(Message(name, role, f"{name}.", at), parent, None, model)


def texts(tree, branch) -> list[str]:
    return [message.text for turn in path_of(tree, branch).turns for message in turn.messages]


EDITED = (
    node("q", None, "user", 1),
    node("a", "q", "assistant", 2, "m1"),
    node("b", "q", "assistant", 5),
    node("p", "a", "user", 3),
    node("c", "p", "assistant", 4),
    node("p2", "a", "user", 7),
    node("d", "p2", "assistant", 8),
    node("e", "p2", "assistant", 9),
)


def test_the_first_of_all_goes_on_and_what_stands_beside_it_is_a_branch():
    tree = grown(MessageTree(EDITED, title="Trip")).tree
    found = [(one.origin, one.parent_turn, one.left_branch) for one in tree.branches]
    assert found == [
        ("main", None, None),
        ("regenerate", None, "b1"),
        ("edit", "t1", "b1"),
        ("regenerate", "t1", "b3"),
    ]
    assert [texts(tree, one.id)[-2:] for one in tree.branches] == [
        ["p.", "c."],
        ["q.", "b."],
        ["p2.", "d."],
        ["p2.", "e."],
    ]
    assert tree.conversation.title == "Trip"
    assert tree.selected == "b1"
    assert tree.turns[0].model == "m1"


def test_an_answer_anew_shares_its_input():
    tree = grown(MessageTree(EDITED)).tree
    shared = [(turn.input_of, len(turn.messages)) for turn in tree.turns]
    assert shared == [(None, 2), (None, 2), ("t1", 1), (None, 2), (shared[-1][0], 1)]
    assert tree.inputs()[tree.turns[-1].id].text == "p2."


def test_turns_are_numbered_by_their_time():
    tree = grown(MessageTree(EDITED)).tree
    assert [turn.messages[-1].text for turn in tree.turns] == ["a.", "c.", "b.", "d.", "e."]


def test_siblings_keep_their_order_whatever_their_times():
    tree = grown(MessageTree((node("q", None, "user", 9), node("p", None, "user", 1)))).tree
    assert [turn.messages[0].text for turn in tree.turns] == ["q.", "p."]


def test_the_message_that_was_looked_at_is_at_the_end_of_the_branch_that_is():
    for name, last in (("d", "d."), ("b", "b."), ("c", "c.")):
        tree = grown(MessageTree(EDITED, selected=name)).tree
        assert texts(tree, tree.selected)[-1] == last


def test_a_branch_that_was_looked_at_in_its_middle_can_be_redone():
    tree = grown(MessageTree(EDITED, selected="a")).tree
    main = tree.branches[0]
    assert (tree.selected, texts(tree, "b1")) == ("b1", ["q.", "a."])
    redone = tree.model_copy(update={"branches": (main.model_copy(update={"tip": main.redo_tip}),)})
    assert texts(redone, "b1")[-1] == "c."


def test_an_input_without_an_answer_waits_on_a_branch_of_its_own():
    nodes = (*EDITED[:2], node("p", "a", "user"), node("p2", "a", "user"))
    tree = grown(MessageTree(nodes, selected="p2")).tree
    assert [texts(tree, one.id) for one in tree.branches] == [
        ["q.", "a.", "p."],
        ["q.", "a.", "p2."],
    ]
    assert tree.selected == "b2"


def test_without_a_title_the_first_words_are_one():
    assert grown(MessageTree(EDITED)).tree.conversation.title == "q."


@st.composite
def message_trees(draw) -> MessageTree:
    nodes: list[Node] = []
    roles = st.sampled_from(["user", "user", "assistant", "assistant", "tool", "system"])
    for number in range(draw(st.integers(0, 12))):
        parents = [None, *(one.message.id for one in nodes)]
        nodes.append(node(f"n{number}", draw(st.sampled_from(parents)), draw(roles), number % 4))
    nodes.append(node("last", None, "user"))
    return MessageTree(tuple(nodes), draw(st.sampled_from([one.message.id for one in nodes])))


@given(message_trees())
def test_whatever_follows_whatever_becomes_a_tree_and_nothing_is_lost_silently(drawn):
    found = grown(drawn)
    assert parse_tree(dump_tree(found.tree)) == found.tree
    kept = {message.text for message in found.tree.messages()}
    assert len(kept) + sum(found.left_out.values()) == len(drawn.nodes)
    shown = {text for one in found.tree.branches for text in texts(found.tree, one.id)}
    redo = [one for one in found.tree.branches if one.redo_tip]
    system = {message.text for message in found.tree.system}
    assert redo or kept - system == shown
