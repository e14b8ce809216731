"""The application's settings for tests: a data folder of their own, and no key of the machine."""

import os
import tempfile
from pathlib import Path

os.environ["DATA_DIR"] = os.environ.get("GLASSBOX_TEST_DATA_DIR") or tempfile.mkdtemp(
    prefix="glassbox-tests-"
)
for name in ("GLASSBOX_MODELS", "MODEL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "REDIS_URL"):
    os.environ.pop(name, None)

from chatapp.settings import *  # noqa: E402, F403  # reads the environment set above

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STATIC_ROOT = Path(os.environ["DATA_DIR"]) / "static"
