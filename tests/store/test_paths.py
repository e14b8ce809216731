"""Paths: walked newest first, bounded by tokens and turns, with the messages of each turn."""

import pytest

from chatapp.access import owner_of
from chatapp.models import Branch, Turn
from chatapp.services.commits import turn_interrupt
from chatapp.store import paths
from chatapp.vault import SealBroken
from tests.support.people import accept, branch_of, new_process, say

pytestmark = pytest.mark.django_db

EVERYTHING = 1 << 40


@pytest.fixture
def turns(cast):
    """Five turns of one path, oldest first; each grows the sum by its words."""
    process = new_process()
    return [say(cast.access, "one " * n, "two " * n, process) for n in range(1, 6)]


def walked(tip, **bounds):
    return [node.id for node in paths.walk(tip, **{"budget_tokens": EVERYTHING, **bounds})]


def test_a_path_is_walked_from_its_tip_to_the_root(turns):
    nodes = paths.walk(turns[-1], budget_tokens=EVERYTHING)

    assert [node.id for node in nodes] == turns[::-1]
    assert [node.depth for node in nodes] == [5, 4, 3, 2, 1]
    assert [node.parent_id for node in nodes] == [*turns[-2::-1], None]
    rows = Turn.objects.in_bulk(turns)
    assert [node.total_reference_tokens for node in nodes] == [
        rows[turn].sum_reference_tokens for turn in turns[::-1]
    ]


def test_an_empty_path_has_no_turn():
    assert walked(None) == []


def test_an_unknown_tip_has_no_turn(turns):
    assert walked(new_process()) == []


def test_a_walk_from_the_middle_sees_nothing_later(turns):
    assert walked(turns[2]) == turns[2::-1]


def test_a_walk_holds_all_that_fits_and_little_more(turns):
    rows = Turn.objects.in_bulk(turns)
    total = {turn: rows[turn].sum_reference_tokens for turn in turns}

    for budget in range(total[turns[4]] + 2):
        found = walked(turns[4], budget_tokens=budget)
        fitting = [turn for turn in turns if total[turns[4]] - total[turn] < budget]

        assert found == turns[: -len(found) - 1 : -1]
        assert len(fitting) <= len(found) <= len(fitting) + 2


def test_a_walk_is_bounded_by_turns(turns):
    assert walked(turns[4], max_turns=2) == turns[4:2:-1]


def test_a_branch_shares_its_stem_and_nothing_else(cast, turns):
    process = new_process()
    main = branch_of(cast.access)
    Branch.objects.filter(pk=main.id).update(tip_id=turns[1])
    other = say(cast.access, "elsewhere", "yes", process)

    assert walked(other) == [other, turns[1], turns[0]]
    assert walked(turns[4]) == turns[::-1]


def test_messages_come_by_turn_with_the_input_first(cast, turns):
    nodes = paths.walk(turns[1], budget_tokens=EVERYTHING)

    found = paths.messages_of(nodes, cast.owner.keys)

    assert [(m.role, m.text) for m in found[turns[1]]] == [
        ("user", "one one "),
        ("assistant", "two two "),
    ]
    assert list(found) == [turns[1], turns[0]]


def test_an_input_may_belong_to_the_turn_that_first_asked_it(cast):
    process = new_process()
    first = say(cast.access, "one river", "The Volga.", process)
    Branch.objects.update(tip=None)
    second = say(cast.access, "to be replaced", "The Ob.", process)
    shared = Turn.objects.get(pk=first).input_message_id
    Turn.objects.filter(pk=second).update(input_message=shared)
    siblings = [paths.walk(turn, budget_tokens=EVERYTHING)[0] for turn in (first, second)]

    found = paths.messages_of(siblings, cast.owner.keys)

    assert [m.text for m in found[first]] == ["one river", "The Volga."]
    assert [m.text for m in found[second]] == ["one river", "The Ob."]


def test_how_an_answer_ended_comes_with_it(cast):
    process = new_process()
    turn_id = say(cast.access, "Hi", "Hello.", process)
    Turn.objects.filter(pk=turn_id).update(finish="length")

    found = paths.messages_of(paths.walk(turn_id, budget_tokens=EVERYTHING), cast.owner.keys)

    assert [m.finish for m in found[turn_id]] == ["complete", "length"]


def test_a_turn_without_answer_has_its_input_only(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    turn_interrupt(turn_id, owner=process)

    found = paths.messages_of(paths.walk(turn_id, budget_tokens=EVERYTHING), cast.owner.keys)

    assert [m.role for m in found[turn_id]] == ["user"]


def test_the_messages_of_many_turns_cost_one_query(cast, turns, django_assert_num_queries):
    nodes = paths.walk(turns[-1], budget_tokens=EVERYTHING)

    with django_assert_num_queries(1):
        paths.messages_of(nodes, cast.owner.keys)


def test_a_message_does_not_open_with_another_s_keys(cast, turns):
    turn = Turn.objects.get(pk=turns[0])

    with pytest.raises(SealBroken):
        paths.message_by_id(turn.input_message_id, owner_of(cast.mallory).keys)
