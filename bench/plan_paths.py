"""Measures plans on one path that grows; a process of its own under the database to measure.

Reads and plans as an attempt does, asks no provider and stores nothing.
"""

import gc
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatapp.settings")

REPEATS = 50
WARM_UPS = 3
ENTRIES = 150
WINDOWS = (8_000, 128_000)
HOW = ("old", "small", "borrowed", "yellow", "broken", "heavy", "second")
PLACES = ("station", "harbour", "bakery", "museum", "garden", "library", "market", "workshop")
THINGS = ("parcel", "jacket", "map", "lamp", "ladder", "ticket", "bicycle", "umbrella", "kettle")
DEEDS = (
    "was mended",
    "came late",
    "is too small",
    "must be fetched",
    "was sold",
    "is lent out",
    "needs a new lid",
    "was painted twice",
    "will be weighed",
    "cannot be found",
    "stands in the rain",
)
TIMES = (
    "on Monday",
    "before noon",
    "since the spring",
    "after the fair",
    "once more",
    "by mistake",
    "for the neighbours",
    "without a word",
    "at half price",
    "in the dark",
    "for a week",
    "as agreed",
    "until the evening",
)


def saying(depth: int) -> tuple[str, str]:
    """Return what is asked and answered in a turn: about 35 and 150 tokens, no two turns alike."""
    asked = (
        f"Order {40_000 + depth} is to be ready on day {depth}. "
        f"{_sentence(depth, 0)} Where is it now, and what else is there to do about it?"
    )
    return asked, " ".join(_sentence(depth, number) for number in range(1, 11))


def _sentence(depth: int, number: int) -> str:
    # Lists of lengths without a common factor: it takes 72,072 sentences until one comes again.
    n = depth * 11 + number
    thing = f"{HOW[n % 7]} {THINGS[n % 9]}"
    return f"The {thing} near the {PLACES[n % 8]} {DEEDS[n % 11]} {TIMES[n % 13]}."


def main(sizes: Sequence[int]) -> None:
    """Print one line of JSON for each size of the path, in messages, and each window."""
    django.setup()
    for row in measured(sizes):
        print(json.dumps(row), flush=True)


def measured(sizes: Sequence[int]) -> Iterator[dict[str, object]]:
    """Yield what planning costs at each size."""
    # Django must be set up before its models are imported.
    from django.db import connection  # noqa: PLC0415

    from chatapp.models import Turn  # noqa: PLC0415
    from tests.support.long_path import long_path  # noqa: PLC0415
    from tests.support.people import make_cast  # noqa: PLC0415

    access = make_cast().access
    parent = None
    for messages in sizes:
        done = 0 if parent is None else parent.depth
        path = long_path(access, messages // 2 - done, saying, learned=ENTRIES, parent=parent)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        for window_tokens in WINDOWS:
            yield {
                "database": connection.vendor,
                "messages": messages,
                "window_tokens": window_tokens,
                **_at(access, window_tokens),
            }
        parent = Turn.objects.get(pk=path.tip)


def _at(access: object, window_tokens: int) -> dict[str, object]:
    """Return the times of one window at the end of the path, which is left as it was."""
    from chatapp.models import Branch  # noqa: PLC0415
    from chatapp.services.commits import turn_interrupt  # noqa: PLC0415
    from tests.support.people import MODEL, accept, new_process, say  # noqa: PLC0415

    model = replace(MODEL, window_tokens=window_tokens, reply_reserve_tokens=1_024)
    process = new_process()
    branch = Branch.objects.get(conversation=access.conversation)  # type: ignore[attr-defined]
    turn_id = accept(access, "Where was I?", process).turn_id
    first_ns = sum(_once(turn_id, process, model)[:2])
    turn_interrupt(turn_id, owner=process)
    # A committed turn, so that there is a plan before as in any conversation.
    say(access, "Where was I?", "At the station.", process, model=model)
    turn_id = accept(access, "And what was the number of that order again?", process).turn_id
    found = _times(turn_id, process, model)
    turn_interrupt(turn_id, owner=process)
    Branch.objects.filter(pk=branch.pk).update(tip_id=branch.tip_id)
    return found | {"first_ns": first_ns}


def _times(turn_id: UUID, process: object, model: object) -> dict[str, object]:
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    with CaptureQueriesContext(connection) as queries:
        _once(turn_id, process, model)
    for _ in range(WARM_UPS):
        _once(turn_id, process, model)
    # As the web process does at its start: what is loaded is not looked through for garbage.
    gc.collect()
    gc.freeze()
    times = [_once(turn_id, process, model) for _ in range(REPEATS)]
    plan = times[-1][2].plan
    return {
        "read_ns": [read for read, _, _ in times],
        "plan_ns": [plan for _, plan, _ in times],
        "queries": len(queries),
        "tier": plan.tier,
        "prompt_tokens": plan.prompt_tokens,
        "sent_messages": len(plan.request.messages),
        "entries": len(plan.selected) + len(plan.left_out),
    }


def _once(turn_id: UUID, process: object, model: object) -> tuple[int, int, object]:
    """Return nanoseconds of reading and of planning, and the outcome."""
    from chatapp.keyring import keys_of  # noqa: PLC0415
    from chatapp.services.planning import missing_of, planned  # noqa: PLC0415
    from chatapp.store.contexts import read_context  # noqa: PLC0415

    started = time.perf_counter_ns()
    context = read_context(turn_id, process, model=model, keys_of=keys_of)
    read = time.perf_counter_ns()
    outcome = planned(context, model, {})
    missing_of(outcome.plan, context)
    return read - started, time.perf_counter_ns() - read, outcome


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]])
