"""Settings: safe by default, and a bad value ends the start with one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as current

from chatapp import settings
from chatapp.forms.turns import TEXT_CHARACTERS

ROOT = Path(__file__).resolve().parent.parent
ESCAPED_BYTES = 3 * 4
"""What the longest character takes in a form: four bytes of UTF-8, each as %XX."""


def start(tmp_path, **environment):
    """Run one command with an environment of its own; return its exit code and both outputs."""
    base = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**base, "DATA_DIR": str(tmp_path / "data"), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


BAD_VALUES = {
    "PORT": ("eighty", "PORT must be a whole number"),
    "GLASSBOX_DEBUG": ("maybe", "GLASSBOX_DEBUG must be 1 or 0"),
    "GLASSBOX_MASTER_KEY": ("short", "GLASSBOX_MASTER_KEY must be 32 bytes in base64url."),
    "GLASSBOX_SECRET_KEY_FILE": ("no/such/file", "cannot be read"),
    "DATABASE_URL": ("mysql://db", "DATABASE_URL must begin with"),
    "REDIS_URL": ("localhost:6379", "REDIS_URL must begin with"),
    "DATA_DIR": (f"{__file__}/data", "cannot be made"),
}


@pytest.mark.parametrize("name", BAD_VALUES)
def test_a_bad_value_ends_the_start_with_one_sentence(tmp_path, name):
    value, sentence = BAD_VALUES[name]

    code, _, error = start(tmp_path, **{name: value})

    assert code != 0
    assert sentence in error
    assert len(error.strip().splitlines()) == 1


def test_without_any_variable_it_starts_and_makes_its_keys(tmp_path):
    code, _, error = start(tmp_path)

    assert (code, error) == (0, "")
    keys = sorted(path.name for path in (tmp_path / "data" / "keys").iterdir())
    assert keys == ["master.key", "secret.key"]
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0


def test_nothing_that_could_hold_text_is_logged():
    levels = {name: logger["level"] for name, logger in settings.LOGGING["loggers"].items()}

    assert levels["django.db.backends"] == levels["openai"] == levels["httpx2"] == "WARNING"
    assert settings.LOGGING["root"]["level"] == "WARNING"


def test_cookies_and_frames_are_guarded():
    assert settings.SESSION_COOKIE_SAMESITE == "Lax"
    assert current.SESSION_COOKIE_HTTPONLY
    assert settings.X_FRAME_OPTIONS == "DENY"
    assert settings.SECURE_CONTENT_TYPE_NOSNIFF
    assert settings.SECURE_REFERRER_POLICY == "same-origin"
    assert settings.SESSION_COOKIE_NAME != settings.CSRF_COOKIE_NAME


def test_only_this_machine_is_served_by_default():
    assert settings.ALLOWED_HOSTS == ["localhost", "127.0.0.1", "[::1]"]
    assert not settings.LOCAL_USER
    assert not settings.DEBUG


def test_a_form_has_room_for_the_longest_message_in_any_script():
    assert TEXT_CHARACTERS * ESCAPED_BYTES < settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def test_a_worker_loses_no_task():
    assert settings.CELERY_TASK_ACKS_LATE
    assert settings.CELERY_TASK_REJECT_ON_WORKER_LOST
    assert settings.CELERY_WORKER_PREFETCH_MULTIPLIER == 1
