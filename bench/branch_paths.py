"""Measures forks and plans in one conversation; a process of its own under the database to measure.

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
    """Print one line of JSON before the branches are made, and one after."""
    django.setup()
    _measured(turns, branches)


def _measured(turns: int, branches: int) -> None:
    # Django must be set up before its models are imported.
    from chatapp.models import Branch  # noqa: PLC0415
    from tests.support.long_path import long_path  # noqa: PLC0415
    from tests.support.people import MODEL, accept, make_cast, new_process, say  # noqa: PLC0415

    model = replace(MODEL, window_tokens=WINDOW_TOKENS, reply_reserve_tokens=1_024)
    access, process = make_cast().access, new_process()
    path = long_path(access, turns, saying, learned=ENTRIES)
    # A committed turn, so that there is a plan before as in any conversation.
    say(access, "Where was I?", "At the station.", process, model=model)
    running = accept(access, "And what was the number of that order again?", process).turn_id
    main_line = Branch.objects.get(conversation=access.conversation)
    at_main = replace(access, branch_id=main_line.id)
    forks = _Forks(at_main, path.turn_ids)
    for wanted in (1, branches):
        forks.until(wanted)
        _analyze()
        gc.collect()
        gc.freeze()
        plans = _times(lambda: _plan(running, process, model))
        made = _times(forks.one)
        found = {
            "branches": wanted,
            "turns": turns,
            "fork_ns": [wall for wall, _ in made],
            "fork_cpu_ns": [cpu for _, cpu in made],
            "plan_ns": [wall for wall, _ in plans],
            "plan_cpu_ns": [cpu for _, cpu in plans],
        }
        print(json.dumps(found | _queries(running, process, model)), flush=True)


class _Forks:
    """Forks off the main line, at turns all over it."""

    def __init__(self, access: "Access", turn_ids: Sequence[UUID]) -> None:
        self._access, self._turn_ids, self._made = access, turn_ids, 0

    def one(self) -> None:
        from chatapp.services.branching import branch_fork  # noqa: PLC0415
        from chatapp.services.outcomes import Forked  # noqa: PLC0415

        self._made += 1
        turn_id = self._turn_ids[self._made * 7_919 % len(self._turn_ids)]
        outcome = branch_fork(self._access, turn_id, f"Way {self._made}")
        if not isinstance(outcome, Forked):
            raise TypeError(outcome)

    def until(self, wanted: int) -> None:
        """Fork until the conversation has so many branches."""
        while self._made + 1 < wanted:
            self.one()


def _analyze() -> None:
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _queries(turn_id: UUID, process: UUID, model: ModelSpec) -> dict[str, object]:
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    with CaptureQueriesContext(connection) as queries:
        _plan(turn_id, process, model)
    return {"database": connection.vendor, "queries": len(queries)}


def _plan(turn_id: UUID, process: UUID, model: ModelSpec) -> None:
    from chatapp.keyring import keys_of  # noqa: PLC0415
    from chatapp.services.planning import planned  # noqa: PLC0415
    from chatapp.store.contexts import read_context  # noqa: PLC0415

    context = read_context(turn_id, process, model=model, keys_of=keys_of)
    if context is None:
        raise TypeError("The turn does not run.")
    planned(context, model, {})


def _times(work: Callable[[], None]) -> list[tuple[int, int]]:
    """Return nanoseconds that passed, and nanoseconds of the processor in this process."""
    for _ in range(WARM_UPS):
        work()
    found = []
    for _ in range(REPEATS):
        started, cpu = time.perf_counter_ns(), time.process_time_ns()
        work()
        found.append((time.perf_counter_ns() - started, time.process_time_ns() - cpu))
    return found


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
