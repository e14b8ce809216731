"""Leases: heartbeats, who fell silent, and whose turns are left behind."""

import pytest
from django.db import connection

from chatapp.clock import now_ms
from chatapp.ids import new_id
from chatapp.models import Process, Turn
from chatapp.services.commits import turn_interrupt
from chatapp.services.turns import turn_stop
from chatapp.store import processes
from chatapp.store.processes import LEASE_MS
from tests.support.people import accept, new_process

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(monkeypatch):
    """Set the time that leases are compared by."""

    def at(time_ms):
        monkeypatch.setattr(processes, "lease_now_ms", lambda: time_ms)

    at(1_000_000)
    return at


def heartbeat_of(process_id):
    return Process.objects.get(pk=process_id).heartbeat_ms


def test_the_clock_of_leases_is_near_this_machine_s():
    assert abs(processes.lease_now_ms() - now_ms()) < 5_000


def test_on_postgresql_the_server_s_clock_counts(monkeypatch):
    monkeypatch.setattr(processes, "now_ms", lambda: 7)

    assert (processes.lease_now_ms() == 7) == (connection.vendor != "postgresql")


def test_a_process_registers_and_beats(at):
    process_id = new_id()
    processes.register(process_id, kind="web", host="here", pid=4)
    at(1_002_000)

    assert processes.beat(process_id)

    row = Process.objects.get(pk=process_id)
    assert (row.kind, row.host, row.pid, row.draining) == ("web", "here", 4, False)
    assert (row.started_ms, row.heartbeat_ms) == (1_000_000, 1_002_000)


def test_a_lease_that_is_gone_cannot_be_renewed(at):
    process_id = new_process()
    processes.unregister(process_id)

    assert not processes.beat(process_id)
    assert not Process.objects.exists()


def test_a_draining_process_is_marked(at):
    process_id = new_process()

    processes.set_draining(process_id)

    assert Process.objects.get().draining


def test_a_turn_is_orphaned_when_its_owner_is_silent_for_longer_than_the_lease(cast, at):
    process_id = new_process()
    turn_id = accept(cast.access, "Hi", process_id).turn_id

    at(1_000_000 + LEASE_MS)
    assert processes.orphaned_turns() == []
    at(1_000_000 + LEASE_MS + 1)
    assert processes.orphaned_turns() == [(turn_id, process_id)]


def test_a_turn_whose_owner_is_gone_is_orphaned_at_once(cast, at):
    process_id = new_process()
    turn_id = accept(cast.access, "Hi", process_id).turn_id

    processes.unregister(process_id)

    assert processes.orphaned_turns() == [(turn_id, None)]


def test_a_turn_that_has_ended_is_nobody_s_orphan(cast, at):
    process_id = new_process()
    turn_interrupt(accept(cast.access, "Hi", process_id).turn_id, owner=process_id)
    at(9_000_000)

    assert processes.orphaned_turns() == []


def test_the_turns_of_a_process_are_those_that_run(cast, at):
    process_id = new_process()
    turn_id = accept(cast.access, "Hi", process_id).turn_id

    assert processes.running_turns(process_id) == [turn_id]
    assert processes.running_turns(new_process()) == []
    turn_interrupt(turn_id, owner=process_id)
    assert processes.running_turns(process_id) == []


def test_a_stop_flag_is_seen_among_the_turns_asked_about(cast, at):
    turn_id = accept(cast.access, "Hi", new_process()).turn_id
    assert processes.stop_flags([turn_id]) == set()

    turn_stop(cast.access, turn_id)

    assert processes.stop_flags([turn_id, new_id()]) == {turn_id}
    assert processes.stop_flags([]) == set()


def test_silent_leases_go_when_they_own_nothing(cast, at):
    owning, empty = new_process(), new_process()
    accept(cast.access, "Hi", owning)
    at(1_000_000 + 60_001)
    fresh = new_process()

    processes.delete_silent(after_ms=60_000)

    assert set(Process.objects.values_list("id", flat=True)) == {owning, fresh}
    assert not Process.objects.filter(pk=empty).exists()
    assert Turn.objects.get().owner_id == owning


def test_a_clock_that_went_back_makes_nobody_an_orphan(cast, at):
    process_id = new_process()
    accept(cast.access, "Hi", process_id)

    at(500_000)

    assert processes.orphaned_turns() == []
    assert processes.beat(process_id)
    assert heartbeat_of(process_id) == 500_000
