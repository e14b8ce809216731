"""A contract under other names says the same."""

from hypothesis import given

from statecore.contract.checks import check
from statecore.contract.renaming import renamed
from statecore.contract.schema import ContractMemory
from statecore.memory.ledger import Span
from statecore.state.codec import operation_form
from statecore.state.operations import Add, Delete, Learned, Operation, Target, Undo
from tests.statecore.contract_builders import contract, contracts, same_names, turn
from tests.statecore.memory_builders import delta


@given(contracts())
def test_the_same_names_change_nothing_but_the_moment_which_is_that_of_the_newest_seq(drawn):
    newest = max(drawn.seqs(), default=0)
    memory = drawn.memory.model_copy(update={"as_of": newest})
    assert renamed(drawn, same_names(drawn)) == drawn.model_copy(update={"memory": memory})


@given(contracts())
def test_what_holds_together_does_so_under_other_names(drawn):
    moved = renamed(drawn, same_names(drawn, "'"))
    check(moved)
    mine, theirs = drawn.memory.folded(), moved.memory.folded()
    assert [(entry.text, entry.status) for entry in theirs.entries] == [
        (entry.text, entry.status) for entry in mine.entries
    ]
    assert [(field.key, field.value) for field in theirs.fields] == [
        (field.key, field.value) for field in mine.fields
    ]


def test_entries_are_found_again_by_place_by_seq_and_elsewhere():
    learned = Learned(Span("u1", 0, 3), "fact", "Hi.", "rules", ("op:5", "far:1-2", "odd"))
    acts = (
        Operation(5, "t1", 1, Add("fact", "Rome", said_seq=77), 0),
        Operation(6, "t1", 1, Delete(Target("u1:0-3", (Span("far", 1, 2),))), 0),
        Operation(7, "t1", 1, Undo(6), 0),
    )
    taught = delta(1, 4, learned, said=1, branch_ms=100)
    forms = tuple(map(operation_form, acts))
    found = contract(turn(1), memory=ContractMemory(as_of=9, deltas=(taught,), operations=forms))
    names = same_names(found, "'")
    names.seqs = {seq: 10 * seq for seq in found.seqs()}
    names.elsewhere = lambda what, _name, number: f"{what}{number}"
    moved = renamed(found, names)
    (again,) = moved.memory.deltas[0].learned
    assert again.supersedes == ("op:50", "message1:1-2", "entry2")
    added, deleted, undone = moved.memory.acts()
    assert added.action.said_seq is None
    assert deleted.action.target == Target("u1':0-3", (Span("message1", 1, 2),))
    assert undone.action == Undo(60)
    assert moved.memory.as_of == 70
