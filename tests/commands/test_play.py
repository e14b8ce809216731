"""`play`: says in one line what playing a session came to."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chatapp.ids import new_id
from chatapp.models import Conversation, Turn
from tests.runtime.test_playing import Session

pytestmark = pytest.mark.django_db


def run(*arguments) -> str:
    output = StringIO()
    call_command("play", *map(str, arguments), stdout=output)
    return output.getvalue()


@pytest.fixture
def session(cast):
    made = Session(cast.access)
    made.says("one")
    made.says("two")
    return made


def test_a_session_that_ends_in_the_same_state_is_counted(session):
    assert run(session.access.conversation.id) == (
        "5 transitions played, 2 requests planned again, 1 branches compared\n"
    )


def test_a_kept_session_is_named(session):
    name = run(session.access.conversation.id, "--keep").split()[-1]
    assert Conversation.objects.get(pk=name).turns.count() == 2


def test_a_session_that_ends_otherwise_is_an_error_that_names_the_place(session):
    turn = Turn.objects.get(depth=2)
    Turn.objects.filter(pk=turn.id).update(branch_ms=turn.branch_ms + 1)
    with pytest.raises(CommandError, match=r"seq 5, state: branch .* turns 2 → branch_ms"):
        run(session.access.conversation.id)


def test_a_conversation_that_is_not_there_is_said_so(db):
    with pytest.raises(CommandError, match="There is no conversation"):
        run(new_id())
