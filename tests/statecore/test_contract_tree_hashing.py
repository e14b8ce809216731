"""Equal hashes are equal conversations, under whatever ids and seqs."""

import pytest
from hypothesis import given

from statecore.contract.hashing import state_hash
from statecore.contract.renaming import Names
from statecore.contract.tree_hashing import canonical_tree, tree_hash, under_places
from statecore.contract.tree_paths import path_of
from statecore.contract.tree_renaming import renamed_tree
from tests.statecore.tree_builders import forked, trees


def elsewhere(drawn):
    """Return the same tree as another installation would have it."""
    names = Names(
        conversation="c2",
        turns={one.id: f"{one.id}x" for one in drawn.turns},
        messages={one.id: f"{one.id}x" for one in drawn.messages()},
        seqs={seq: 3 * seq + 7 for seq in drawn.seqs()},
        facts={fact.id: f"{fact.id}x" for fact in drawn.facts},
        elsewhere=lambda _what, name, _number: name,
    )
    return renamed_tree(drawn, names, {one.id: f"{one.id}x" for one in drawn.branches})


@given(trees())
def test_a_tree_has_the_same_hash_elsewhere_and_so_has_every_branch(drawn):
    moved = elsewhere(drawn)
    assert tree_hash(moved) == tree_hash(drawn)
    assert under_places(moved) == under_places(drawn)
    for before, after in zip(drawn.branches, moved.branches, strict=True):
        assert state_hash(path_of(drawn, before.id)) == state_hash(path_of(moved, after.id))


@pytest.mark.parametrize(
    "change",
    [
        {"selected": "b1"},
        {"branches": [{"tip": "t1"}, {}, {}]},
        {"branches": [{}, {"name": "Plan B"}, {}]},
        {"branches": [{}, {}, {"archived_ms": 5}]},
        {"branches": [{}, {}, {"clock_ms": 5}]},
        {"branches": [{"redo_tip": "t2", "tip": "t1"}, {}, {}]},
        {"turns": [{}, {"branch": "b2"}, {}, {}]},
        {"turns": [{}, {"finish": "stopped"}, {}, {}]},
    ],
)
def test_another_tree_has_another_hash(change):
    grown = forked()
    update = {
        name: value
        if isinstance(value, str)
        else tuple(
            one.model_copy(update=more)
            for one, more in zip(getattr(grown, name), value, strict=True)
        )
        for name, value in change.items()
    }
    changed = grown.model_copy(update=update)
    assert tree_hash(changed) != tree_hash(grown)


def test_when_it_was_held_and_how_it_was_asked_is_no_part_of_it():
    grown = forked()
    told = grown.conversation.model_copy(update={"created_ms": 5, "updated_ms": 6, "id": "c9"})
    changed = grown.model_copy(update={"conversation": told})
    assert canonical_tree(changed) == canonical_tree(grown)
