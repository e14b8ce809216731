"""How the parts of a tree hold together: the first place where they do not is named."""

import pytest
from hypothesis import given

from statecore.contract.schema import ContractMemory
from statecore.contract.tree_checks import check_tree
from statecore.contract.tree_schema import TreeBranch, TreeSystem
from statecore.errors import InvalidInput
from statecore.memory.ledger import Span
from statecore.state.codec import operation_form
from statecore.state.operations import Add, Delta, Learned, Operation, Undo
from tests.statecore.contract_builders import said
from tests.statecore.tree_builders import again, forked, leaf, tree, trees

FIRST = leaf(1)
SECOND = leaf(2, FIRST)
NAMES_ITS_CALL = "a tool message names the call that it answers, and no other message does"
BARE = {"finish": None, "committed_seq": None, "committed_ms": None}


def fault_of(grown) -> str:
    """Return what is wrong with a tree; empty where nothing is."""
    try:
        check_tree(grown)
    except InvalidInput as error:
        return str(error)
    return ""


def remembering(*forms, deltas=()):
    memory = ContractMemory(as_of=99, operations=forms, deltas=deltas)
    return forked().model_copy(update={"memory": memory})


def act(action, turn="t1", depth=1, seq=50):
    return operation_form(Operation(seq, turn, depth, action, 0))


def branched(number, **more):
    grown = forked()
    rows = list(grown.branches)
    rows[number - 1] = rows[number - 1].model_copy(update=more)
    return grown.model_copy(update={"branches": tuple(rows)})


@given(trees())
def test_any_tree_that_can_happen_is_let_in(drawn):
    assert fault_of(drawn) == ""


@pytest.mark.parametrize(
    ("turns", "sentence"),
    [
        ((FIRST, leaf(2, FIRST, parent="t9")), "turns 2 → parent: there is no turn t9 before it"),
        ((FIRST, leaf(2, FIRST, depth=3)), "turns 2 → depth: is 3 where 2 comes next"),
        ((SECOND, FIRST), "turns 1 → parent: there is no turn t1 before it"),
        (
            (leaf(1, messages=FIRST.messages[:1], status="failed", **BARE), SECOND),
            "turns 2 → parent: nothing follows a turn that is failed",
        ),
        ((leaf(1, messages=()),), "turns 1 → messages: a turn begins with a user message"),
        (
            (FIRST, again(2, FIRST, input_of="t9")),
            "turns 2 → input_of: there is no turn t9 before it that has an input of its own",
        ),
        (
            (FIRST, again(2, FIRST), again(3, FIRST, input_of="t2")),
            "turns 3 → input_of: there is no turn t2 before it that has an input of its own",
        ),
        (
            (FIRST, SECOND, again(3, SECOND, parent=None, depth=1)),
            "turns 3 → input_of: turn t2 follows another turn",
        ),
        (
            (FIRST, again(2, FIRST, messages=(said("x", "tool", "4"),))),
            f"turns 2 → messages 1 → tool_call_id: {NAMES_ITS_CALL}",
        ),
        (
            (FIRST, leaf(2, FIRST, accepted_seq=2)),
            "turns 2 → accepted_seq: the seq 2 does not come after 2",
        ),
        (
            (FIRST, leaf(2, FIRST, accepted_ms=7)),
            "turns 2 → accepted_ms: the time goes back from 1500 to 7",
        ),
        (
            (FIRST, leaf(2, FIRST, branch_ms=7)),
            "turns 2 → branch_ms: the time goes back from 100 to 7",
        ),
        (
            (FIRST, leaf(2, seq=2, committed_seq=4)),
            "turns 2 → accepted_seq: the seq 2 is that of something else",
        ),
        ((FIRST, leaf(2, id="t1")), "turns 2 → id: another turn has the id t1 already"),
        ((leaf(1, branch="b7"),), "turns 1 → branch: there is no branch b7"),
        ((leaf(1, committed_ms=7),), "turns 1 → committed_ms: the time goes back from 1000 to 7"),
    ],
)
def test_turns_that_do_not_hang_together_are_named(turns, sentence):
    main = TreeBranch(id="b1", origin="main")
    others = tuple(
        TreeBranch(id=name, origin="edit", left_branch="b1", created_seq=90)
        for name in ("b2", "b3")
    )
    assert fault_of(tree(*turns, branches=(main, *others))) == sentence


