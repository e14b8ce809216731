"""Writes and reads replays of many conversations; what is asked and what is found is sealed."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.db.models import F, Q

from chatapp.ids import new_id
from chatapp.keyring import SpaceKeys
from chatapp.models import ReplayRun
from chatapp.store.sealing import seal_json, unseal_json

ORDER: Final = ("chatapp_replayrun", "order")
REPORT: Final = ("chatapp_replayrun", "report")

SILENT_MS: Final = 30_000
"""A run that was not heard of for so long is taken over."""


def insert_run(keys: SpaceKeys, order: Mapping[str, Any], total: int, now_ms: int) -> UUID:
    """Insert a run that waits."""
    run_id = new_id()
    ReplayRun.objects.create(
        id=run_id,
        key_space_id=keys.id,
        order=seal_json(keys, *ORDER, run_id, order),
        total=total,
        created_ms=now_ms,
    )
    return run_id


def claim_run(run_id: UUID, now_ms: int) -> ReplayRun | None:
    """Return a run that is this worker's from now on; None when it has ended or another has it."""
    free = Q(status="waiting") | Q(status="running", heartbeat_ms__lt=now_ms - SILENT_MS)
    claimed = ReplayRun.objects.filter(free, pk=run_id).update(
        status="running", heartbeat_ms=now_ms
    )
    return ReplayRun.objects.get(pk=run_id) if claimed else None


def runs_due(now_ms: int) -> list[UUID]:
    """Return the runs that wait, or whose worker is gone; the oldest first."""
    free = Q(status="waiting") | Q(status="running", heartbeat_ms__lt=now_ms - SILENT_MS)
    return list(ReplayRun.objects.filter(free).order_by("created_ms").values_list("id", flat=True))


def beat(run_id: UUID, before_ms: int, now_ms: int) -> bool:
    """Say that the work goes on; False when it was cancelled, deleted or taken over."""
    mine = ReplayRun.objects.filter(
        pk=run_id, status="running", heartbeat_ms=before_ms, cancel_requested=False
    )
    return mine.update(heartbeat_ms=now_ms) == 1


def keep_report(
    run_id: UUID, before_ms: int, report: Sequence[Any], keys: SpaceKeys, now_ms: int
) -> bool:
    """Store what was found so far, one conversation more; False as `beat`."""
    mine = ReplayRun.objects.filter(pk=run_id, status="running", heartbeat_ms=before_ms)
    sealed = seal_json(keys, *REPORT, run_id, list(report))
    return mine.update(report=sealed, done=F("done") + 1, heartbeat_ms=now_ms) == 1


def end_run(run_id: UUID, status: str, now_ms: int, detail: str = "") -> None:
    """End a run that is being worked on or waits."""
    open_ = ReplayRun.objects.filter(pk=run_id, status__in=("waiting", "running"))
    open_.update(status=status, ended_ms=now_ms, detail=detail)


def order_of(run: ReplayRun, keys: SpaceKeys) -> dict[str, Any]:
    """Return what is asked."""
    found: dict[str, Any] = unseal_json(keys, *ORDER, run.id, bytes(run.order))
    return found


def report_of(run: ReplayRun, keys: SpaceKeys) -> list[dict[str, Any]]:
    """Return what was found so far, a conversation after another."""
    if run.report is None:
        return []
    found: list[dict[str, Any]] = unseal_json(keys, *REPORT, run.id, bytes(run.report))
    return found
