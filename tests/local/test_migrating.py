import pytest
from django.db import OperationalError

from chatapp.local import migrating
from chatapp.local.faults import LocalError


def test_every_migration_is_applied_without_a_question(monkeypatch):
    calls = []
    monkeypatch.setattr(migrating, "call_command", lambda *args, **more: calls.append((args, more)))
    monkeypatch.setattr(migrating.connections, "close_all", lambda: calls.append("closed"))
    migrating.migrate()
    assert calls == [(("migrate",), {"interactive": False, "verbosity": 0}), "closed"]


def test_a_database_that_refuses_is_one_sentence(monkeypatch):
    def refuse(*_args, **_more):
        raise OperationalError("connection refused\n  Is the server running?")

    monkeypatch.setattr(migrating, "call_command", refuse)
    monkeypatch.setattr(migrating.connections, "close_all", lambda: None)
    with pytest.raises(LocalError, match=r"up to date: connection refused\.$"):
        migrating.migrate()
