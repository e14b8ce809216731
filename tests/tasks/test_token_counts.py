"""The task that counts one turn's messages."""

import pytest

from chatapp.models import Outbox
from chatapp.tasks.token_counts import run
from tests.support.people import new_process, say

pytestmark = pytest.mark.django_db


def test_it_does_the_piece_that_it_was_woken_for(cast):
    process = new_process()
    first, second = (say(cast.access, text, "answer", process) for text in ("one", "two"))

    run(str(second))

    assert Outbox.objects.get(kind="token_counts", done_ms=None).turn_id == first


def test_it_is_woken_by_its_name():
    assert run.name == "chatapp.tasks.token_counts.run"
    assert run.max_retries == 0


def test_it_refuses_what_is_no_id():
    with pytest.raises(ValueError, match="UUID"):
        run("newest")
