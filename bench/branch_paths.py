"""Measures forks and plans in two long conversations; a process of its own under a database.

Plans are read and computed as an attempt does; no provider is asked and nothing of them is stored.
"""

import gc
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import UUID

import django

from bench.plan_paths import REPEATS, WARM_UPS, saying
from statecore.models import ModelSpec

if TYPE_CHECKING:
    from chatapp.access import Access

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatapp.settings")

ENTRIES = 150
WINDOW_TOKENS = 8_000


def main(turns: int, branches: int) -> None:
    """Print a line of JSON for a conversation with one branch, and for one with many."""
    django.setup()
    _measured(turns, branches)


def _measured(turns: int, branches: int) -> None:
    # Django must be set up before its models are imported.
    from chatapp.access import conversation_for  # noqa: PLC0415
    from chatapp.services.conversations import conversation_create  # noqa: PLC0415
    from tests.support.people import MODEL, make_cast, new_process  # noqa: PLC0415

    model = replace(MODEL, window_tokens=WINDOW_TOKENS, reply_reserve_tokens=1_024)
    cast, process = make_cast(), new_process()
    other = conversation_create(cast.owner, model_name=MODEL.name)
    talks = [
        _Talk(access, turns, process, model)
        for access in (cast.access, conversation_for(cast.alice, other.id))
    ]
    while talks[1].branches < branches:
        talks[1].fork()
    counts = [talk.branches for talk in talks]
    _analyze()
    gc.collect()
    gc.freeze()
    # In turns, so that other work on the machine falls on both alike.
    plans = _times([talk.plan for talk in talks])
    forks = _times([talk.fork for talk in talks])
    for talk, count, plan, fork in zip(talks, counts, plans, forks, strict=True):
        found = {
            "branches": count,
            "turns": turns,
            "fork_ns": [wall for wall, _ in fork],
            "fork_cpu_ns": [cpu for _, cpu in fork],
            "plan_ns": [wall for wall, _ in plan],
            "plan_cpu_ns": [cpu for _, cpu in plan],
        }
        print(json.dumps(found | _queries(talk.plan)), flush=True)


class _Talk:
    """A long conversation with a turn that is to be planned, and forks all over its main line."""

    def __init__(self, access: "Access", turns: int, process: UUID, model: ModelSpec) -> None:
        from chatapp.models import Branch  # noqa: PLC0415
        from tests.support.long_path import long_path  # noqa: PLC0415
        from tests.support.people import accept, say  # noqa: PLC0415

        self._process, self._model = process, model
        self._turn_ids = long_path(access, turns, saying, learned=ENTRIES).turn_ids
        # A committed turn, so that there is a plan before as in any conversation.
        say(access, "Where was I?", "At the station.", process, model=model)
        self._running = accept(access, "And the number of that order?", process).turn_id
        main_line = Branch.objects.get(conversation=access.conversation)
        self._main = replace(access, branch_id=main_line.id)
        self.branches = 1

    def fork(self) -> None:
        from chatapp.services.branching import branch_fork  # noqa: PLC0415
        from chatapp.services.outcomes import Forked  # noqa: PLC0415

        turn_id = self._turn_ids[self.branches * 7_919 % len(self._turn_ids)]
        outcome = branch_fork(self._main, turn_id, f"Way {self.branches}")
        if not isinstance(outcome, Forked):
            raise TypeError(outcome)
        self.branches += 1

    def plan(self) -> None:
        from chatapp.keyring import keys_of  # noqa: PLC0415
        from chatapp.services.planning import planned  # noqa: PLC0415
        from chatapp.store.contexts import read_context  # noqa: PLC0415

        context = read_context(self._running, self._process, model=self._model, keys_of=keys_of)
        if context is None:
            raise TypeError("The turn does not run.")
        planned(context, self._model, {})


def _analyze() -> None:
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _queries(work: Callable[[], None]) -> dict[str, object]:
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    with CaptureQueriesContext(connection) as queries:
        work()
    return {"database": connection.vendor, "queries": len(queries)}


def _times(works: Sequence[Callable[[], None]]) -> list[list[tuple[int, int]]]:
    """Return for each piece of work what it took, time and again.

    Nanoseconds that passed, and nanoseconds of the processor in this process.
    """
    found: list[list[tuple[int, int]]] = [[] for _ in works]
    for round_number in range(WARM_UPS + REPEATS):
        for times, work in zip(found, works, strict=True):
            started, cpu = time.perf_counter_ns(), time.process_time_ns()
            work()
            took = time.perf_counter_ns() - started, time.process_time_ns() - cpu
            if round_number >= WARM_UPS:
                times.append(took)
    return found


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
