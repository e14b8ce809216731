"""A whole path is read with few queries, past all checkpoints, as of one moment."""

import pytest

from chatapp.models import Checkpoint
from chatapp.store.whole_path import cut_at, read_deltas, read_system, read_turns
from tests.support.people import accept, branch_of, new_process, say
from tests.support.remembering import last_seq, learn

pytestmark = pytest.mark.django_db


@pytest.fixture
def process(cast):
    return new_process()


def whole(access, *, as_of=None):
    moment = last_seq(access) if as_of is None else as_of
    tip = branch_of(access).tip_id
    return read_turns(access.conversation.id, tip, access.keys, as_of=moment)


def test_turns_come_oldest_first_with_their_messages(cast, process):
    say(cast.access, "One.", "Eins.", process)
    say(cast.access, "Two.", "Zwei.", process)
    found = whole(cast.access)
    assert [[message.text for message in turn.messages] for turn in found] == [
        ["One.", "Eins."],
        ["Two.", "Zwei."],
    ]
    assert [turn.row["depth"] for turn in found] == [1, 2]


def test_an_empty_path_has_no_turns(cast):
    assert whole(cast.access) == ()


def test_deltas_are_read_past_checkpoints(cast, process, monkeypatch):
    monkeypatch.setattr("chatapp.store.checkpoints.EVERY_TURNS", 2)
    for number in range(5):
        learn(cast.access, say(cast.access, f"Number {number}.", "Yes.", process))
    assert Checkpoint.objects.exists()
    turns = whole(cast.access)
    found = read_deltas(
        cast.access.conversation.id, turns, cast.access.keys, as_of=last_seq(cast.access)
    )
    assert [delta.learned[0].text for delta in found] == [f"Number {n}." for n in range(5)]
    before = found[-1].seq - 1
    earlier = read_deltas(cast.access.conversation.id, turns, cast.access.keys, as_of=before)
    assert earlier == found[:-1]


def test_what_was_learned_on_another_path_is_not_read(cast, process):
    learn(cast.access, say(cast.access, "One.", "Eins.", process))
    assert (
        read_deltas(cast.access.conversation.id, (), cast.access.keys, as_of=last_seq(cast.access))
        == ()
    )


def test_the_number_of_queries_does_not_grow_with_the_path(
    cast, process, django_assert_num_queries
):
    for number in range(5):
        say(cast.access, f"{number}", "Yes.", process)
    tip, seq = branch_of(cast.access).tip_id, last_seq(cast.access)
    with django_assert_num_queries(2):
        read_turns(cast.access.conversation.id, tip, cast.access.keys, as_of=seq)


def test_the_system_message_in_force_is_the_newest_of_the_moment(cast):
    found = read_system(cast.access.conversation.id, cast.access.keys, as_of=1)
    assert found is not None
    assert found.role == "system"
    assert read_system(cast.access.conversation.id, cast.access.keys, as_of=0) is None


def test_an_act_counts_until_the_path_has_gone_on_from_its_turn(cast, process):
    first = say(cast.access, "One.", "Eins.", process)
    second = say(cast.access, "Two.", "Zwei.", process)
    accept(cast.access, "Three.", process)
    turns = whole(cast.access)
    left_seq = turns[1].row["committed_seq"]

    cut = cut_at(turns)

    assert [cut.holds(first, seq) for seq in (left_seq - 1, left_seq + 1)] == [True, False]
    assert cut.holds(second, last_seq(cast.access))
