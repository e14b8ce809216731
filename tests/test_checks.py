"""System checks: each id, what raises it, and that a sound installation raises none."""

import pytest
from django.core.checks import Tags, run_checks
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from chatapp import checks, keyring
from chatapp.store import triggers
from chatapp.vault import new_key
from tests.support.sql import execute


def ids(messages):
    return {message.id for message in messages}


def glassbox_ids(**options):
    found = run_checks(tags=[Tags.database, Tags.security], **options)
    return {name for name in ids(found) if name.startswith("glassbox.")}


@pytest.fixture
def loopback(settings, tmp_path):
    """Settings of the first run."""
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    settings.LOCAL_USER = True
    settings.DEBUG = False
    settings.HTTPS = False
    settings.DATA_DIR = tmp_path
    return settings


@pytest.fixture
def public(loopback):
    """Settings of a server that others reach."""
    loopback.ALLOWED_HOSTS = ["chat.example"]
    loopback.LOCAL_USER = False
    loopback.HTTPS = True
    return loopback


@pytest.mark.django_db
def test_a_sound_first_run_raises_nothing(loopback):
    assert glassbox_ids(databases=["default"]) == set()


@pytest.mark.django_db
def test_a_sound_server_raises_nothing(public):
    assert glassbox_ids(databases=["default"]) == set()


@pytest.mark.django_db
def test_a_missing_trigger_is_an_error_for_each(public):
    triggers.remove()
    found = checks.missing_triggers()
    assert ids(found) == {"glassbox.E001"}
    assert glassbox_ids(databases=["default"]) == {"glassbox.E001"}
    assert len(found) == len(triggers.trigger_faults())
    assert "is missing: rows can be changed" in found[0].msg
    assert "verify_log --restore-triggers" in found[0].hint


@pytest.mark.django_db
def test_triggers_are_not_missed_before_their_migration(public):
    triggers.remove()
    MigrationRecorder(connection).record_unapplied(*checks.TRIGGER_MIGRATION)
    assert glassbox_ids(databases=["default"]) == set()
    assert ids(checks.missing_triggers()) == {"glassbox.E001"}


@pytest.mark.django_db
def test_the_database_is_left_alone_unless_it_is_named(public):
    triggers.remove()
    assert glassbox_ids() == set()


@pytest.mark.django_db
def test_a_permit_left_open_is_an_error(public):
    execute(
        "INSERT INTO chatapp_erasurepermit (id, conversation, created_ms)"
        " VALUES ('00000000000000000000000000000001', NULL, 0)"
    )
    assert glassbox_ids(databases=["default"]) == {"glassbox.E002"}


@pytest.mark.django_db
def test_another_master_key_is_an_error(public, django_user_model):
    space = keyring.for_user(django_user_model.objects.create_user("alice"))
    public.MASTER_KEY = new_key()
    (error,) = checks.wrong_master_key()
    assert error.id == "glassbox.E003"
    assert str(space.id) in error.msg
    assert "GLASSBOX_MASTER_KEY_FILE" in error.hint


class FakeSqlite:
    """A connection whose pragmas have the values that a test gives."""

    vendor = "sqlite"

    def __init__(self, **values):
        self._values = {pragma: needed for pragma, (needed, _) in checks.PRAGMAS.items()} | values

    def cursor(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def execute(self, sql):
        self._row = (self._values[sql.removeprefix("PRAGMA ")],)

    def fetchone(self):
        return self._row


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("secure_delete", 0), ("recursive_triggers", 0), ("foreign_keys", 0), ("journal_mode", "off")],
)
def test_a_pragma_of_another_value_is_an_error(pragma, value):
    (error,) = checks.pragma_problems(FakeSqlite(**{pragma: value}))
    assert error.id == "glassbox.E004"
    assert error.msg.startswith(f"SQLite's {pragma} is {value}, not ")


def test_the_pragmas_we_need_raise_nothing():
    assert checks.pragma_problems(FakeSqlite()) == []


def test_debug_is_an_error_once_others_are_served(public):
    public.DEBUG = True
    assert ids(checks.check_exposure()) == {"glassbox.E005"}


def test_debug_is_fine_on_loopback(loopback):
    loopback.DEBUG = True
    assert checks.check_exposure() == []


def test_the_local_user_is_an_error_once_others_are_served(public):
    public.LOCAL_USER = True
    assert ids(checks.check_exposure()) == {"glassbox.E006"}


def test_serving_others_without_https_is_a_warning(public):
    public.HTTPS = False
    assert ids(checks.check_exposure()) == {"glassbox.W001"}


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_key_file_that_others_can_read_is_an_error(loopback, mode):
    path = loopback.DATA_DIR / "keys" / "master.key"
    path.parent.mkdir()
    path.touch()
    path.chmod(mode)
    (error,) = checks.check_key_files()
    assert (error.id, error.hint) == ("glassbox.E007", f"chmod 600 {path}")


def test_a_private_key_file_raises_nothing(loopback):
    path = loopback.DATA_DIR / "keys" / "master.key"
    path.parent.mkdir()
    path.touch(mode=0o600)
    assert checks.check_key_files() == []


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "a.localhost", "127.8.0.1", "[::1]"])
def test_it_knows_loopback(host):
    assert checks.is_loopback(host)


@pytest.mark.parametrize(
    "host", ["*", "", ".example", "10.0.0.1", "::2", "localhost.example", "127.0.0.1.example"]
)
def test_it_knows_what_is_not_loopback(host):
    assert not checks.is_loopback(host)
