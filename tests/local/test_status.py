import json
import stat

from chatapp.local.status import ModelStatus, read_status, status_path, write_status

READY = ModelStatus("ready", "It answers.", None, "http://127.0.0.1:5/v1", "secret")
LOADING = ModelStatus("downloading", "On its way.", 0.25)


def test_what_was_written_is_read_back(tmp_path):
    write_status(tmp_path, {"a": READY, "b": LOADING})
    assert read_status(tmp_path) == {"a": READY, "b": LOADING}


def test_only_the_owner_may_read_the_keys_in_it(tmp_path):
    write_status(tmp_path, {"a": READY})
    assert stat.S_IMODE(status_path(tmp_path).stat().st_mode) == 0o600
    assert [path.name for path in status_path(tmp_path).parent.iterdir()] == ["models.json"]


def test_no_file_means_no_model_server(tmp_path):
    assert read_status(tmp_path) == {}


def test_a_file_that_makes_no_sense_means_no_model_server(tmp_path):
    status_path(tmp_path).parent.mkdir()
    for text in ("{", "[]", '{"a": 1}', '{"a": {"state": "dancing"}}'):
        status_path(tmp_path).write_text(text)
        assert read_status(tmp_path) == {}


def test_missing_fields_have_plain_defaults(tmp_path):
    status_path(tmp_path).parent.mkdir()
    status_path(tmp_path).write_text(json.dumps({"a": {"state": "stopped"}}))
    assert read_status(tmp_path) == {"a": ModelStatus("stopped", "")}
