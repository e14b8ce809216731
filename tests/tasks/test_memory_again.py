"""The task that reads one turn again."""

import pytest

from chatapp.services.relabelling import memory_again, relabelling_due
from chatapp.tasks.memory_again import run
from chatapp.tasks.memory_delta import run as learn
from chatapp.tasks.sweep import sweep_outbox
from tests.support.labels import OPEN, label_all, questions
from tests.support.people import new_process, say


@pytest.mark.django_db(transaction=True)
def test_it_reads_one_turn_and_the_sweep_finds_the_other(
    cast, provider, memory_models, pool_closed
):
    provider.when(label_all(), streams=False)
    process = new_process()
    first, second = (say(cast.access, text, "I see.", process) for text in (OPEN, OPEN))
    learn(str(second))
    memory_again(cast.access)

    run(str(second))

    assert relabelling_due() == [first]
    sweep_outbox()
    assert relabelling_due() == []
    assert len(questions(provider)) == 4


def test_it_is_woken_by_its_name():
    assert run.name == "chatapp.tasks.memory_again.run"
    assert run.max_retries == 0


def test_it_refuses_what_is_no_id():
    with pytest.raises(ValueError, match="UUID"):
        run("newest")
