"""Readers of environment variables: what is meant, and one clear sentence for what is not."""

import os
import stat
import threading

import pytest
from django.core.exceptions import ImproperlyConfigured

from chatapp import env
from chatapp.env import (
    broker_address,
    channel_settings,
    database_settings,
    decode_key,
    env_bool,
    env_int,
    env_list,
    env_secret,
    env_text,
)

NAME = "GLASSBOX_TRIAL"


@pytest.fixture
def setting(monkeypatch):
    """Set the variable under test."""
    monkeypatch.delenv(NAME, raising=False)
    return lambda text: monkeypatch.setenv(NAME, text)


def sentence(function, *args, **more):
    """Return the one sentence with which a bad value is refused."""
    with pytest.raises(ImproperlyConfigured) as caught:
        function(*args, **more)
    text = str(caught.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text


def test_text_is_trimmed_and_empty_means_unset(setting):
    assert env_text(NAME, "default") == "default"
    setting("  ")
    assert env_text(NAME, "default") == "default"
    setting(" value ")
    assert env_text(NAME, "default") == "value"


@pytest.mark.parametrize("word", ["1", "true", "YES", " on "])
def test_words_for_yes(setting, word):
    setting(word)

    assert env_bool(NAME) is True


@pytest.mark.parametrize("word", ["0", "false", "No", "off", ""])
def test_words_for_no(setting, word):
    setting(word)

    assert env_bool(NAME, default=True) is False


def test_an_unset_switch_has_its_default(setting):
    assert env_bool(NAME) is False
    assert env_bool(NAME, default=True) is True


@pytest.mark.parametrize("word", ["2", "maybe", "y", "tru"])
def test_another_word_for_a_switch_is_refused(setting, word):
    setting(word)

    assert sentence(env_bool, NAME) == f"{NAME} must be 1 or 0, not {word!r}."


def test_a_number_in_range_is_taken(setting):
    assert env_int(NAME, 7, low=0, high=10) == 7
    for text, value in (("0", 0), (" 10 ", 10), ("", 7)):
        setting(text)
        assert env_int(NAME, 7, low=0, high=10) == value


@pytest.mark.parametrize("text", ["-1", "11", "1.5", "ten", "0x1", "1" * 5_000])
def test_a_number_out_of_range_or_none_is_refused(setting, text):
    setting(text)

    found = sentence(env_int, NAME, 7, low=0, high=10)

    assert found.startswith(f"{NAME} must be a whole number from 0 to 10, not ")


def test_a_list_is_split_at_commas(setting):
    assert env_list(NAME, ("a", "b")) == ["a", "b"]
    setting(" one ,, two,")
    assert env_list(NAME, ("a",)) == ["one", "two"]
    setting(" , ")
    assert env_list(NAME, ("a",)) == ["a"]


def test_a_secret_of_the_environment_comes_first(setting, tmp_path, monkeypatch):
    file = tmp_path / "named.key"
    file.write_text("from the file\n")
    monkeypatch.setenv(f"{NAME}_FILE", str(file))
    assert env_secret(NAME, tmp_path / "own.key") == "from the file"
    setting("from the environment")

    assert env_secret(NAME, tmp_path / "own.key") == "from the environment"
    assert not (tmp_path / "own.key").exists()


def test_a_missing_secret_is_made_once_for_its_owner_only(setting, tmp_path):
    path = tmp_path / "keys" / "own.key"

    first = env_secret(NAME, path)

    assert env_secret(NAME, path) == first
    assert len(decode_key(NAME, first)) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_processes_that_start_at_once_agree_on_a_secret(setting, tmp_path):
    path, barrier, found = tmp_path / "own.key", threading.Barrier(8), []

    def start():
        barrier.wait()
        found.append(env_secret(NAME, path))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 8
    assert len(set(found)) == 1
    assert list(tmp_path.iterdir()) == [path]


def test_a_secret_file_that_is_not_there_is_named(setting, tmp_path, monkeypatch):
    missing = tmp_path / "missing.key"
    monkeypatch.setenv(f"{NAME}_FILE", str(missing))

    found = sentence(env_secret, NAME, tmp_path / "own.key")

    assert found == f"The secret file {missing} cannot be read: No such file or directory."
    assert not missing.exists()


@pytest.mark.parametrize("content", [b"", b" \n", "ключ".encode(), b"\xff\xfe"])
def test_a_secret_file_without_a_secret_is_named(setting, tmp_path, content):
    path = tmp_path / "own.key"
    path.write_bytes(content)

    found = sentence(env_secret, NAME, path)

    assert found == f"The secret file {path} holds no secret: one line of ASCII text is needed."


def test_a_secret_that_cannot_be_made_is_named(setting, tmp_path):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")

    found = sentence(env_secret, NAME, in_the_way / "own.key")

    assert str(in_the_way / "own.key") in found


def test_a_key_is_32_bytes_with_or_without_padding():
    key = bytes(range(32))
    padded = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    assert decode_key(NAME, padded) == key
    assert decode_key(NAME, padded.rstrip("=")) == key


@pytest.mark.parametrize("text", ["", "short", "A" * 42, "A" * 44, "ключ", "?" * 43])
def test_another_key_is_refused_without_showing_it(text):
    found = sentence(decode_key, NAME, text)

    assert found == f"{NAME} must be 32 bytes in base64url."


def test_without_an_address_the_database_is_a_file_of_the_data_folder(tmp_path):
    found = database_settings("", tmp_path)

    assert found["ENGINE"] == "django.db.backends.sqlite3"
    assert found["NAME"] == str(tmp_path / "glassbox.sqlite3")
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    for pragma in ("journal_mode=WAL", "secure_delete=ON", "recursive_triggers=ON"):
        assert f"PRAGMA {pragma};" in found["OPTIONS"]["init_command"]


def test_a_file_can_be_named(tmp_path):
    assert database_settings("sqlite:////var/lib/a%20b.sqlite3", tmp_path)["NAME"] == (
        "//var/lib/a b.sqlite3"
    )
    assert (
        database_settings("sqlite:///var/lib/a.sqlite3", tmp_path)["NAME"] == "/var/lib/a.sqlite3"
    )


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_a_postgresql_address_is_taken_apart(tmp_path, scheme):
    found = database_settings(f"{scheme}://al%40ice:p%3Aw@db.example:5433/chat", tmp_path)

    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert (found["USER"], found["PASSWORD"]) == ("al@ice", "p:w")
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("db.example", "5433", "chat")


def test_a_short_postgresql_address_has_defaults(tmp_path):
    found = database_settings("postgres://", tmp_path)

    assert (found["HOST"], found["PORT"], found["NAME"]) == ("", "", "glassbox")
    assert found["OPTIONS"] == {}


def test_how_to_connect_to_postgresql_is_not_dropped(tmp_path):
    found = database_settings("postgres://db/chat?sslmode=require&connect_timeout=3", tmp_path)

    assert found["NAME"] == "chat"
    assert found["OPTIONS"] == {"sslmode": "require", "connect_timeout": "3"}


@pytest.mark.parametrize("url", ["mysql://db/chat", "db.example/chat", "POSTGRES"])
def test_another_database_is_refused(tmp_path, url):
    found = sentence(database_settings, url, tmp_path)

    assert found.startswith("DATABASE_URL must begin with postgres:// or sqlite://")


@pytest.mark.parametrize(
    "url",
    [
        "postgres://al:secret@db:port/chat",
        "postgres://al:secret@[db/chat",
        "postgres://db:99999/chat",
        "postgres://al:secret/1@db/chat",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_without_showing_its_password(tmp_path, url):
    found = sentence(database_settings, url, tmp_path)

    assert found.startswith("DATABASE_URL is no address:")
    assert "secret" not in found


def test_a_file_without_a_name_is_refused(tmp_path):
    assert sentence(database_settings, "sqlite://", tmp_path) == (
        "DATABASE_URL names no file: write sqlite:///path."
    )


def test_without_redis_messages_stay_in_the_process():
    assert channel_settings("") == {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    assert broker_address("") == "memory://"


@pytest.mark.parametrize("url", ["redis://host:6379/0", "rediss://host", "unix:///run/v.sock"])
def test_redis_carries_messages_and_wakes_workers(url):
    found = channel_settings(url)["default"]

    assert found["BACKEND"].endswith("RedisPubSubChannelLayer")
    assert found["CONFIG"]["hosts"][0]["address"] == url
    assert broker_address(url).startswith(("redis", "rediss"))


def test_a_unix_socket_is_spelled_for_the_broker():
    assert broker_address("unix:///run/v.sock") == "redis+socket:///run/v.sock?virtual_host=0"


@pytest.mark.parametrize("url", ["localhost:6379", "http://host", "host"])
def test_another_broker_is_refused(url):
    assert sentence(channel_settings, url).startswith(
        "REDIS_URL must begin with redis://, rediss:// or unix://"
    )


def test_nothing_of_the_machine_is_changed_by_reading(setting):
    before = dict(os.environ)

    env_text(NAME), env_bool(NAME), env_list(NAME)

    assert dict(os.environ) == before
    assert env.TRUE_WORDS.isdisjoint(env.FALSE_WORDS)
