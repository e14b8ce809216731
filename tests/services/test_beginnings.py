"""Posts, edits, other answers and posts aside begin with their first attempt."""

from dataclasses import replace

import pytest

from chatapp.models import Attempt
from chatapp.services import beginnings
from chatapp.services.beginnings import edit_begin, regenerate_begin, turn_begin
from chatapp.services.outcomes import Missing, MovedOn
from tests.support.people import MODEL, new_process, say, typed

pytestmark = pytest.mark.django_db


@pytest.fixture
def process(cast):
    return new_process()


def begun_by(kind, cast, turn_id, process):
    new = typed(cast.access, "Another question", "the-one-key")
    if kind == "edit":
        return edit_begin(cast.access, turn_id, new, owner=process, model=MODEL)
    if kind == "regenerate":
        key = "the-one-key"
        return regenerate_begin(cast.access, turn_id, key=key, owner=process, model=MODEL)
    if kind == "aside":
        new = replace(new, head=turn_id, aside=True)
    return turn_begin(cast.access, new, owner=process, model=MODEL)


KINDS = ("post", "aside", "edit", "regenerate")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_accepted_has_its_first_attempt_at_once_and_only_once(cast, process, kind):
    turn_id = say(cast.access, "one", "two", process)

    begun = begun_by(kind, cast, turn_id, process)
    again = begun_by(kind, cast, turn_id, process)

    attempt = Attempt.objects.get(turn=begun.outcome.turn_id)
    assert begun.prepared.attempt_id == attempt.id
    asked = "one" if kind == "regenerate" else "Another question"
    assert begun.prepared.request.messages[-1].text.endswith(asked)
    assert (again.outcome.turn_id, again.outcome.duplicate) == (begun.outcome.turn_id, True)
    assert again.prepared is None


@pytest.mark.parametrize("kind", KINDS)
def test_an_attempt_that_cannot_be_prepared_leaves_the_turn_to_its_runner(
    cast, process, kind, monkeypatch
):
    turn_id = say(cast.access, "one", "two", process)

    def fails(*_args, **_more):
        raise OSError

    monkeypatch.setattr(beginnings, "attempt_prepare", fails)
    begun = begun_by(kind, cast, turn_id, process)

    assert begun.prepared is None
    assert begun.outcome.branch_id is not None


def test_what_is_refused_has_no_attempt(cast, process):
    turn_id = say(cast.access, "one", "two", process)
    stale = replace(typed(cast.access, "three"), version=0)

    assert turn_begin(cast.access, stale, owner=process, model=MODEL).outcome == MovedOn()
    missing = regenerate_begin(cast.access, process, key="key-12345", owner=process, model=MODEL)
    assert missing.outcome == Missing()
    assert Attempt.objects.exclude(turn=turn_id).count() == 0
