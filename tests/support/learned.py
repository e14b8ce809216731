"""Prints what an installation has learned: every turn with its deltas and its work, as JSON.

Runs as a process of its own, as the ledger does.
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
    """Yield every turn with what it taught and what waits for it."""
    # Django must be set up before its models are imported.
    from chatapp import keyring  # noqa: PLC0415
    from chatapp.models import MemoryDelta, Outbox, Transition, Turn  # noqa: PLC0415
    from chatapp.store.memory import read_memory  # noqa: PLC0415

    for turn in Turn.objects.select_related("conversation").order_by("accepted_ms", "accepted_seq"):
        conversation = turn.conversation
        keys = keyring.keys_of(conversation.key_space_id)
        memory = read_memory(conversation.id, turn.id, keys, as_of=conversation.last_seq)
        learned = Transition.objects.filter(turn=turn.id, kind="memory_learned")
        yield {
            "turn": str(turn.id),
            "status": turn.status,
            "deltas": MemoryDelta.objects.filter(turn=turn).count(),
            "transitions": learned.count(),
            "entries": [entry.text for entry in memory.active()],
            "waiting": list(
                Outbox.objects.filter(turn=turn, done_ms=None).values_list("kind", flat=True)
            ),
        }


if __name__ == "__main__":
    main()
