"""What the tests know of a process from its output."""

import pytest

from tests.support.client import hidden_fields
from tests.support.web_process import clean_environment, find_address


@pytest.mark.parametrize(
    ("line", "address"),
    [
        ("Listening on http://127.0.0.1:8123/", "http://127.0.0.1:8123"),
        ("Open http://127.0.0.1:8123.", "http://127.0.0.1:8123"),
        ("Starting development server", None),
        ("See http://example.invalid/docs", None),
    ],
)
def test_an_address_is_found_in_a_line(line: str, address: str | None):
    assert find_address(line) == address


def test_a_process_does_not_inherit_keys(monkeypatch: pytest.MonkeyPatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")

    environment = clean_environment(tmp_path, {"REDIS_URL": ""})

    assert "OPENAI_API_KEY" not in environment
    assert environment["DATA_DIR"] == str(tmp_path)


def test_fields_of_a_form_are_found_in_a_page():
    page = '<input type="hidden" name="branch" value="b"><input name="version" value="3">'

    assert hidden_fields(page) == {"branch": "b", "version": "3"}
