"""The task that learns one turn."""

import pytest

from chatapp.models import MemoryDelta, Outbox
from chatapp.tasks.memory_delta import run
from tests.support.labels import OPEN, label_all, questions
from tests.support.people import new_process, say


@pytest.mark.django_db(transaction=True)
def test_it_learns_what_waits_on_the_path_of_its_turn(cast, provider, memory_models, pool_closed):
    provider.when(label_all(), streams=False)
    process = new_process()
    first, second = (say(cast.access, text, "I see.", process) for text in (OPEN, OPEN))

    run(str(second))
    run(str(first))

    learned = MemoryDelta.objects.order_by("seq").values_list("turn", flat=True)
    assert list(learned) == [first, second]
    assert not Outbox.objects.filter(kind="memory_delta", done_ms=None).exists()
    # Each task has an event loop of its own, and the connections of one do not trouble another.
    assert len(questions(provider)) == 2


def test_it_is_woken_by_its_name():
    assert run.name == "chatapp.tasks.memory_delta.run"
    assert run.max_retries == 0


def test_it_refuses_what_is_no_id():
    with pytest.raises(ValueError, match="UUID"):
        run("newest")
