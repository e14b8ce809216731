"""Old messages that an input may point at are read by place or by feature, and on the path."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.ids import new_id
from chatapp.models import Branch, Feature, Message, Turn
from chatapp.services.commits import turn_commit
from chatapp.services.outcomes import Accepted
from chatapp.services.turns import NewInput, turn_accept
from chatapp.store.older import CANDIDATES, FAR_FEATURES, read_older
from statecore.language.pointers import Pointer, pointers
from tests.support.lengthen import lengthen
from tests.support.people import MODEL, answered, branch_of, new_process, prepare, say

pytestmark = pytest.mark.django_db

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |"


@pytest.fixture
def process():
    return new_process()


@pytest.fixture
def spoken(cast, process):
    """Six turns: a link asked and answered in each odd one, a table in the second."""
    return [
        say(
            cast.access,
            f"question {n}, see https://u{n}.example" if n % 2 else f"question {n}",
            TABLE if n == 2 else f"answer {n}, see https://a{n}.example",
            process,
        )
        for n in range(1, 7)
    ]


def older(cast, parent_id, text, *, first_depth, tip=None):
    turn = Turn.objects.get(pk=parent_id)
    return read_older(
        parent_id,
        heads=turn.feature_heads,
        tip_depth=tip or turn.depth,
        first_depth=first_depth,
        pointers=[text] if isinstance(text, Pointer) else pointers(text),
        keys=cast.owner.keys,
    )


def texts(found):
    return [one.message.text for one in found]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What was my first message?", "question 1, see https://u1.example"),
        ("Your first answer, please.", "answer 1, see https://a1.example"),
        ("What did I say nine messages ago?", TABLE),
        ("ten messages ago", "question 2"),
        ("Какой был мой второй вопрос?", "question 2"),
        ("十条消息之前", "question 2"),
    ],
)
def test_a_message_is_found_by_its_place(cast, spoken, text, said):
    (one,) = older(cast, spoken[-1], text, first_depth=5)

    assert one.message.text == said
    assert one.read_for == (pointers(text)[0].start,)
    assert str(one.turn_id) == str(spoken[one.depth - 1])


def test_what_is_loaded_is_not_read(cast, spoken):
    assert older(cast, spoken[-1], "my first message", first_depth=1) == ()
    assert older(cast, spoken[-1], "two messages ago", first_depth=5) == ()
    assert older(cast, spoken[-1], "99 messages ago", first_depth=5) == ()


def test_the_newest_of_a_kind_come_before_the_loaded_turns_only(cast, spoken):
    found = older(cast, spoken[-1], "that link", first_depth=4)

    assert texts(found) == [
        "question 1, see https://u1.example",
        "answer 1, see https://a1.example",
        "question 3, see https://u3.example",
        "answer 3, see https://a3.example",
    ]
    assert [one.depth for one in found] == [1, 1, 3, 3]


def test_a_speaker_and_a_number_narrow_it_to_one(cast, spoken):
    assert texts(older(cast, spoken[-1], "your first link", first_depth=5)) == [
        "answer 1, see https://a1.example"
    ]
    assert texts(older(cast, spoken[-1], "the third link", first_depth=5)) == [
        "question 3, see https://u3.example"
    ]
    assert texts(older(cast, spoken[-1], "my second link", first_depth=5)) == [
        "question 3, see https://u3.example"
    ]


def test_a_number_that_counts_back_is_of_what_lies_before(cast, spoken):
    second_last = Pointer("link", 0, 4, 2, from_end=True)

    assert texts(older(cast, spoken[-1], second_last, first_depth=4)) == [
        "question 3, see https://u3.example"
    ]


def test_a_kind_that_the_path_does_not_hold_costs_no_query(cast, spoken):
    with CaptureQueriesContext(connection) as queries:
        turn = Turn.objects.get(pk=spoken[-1])
        before = len(queries)
        assert (
            read_older(
                turn.id,
                heads=turn.feature_heads,
                tip_depth=6,
                first_depth=5,
                pointers=pointers("that code, as I said, the previous version"),
                keys=cast.owner.keys,
            )
            == ()
        )
        assert len(queries) == before


def test_everything_at_once_costs_two_queries(cast, spoken, django_assert_num_queries):
    turn = Turn.objects.get(pk=spoken[-1])
    text = "Put that link from my first message into the table above, see your second answer."

    with django_assert_num_queries(2):
        found = read_older(
            turn.id,
            heads=turn.feature_heads,
            tip_depth=6,
            first_depth=5,
            pointers=pointers(text),
            keys=cast.owner.keys,
        )

    by_text = {one.message.text: one.read_for for one in found}
    assert by_text["question 1, see https://u1.example"] == (
        text.index("that link"),
        text.index("my first"),
    )
    assert by_text[TABLE] == (text.index("the table"), text.index("your second"))


def branched(cast, parent_id):
    """A branch that leaves its parent at a turn."""
    return Branch.objects.create(
        conversation=cast.access.conversation,
        origin="fork",
        parent_turn_id=parent_id,
        tip_id=parent_id,
        created_seq=0,
        created_ms=1,
    )


def say_on(cast, branch, text, answer, process):
    branch.refresh_from_db()
    typed = NewInput(text, new_id().hex, branch.id, branch.version, MODEL.name)
    outcome = turn_accept(cast.access, typed, owner=process)
    assert isinstance(outcome, Accepted)
    prepared = prepare(outcome.turn_id, process)
    done = answered(answer)
    assert turn_commit(outcome.turn_id, prepared.attempt_id, done, owner=process, model=MODEL)
    return outcome.turn_id


def test_a_branch_sees_its_stem_and_itself_and_nothing_of_others(cast, spoken, process):
    fork = branched(cast, spoken[1])
    own = [
        say_on(cast, fork, f"fork {n}", f"fork answer {n}, see https://f{n}.example", process)
        for n in range(3, 7)
    ]
    deeper = branched(cast, own[1])
    last = [say_on(cast, deeper, f"deep {n}", f"deep answer {n}", process) for n in range(5, 8)][-1]

    def at(text, tip=last):
        return texts(older(cast, tip, text, first_depth=7))

    assert at("my first message") == ["question 1, see https://u1.example"]
    assert at("your third answer") == ["fork answer 3, see https://f3.example"]
    assert at("my fifth message") == ["deep 5"]
    assert at("my fifth message", own[-1]) == ["fork 5"]
    assert texts(older(cast, spoken[-1], "my fourth message", first_depth=5)) == ["question 4"]
    assert at("that link") == [
        "question 1, see https://u1.example",
        "answer 1, see https://a1.example",
        "fork answer 3, see https://f3.example",
        "fork answer 4, see https://f4.example",
    ]
    assert at("the fourth link") == ["fork answer 4, see https://f4.example"]


def test_two_turns_of_a_branch_at_one_depth_are_not_guessed_between(cast, spoken, process):
    Branch.objects.filter(pk=branch_of(cast.access).id).update(tip_id=spoken[1])
    say(cast.access, "again 3", "again", process)
    tip = say(cast.access, "again 4", "again", process)

    assert older(cast, tip, "my third message", first_depth=4) == ()
    assert texts(older(cast, tip, "my second message", first_depth=4)) == ["question 2"]


def test_a_turn_that_failed_is_no_place(cast, spoken):
    Turn.objects.filter(pk=spoken[2]).update(status="failed")

    assert older(cast, spoken[-1], "my third message", first_depth=5) == ()


def test_an_input_shared_by_siblings_is_found_on_both(cast, spoken):
    shared = Turn.objects.get(pk=spoken[0]).input_message_id
    Turn.objects.filter(pk=spoken[1]).update(input_message=shared)

    assert texts(older(cast, spoken[-1], "my second message", first_depth=5)) == [
        "question 1, see https://u1.example"
    ]


def test_no_more_candidates_than_were_promised(cast, process):
    for n in range(CANDIDATES + 3):
        tip = say(cast.access, f"question {n}", f"see https://a{n}.example", process)
    found = older(cast, tip, "that link", first_depth=CANDIDATES + 3)

    assert len(found) == CANDIDATES
    assert found[-1].message.text == f"see https://a{CANDIDATES + 1}.example"


def test_a_place_far_away_is_found_and_the_walk_of_features_is_bounded(cast, process):
    first = say(cast.access, "where it began", "see https://one.example", process)
    lengthen(cast.access, 3_000)
    tip = branch_of(cast.access).tip_id
    head = Feature.objects.get()
    rows = [
        Feature(
            id=new_id(),
            message_id=Message.objects.get(turn_id=first, role="assistant").id,
            kind="link",
            ordinal=n,
            start=0,
            end=1,
        )
        for n in range(2, FAR_FEATURES + 10)
    ]
    for before, row in zip([head, *rows], rows, strict=False):
        row.previous_id = before.id
    Feature.objects.bulk_create(rows)
    Turn.objects.filter(pk=tip).update(feature_heads={"link": [str(rows[-1].id), rows[-1].ordinal]})

    assert texts(older(cast, tip, "my first message", first_depth=2_900)) == ["where it began"]
    assert older(cast, tip, "the first link", first_depth=2_900) == ()
    assert len(older(cast, tip, "that link", first_depth=2_900)) == 1
