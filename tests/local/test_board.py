from chatapp.local import board
from chatapp.local.board import StatusBoard
from chatapp.local.status import read_status


def test_each_new_state_is_written(tmp_path):
    notes = StatusBoard(tmp_path)
    notes.put("a", "starting", "Soon.")
    notes.put("a", "ready", "Here.", endpoint="http://127.0.0.1:1/v1", key="k")
    assert read_status(tmp_path)["a"].state == "ready"
    assert read_status(tmp_path)["a"].key == "k"


def test_progress_is_written_as_a_share(tmp_path):
    StatusBoard(tmp_path).progress("a", 25, 100)
    status = read_status(tmp_path)["a"]
    assert (status.state, status.progress) == ("downloading", 0.25)


def test_progress_is_not_written_for_every_piece(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(board, "write_status", lambda *_: written.append(1))
    notes = StatusBoard(tmp_path)
    for done in range(100):
        notes.progress("a", done, 100)
    assert len(written) == 1


def test_stopping_takes_keys_and_addresses_away_and_keeps_the_reason_of_a_failure(tmp_path):
    notes = StatusBoard(tmp_path)
    notes.put("a", "ready", "Here.", endpoint="http://127.0.0.1:1/v1", key="k")
    notes.put("b", "failed", "No room.")
    notes.stop_all()
    statuses = read_status(tmp_path)
    assert (statuses["a"].state, statuses["a"].endpoint, statuses["a"].key) == ("stopped", "", "")
    assert statuses["b"].detail == "No room."
