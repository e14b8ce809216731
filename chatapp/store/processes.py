"""The leases of processes: heartbeat, and finding those that fell silent."""

from uuid import UUID

from django.db import connection

from chatapp.clock import now_ms
from chatapp.models import Process, Turn

PLAY = "play"
"""Kind of a process that plays a recorded session; it works at the conversation that it makes."""

LEASE_MS = 10_000
"""A process that is silent for longer is dead."""


def lease_now_ms() -> int:
    """Return the time that leases are compared by: the database server's, else this machine's."""
    if connection.vendor != "postgresql":
        return now_ms()
    with connection.cursor() as cursor:
        cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        return int(cursor.fetchone()[0])


def register(process_id: UUID, *, kind: str, host: str, pid: int) -> None:
    """Insert the lease of this process."""
    now = lease_now_ms()
    Process.objects.create(
        id=process_id, kind=kind, host=host, pid=pid, started_ms=now, heartbeat_ms=now
    )


def beat(process_id: UUID) -> bool:
    """Renew a lease; False when it is gone, so that the process must stop its turns."""
    updated = Process.objects.filter(pk=process_id).update(heartbeat_ms=lease_now_ms())
    return updated == 1


def set_draining(process_id: UUID) -> None:
    """Mark a process that takes no new turns."""
    Process.objects.filter(pk=process_id).update(draining=True)


def unregister(process_id: UUID) -> None:
    """Delete the lease of a process that ends in order."""
    Process.objects.filter(pk=process_id).delete()


def orphaned_turns() -> list[tuple[UUID, UUID | None]]:
    """Return running turns whose owner is silent or gone, with that owner."""
    silent_since = lease_now_ms() - LEASE_MS
    orphans = Turn.objects.filter(status="running").exclude(owner__heartbeat_ms__gte=silent_since)
    return list(orphans.values_list("id", "owner_id"))


def note_work(process_id: UUID, what: str) -> None:
    """Note what a process works at, in the place of its host."""
    Process.objects.filter(pk=process_id).update(host=what)


def silent_workers(kind: str, *, after_ms: int) -> list[tuple[UUID, str]]:
    """Return the processes of a kind that are silent for so long, with what each worked at."""
    silent_since = lease_now_ms() - after_ms
    rows = Process.objects.filter(kind=kind, heartbeat_ms__lt=silent_since)
    return list(rows.values_list("id", "host"))


def delete_silent(*, after_ms: int) -> None:
    """Delete leases silent for longer than `after_ms` that own nothing.

    Those of plays tell what they have left, and end with its removal.
    """
    limit = lease_now_ms() - after_ms
    Process.objects.exclude(kind=PLAY).filter(heartbeat_ms__lt=limit).exclude(
        pk__in=Turn.objects.filter(status="running", owner__isnull=False).values("owner_id")
    ).delete()


def stop_flags(turn_ids: list[UUID]) -> set[UUID]:
    """Return those turns that somebody asked to stop."""
    flagged = Turn.objects.filter(pk__in=turn_ids, stop_requested=True)
    return set(flagged.values_list("id", flat=True))


def running_turns(process_id: UUID) -> list[UUID]:
    """Return the turns that a process runs according to the database."""
    return list(
        Turn.objects.filter(owner_id=process_id, status="running").values_list("id", flat=True)
    )
