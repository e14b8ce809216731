"""Typed readers of environment variables; a bad value stops the start with one sentence."""

import base64
import binascii
import os
import secrets
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"", "0", "false", "no", "off"})
KEY_BYTES = 32
REDIS_SCHEMES = ("redis://", "rediss://", "unix://")


def env_text(name: str, default: str = "") -> str:
    """Return a variable as text, or the default when it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, *, default: bool = False) -> bool:
    """Return a variable as a truth value.

    Raises:
        ImproperlyConfigured: when the value is none of 1, true, yes, on, 0, false, no, off.
    """
    text = os.environ.get(name)
    if text is None:
        return default
    word = text.strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    msg = f"{name} must be 1 or 0, not {text!r}."
    raise ImproperlyConfigured(msg)


def env_int(name: str, default: int, *, low: int, high: int) -> int:
    """Return a variable as an integer within [low, high].

    Raises:
        ImproperlyConfigured: when it is not a whole number or out of range.
    """
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    try:
        value = int(text)
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        msg = f"{name} must be a whole number from {low} to {high}, not {text!r}."
        raise ImproperlyConfigured(msg)
    return value


def env_list(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Return a comma-separated variable as a list."""
    words = [word.strip() for word in os.environ.get(name, "").split(",")]
    return [word for word in words if word] or list(default)


def env_secret(name: str, path: Path) -> str:
    """Return a secret from NAME, else from the file NAME_FILE, else from `path`, made if missing.

    Raises:
        ImproperlyConfigured: when the file cannot be made or read, or holds no secret.
    """
    if text := env_text(name):
        return text
    named = env_text(f"{name}_FILE")
    source = Path(named) if named else path
    try:
        if not named:
            _make_secret(path)
        text = source.read_text(encoding="ascii").strip()
    except OSError as error:
        msg = f"The secret file {source} cannot be read: {error.strerror}."
        raise ImproperlyConfigured(msg) from error
    except UnicodeDecodeError:
        text = ""
    if not text:
        msg = f"The secret file {source} holds no secret: one line of ASCII text is needed."
        raise ImproperlyConfigured(msg)
    return text


def _make_secret(path: Path) -> None:
    """Write 32 random bytes as base64url once; a process that comes second keeps the first."""
    if path.exists():
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    draft.touch(mode=0o600)
    draft.write_bytes(base64.urlsafe_b64encode(secrets.token_bytes(32)) + b"\n")
    try:
        # A hard link appears whole or not at all, and fails when another process was first.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def decode_key(name: str, text: str) -> bytes:
    """Return 32 key bytes from base64url text.

    Raises:
        ImproperlyConfigured: when it is not 32 bytes in base64url.
    """
    try:
        key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        msg = f"{name} must be {KEY_BYTES} bytes in base64url."
        raise ImproperlyConfigured(msg)
    return key


def database_settings(url: str, data_dir: Path) -> dict[str, object]:
    """Return Django's settings for a database address; an empty one means SQLite in `data_dir`.

    Raises:
        ImproperlyConfigured: when it is neither sqlite nor postgres, or cannot be read.
    """
    try:
        parts = urlsplit(url)
        port = str(parts.port or "")
    except ValueError:
        # Neither the address nor the parser's words are shown: a password may be in them.
        raise ImproperlyConfigured(
            "DATABASE_URL is no address: its host or port cannot be read; special characters in"
            " a password are written as %XX."
        ) from None
    if parts.scheme in {"postgres", "postgresql"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")) or "glassbox",
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": port,
            "CONN_MAX_AGE": 600,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": dict(parse_qsl(parts.query)),
        }
    if url and parts.scheme != "sqlite":
        msg = f"DATABASE_URL must begin with postgres:// or sqlite://, not {parts.scheme!r}."
        raise ImproperlyConfigured(msg)
    path = unquote(parts.path) if url else str(data_dir / "glassbox.sqlite3")
    if not path:
        raise ImproperlyConfigured("DATABASE_URL names no file: write sqlite:///path.")
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000;"
                "PRAGMA journal_size_limit=67108864; PRAGMA secure_delete=ON;"
                "PRAGMA recursive_triggers=ON;"
            ),
        },
        # In-memory test databases cannot be shared between threads and processes.
        "TEST": {"NAME": str(data_dir / "test.sqlite3")},
    }


def channel_settings(redis_url: str) -> dict[str, object]:
    """Return the channel layer: Redis or Valkey when an address is set, else this process only.

    Raises:
        ImproperlyConfigured: when it is no address of Redis.
    """
    if not redis_url:
        return {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    if not redis_url.startswith(REDIS_SCHEMES):
        raise ImproperlyConfigured("REDIS_URL must begin with redis://, rediss:// or unix://.")
    return {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [{"address": redis_url, "socket_timeout": None}]},
        }
    }


def broker_address(redis_url: str) -> str:
    """Return Celery's form of a Redis address; Kombu spells unix sockets its own way."""
    if redis_url.startswith("unix://"):
        return f"redis+socket://{redis_url.removeprefix('unix://')}?virtual_host=0"
    return redis_url or "memory://"
