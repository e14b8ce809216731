"""Prints what an installation's database holds: every turn with its texts, as JSON.

Runs as a process of its own, under the installation's own settings and keys, so that a test can
look into a database that other processes write.
"""

import json
import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatapp.settings")


def main() -> None:
    """Print one object for each turn, in the order in which they were accepted."""
    django.setup()
    json.dump([*turns()], sys.stdout, ensure_ascii=False)


def turns() -> Any:
    """Yield every turn with the texts of its messages by role."""
    # Django must be set up before its models are imported.
    from chatapp import keyring  # noqa: PLC0415
    from chatapp.models import Message, Turn  # noqa: PLC0415
    from chatapp.store.paths import message_by_id  # noqa: PLC0415

    for turn in Turn.objects.select_related("conversation").order_by("accepted_ms", "accepted_seq"):
        keys = keyring.keys_of(turn.conversation.key_space_id)
        messages = [
            message_by_id(message_id, keys)
            for message_id in Message.objects.filter(turn=turn)
            .order_by("position")
            .values_list("id", flat=True)
        ]
        yield {
            "conversation": str(turn.conversation_id),
            "turn": str(turn.id),
            "status": turn.status,
            "finish": turn.finish,
            "inputs": [message.text for message in messages if message.role == "user"],
            "answers": [message.text for message in messages if message.role == "assistant"],
        }


if __name__ == "__main__":
    main()