@pytest.mark.parametrize(
    ("grown", "sentence"),
    [
        (
            branched(2, origin="main"),
            "branches 2 → origin: the first branch is the main line, and no other is",
        ),
        (
            branched(2, left_branch=None),
            "branches 2 → left_branch: every branch but the main line names the one that it left",
        ),
        (
            branched(2, left_branch="b3"),
            "branches 2 → left_branch: there is no branch b3 before it",
        ),
        (branched(2, tip="t8"), "branches 2 → tip: there is no committed turn t8"),
        (branched(2, redo_tip="t2"), "branches 2 → redo_tip: does not come after the tip"),
        (branched(1, redo_tip="t2"), "branches 1 → redo_tip: does not come after the tip"),
        (branched(1, tip="t1", redo_tip="t2"), ""),
        (branched(1, tip=None, redo_tip="t2"), ""),
        (
            branched(2, clock_set_ms=5),
            "branches 2 → clock_set_ms: a clock that was never set does not go on",
        ),
        (branched(3, archived_ms=5), "selected: the branch is archived"),
        (branched(1, archived_ms=5), "branches 1 → archived_ms: the main line is never archived"),
        (branched(3, created_seq=4), "branches 3 → created_seq: the seq 4 comes before 5"),
        (branched(2, id="b3"), "branches 3 → id: another branch has the id b3 already"),
    ],
)
def test_branches_that_do_not_hang_together_are_named(grown, sentence):
    assert fault_of(grown) == sentence


@pytest.mark.parametrize(
    ("grown", "sentence"),
    [
        (
            remembering(act(Add("task", "x"), "t8")),
            "operations 1 → turn_id: there is no committed turn t8",
        ),
        (
            remembering(act(Undo(9))),
            "operations 1 → action → undo → seq: no operation 9 came before",
        ),
        (
            remembering(act(Add("task", "x", Span("u2", 0, 3)))),
            "operations 1 → action → add → span: message u2 lies on another branch",
        ),
        (
            remembering(act(Add("task", "x", Span("u2", 0, 3)), None, 0)),
            "operations 1 → action → add → span: message u2 lies on another branch",
        ),
        (
            remembering(act(Add("task", "x", depth=2))),
            "operations 1 → action → add → depth: the operation belongs to a turn of depth 1",
        ),
        (
            remembering(
                deltas=(
                    Delta(
                        "t2",
                        50,
                        2,
                        3,
                        200,
                        (Learned(Span("u3", 0, 8), "fact", "Question", "rules"),),
                    ),
                )
            ),
            "deltas 1 → learned 1 → span: message u3 lies on another branch",
        ),
    ],
)
def test_a_memory_that_cites_what_is_not_on_its_path_is_named(grown, sentence):
    assert fault_of(grown) == f"memory → {sentence}"


def test_an_input_that_is_shared_lies_on_the_path_of_every_turn_that_answers_it():
    learned = (Learned(Span("u3", 0, 8), "fact", "Question", "rules"),)
    assert fault_of(remembering(deltas=(Delta("t4", 50, 2, 9, 200, learned),))) == ""


def test_a_tree_has_no_readable_part():
    memory = ContractMemory(as_of=99, summary=())
    assert fault_of(forked().model_copy(update={"memory": memory})) == (
        "memory → summary: every branch has its own; leave it out"
    )


def test_system_messages_stand_by_their_seq():
    def with_system(*messages):
        return tree(leaf(1, seq=5), system=messages, memory=ContractMemory(as_of=9))

    one, other = (
        TreeSystem(**dict(said(f"s{seq}", "system", "Be brief.")), seq=seq) for seq in (1, 2)
    )
    assert fault_of(with_system(one, other)) == ""
    assert fault_of(with_system(other, one)) == "system 2: the seq 1 does not come after 2"
    late = one.model_copy(update={"seq": 5})
    assert fault_of(with_system(late)) == (
        "turns 1 → accepted_seq: the seq 5 is that of something else"
    )
    asked = one.model_copy(update={"role": "user"})
    assert fault_of(with_system(asked)) == ("system 1 → role: a user message is no system message")


def test_memory_reaches_to_the_newest_of_all_branches():
    grown = forked().model_copy(update={"memory": ContractMemory(as_of=9)})
    assert fault_of(grown) == "memory → as_of: is earlier than the seq 10"
