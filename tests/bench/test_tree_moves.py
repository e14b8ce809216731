"""Trees are moved in, out and in again, and what differs is told."""

import pytest

from bench.import_trees import sentence
from bench.tree_moves import faults_of
from chatapp.services.importing_rows import TreeWriter
from tests.statecore.tree_builders import forked

pytestmark = pytest.mark.django_db


def test_a_tree_that_comes_out_as_it_went_in_has_no_faults(cast):
    assert list(faults_of(cast.alice, forked())) == []


def test_what_comes_out_otherwise_is_named(cast, monkeypatch):
    write = TreeWriter._write_turn

    def forgets(writer, turn, number):
        write(writer, turn.model_copy(update={"finish": "length"}), number)

    monkeypatch.setattr(TreeWriter, "_write_turn", forgets)
    found = list(faults_of(cast.alice, forked()))
    assert "the hash of the tree is another" in found
    assert "the state hash of branch b1 is another" in found


def test_every_fault_stands_on_a_line_of_its_own():
    row = {
        "file": "a.json",
        "database": "sqlite",
        "conversations": 2,
        "good": 1,
        "turns": 3,
        "messages": 4,
        "branches": 5,
        "left_out": 6,
        "seconds": 0.5,
        "faults": ["line 2: no", "line 2: never"],
    }
    said, *faults = sentence(row).splitlines()
    assert said.startswith("a.json on sqlite: 1 of 2 conversations came in, out and in again")
    assert faults == ["  line 2: no", "  line 2: never"]
