"""Every branch of a tree is a state, and a state is a tree of one branch."""

from hypothesis import given

from statecore.contract.carried import Carried
from statecore.contract.checks import check
from statecore.contract.document import dump, parse
from statecore.contract.hashing import state_hash
from statecore.contract.schema import ContractMemory
from statecore.contract.tree_checks import check_tree
from statecore.contract.tree_paths import carried_on, path_of, tree_of
from statecore.memory.contract_fields import ContractField
from statecore.memory.ledger import Span
from statecore.state.codec import operation_form
from statecore.state.operations import Add, Delete, Operation, Target, Undo
from tests.statecore.contract_builders import contracts
from tests.statecore.tree_builders import forked, leaf, tree, trees


def texts(state) -> list[str]:
    return [message.text for turn in state.turns for message in turn.messages]


@given(trees())
def test_every_branch_of_any_tree_is_a_state_that_can_stand_alone(drawn):
    for branch in drawn.branches:
        state = path_of(drawn, branch.id)
        check(state)
        assert parse(dump(state)) == state
        assert state_hash(path_of(tree_of(state), "main")) == state_hash(state)


@given(contracts())
def test_any_state_is_a_tree(drawn):
    grown = tree_of(drawn)
    check_tree(grown)
    assert state_hash(path_of(grown, "main")) == state_hash(drawn)


def test_a_branch_has_the_turns_to_its_tip_and_an_input_that_is_shared():
    grown = forked()
    assert texts(path_of(grown, "b1"))[2:] == ["Question 2.", "Answer 2."]
    assert texts(path_of(grown, "b2"))[2:] == ["Question 3.", "Answer 3."]
    assert texts(path_of(grown, "b3"))[2:] == ["Question 3.", "Answer 4."]


def test_what_waits_belongs_to_the_branch_that_it_was_said_on():
    none = {"finish": None, "committed_seq": None, "committed_ms": None}
    first = leaf(1)
    asked = leaf(2, first).messages[:1]
    waiting = leaf(2, first, status="failed", messages=asked, branch="b2", **none)
    grown = forked().model_copy(update={"turns": (first, waiting)})
    branches = tuple(one.model_copy(update={"tip": "t1"}) for one in grown.branches)
    grown = grown.model_copy(update={"branches": branches})
    assert [len(path_of(grown, one.id).turns) for one in grown.branches] == [1, 2, 1]


def done(seq, turn, depth, action):
    return operation_form(Operation(seq, turn, depth, action, 0))


def acts_of(grown, branch):
    return [(form.seq, form.turn_id) for form in path_of(grown, branch).memory.operations]


def test_an_act_at_a_node_counts_where_the_path_had_not_gone_on():
    acts = (done(7, "t1", 1, Add("task", "Late.")), done(11, "t1", 1, Add("task", "Later.")))
    grown = forked().model_copy(update={"memory": ContractMemory(as_of=99, operations=acts)})
    # Turn 2 was committed at 4, turn 3 at 7, turn 4 at 10.
    moved = grown.model_copy(
        update={
            "turns": tuple(
                one.model_copy(update={"accepted_seq": 20, "committed_seq": 21})
                if one.id == "t4"
                else one
                for one in grown.turns
            )
        }
    )
    assert acts_of(moved, "b1") == []
    assert acts_of(moved, "b3") == [(7, "t1"), (11, "t1")]


def test_what_holds_on_all_branches_comes_along_without_its_place():
    target = Target("u2:0-3", (Span("u2", 0, 3),))
    acts = (
        done(11, "t2", 2, Delete(target)),
        done(12, "t2", 2, Add("task", "Here only.")),
        done(13, "t3", 2, Undo(11)),
        done(14, "t2", 2, Undo(12)),
    )
    grown = forked().model_copy(update={"memory": ContractMemory(as_of=99, operations=acts)})
    assert acts_of(grown, "b1") == [(11, "t2"), (12, "t2"), (13, None), (14, "t2")]
    # An undo of what is not there says nothing.
    assert acts_of(grown, "b2") == [(11, None), (13, "t3")]


def test_a_field_keeps_its_source_where_its_message_is():
    field = ContractField("tone", "dry", "user", 50, Span("u2", 0, 3))
    carried = Carried(contract_fields=(field,))
    grown = forked()
    (kept,) = carried_on(carried, path_of(grown, "b1").turns).contract_fields
    (bare,) = carried_on(carried, path_of(grown, "b2").turns).contract_fields
    assert (kept.source, bare.source) == (Span("u2", 0, 3), None)


def test_a_tree_without_turns_is_an_empty_state():
    assert path_of(tree(), "b1").turns == ()
