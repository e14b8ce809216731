"""The Celery application; messages carry ids only, the outbox table is the truth."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatapp.settings")

app = Celery("chatapp")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.imports = tuple(
    f"chatapp.tasks.{name}"
    for name in ("memory_again", "memory_delta", "replays", "sweep", "token_counts")
)
