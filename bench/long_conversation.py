"""Makes a conversation long, with a memory that its window does not show.

Runs as a process of its own under the settings of the application that is measured.
"""

import os
import sys
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatapp.settings")

TURNS = 200
ENTRIES = 150
MESSAGE_TOKENS = 300
WORDS = ("parcel", "jacket", "station", "river", "budget", "meeting", "painter", "key", "invoice")
KINDS = ("fact", "fact", "fact", "rule", "decision", "task", "preference", "fact")


def main() -> None:
    """Lengthen the conversation that the command line names; it has one turn."""
    django.setup()
    make_long(UUID(sys.argv[1]))


def make_long(conversation_id: UUID) -> None:
    """Copy its turn until there are enough, and let the copies teach one sentence each."""
    # Django must be set up before its models are imported.
    from django.contrib.auth.models import User  # noqa: PLC0415
    from django.db import transaction  # noqa: PLC0415

    from chatapp.access import conversation_for  # noqa: PLC0415
    from chatapp.models import Turn  # noqa: PLC0415
    from chatapp.services.transitions import claim  # noqa: PLC0415
    from chatapp.store.checkpoints import write_if_due  # noqa: PLC0415
    from chatapp.store.memory import insert_delta  # noqa: PLC0415
    from statecore.memory.ledger import Span  # noqa: PLC0415
    from statecore.state.operations import Delta, Learned  # noqa: PLC0415
    from tests.support.lengthen import lengthen  # noqa: PLC0415

    access = conversation_for(User.objects.get(), conversation_id)
    with transaction.atomic():
        lengthen(access, TURNS, tokens=MESSAGE_TOKENS)
        copies = Turn.objects.filter(conversation=conversation_id, depth__gt=1).order_by("depth")
        for number, turn in enumerate(copies):
            text = sentence(number)
            span = Span(str(turn.input_message_id), 0, len(text))
            learned = (Learned(span, KINDS[number % len(KINDS)], text, "rules"),)
            delta = Delta(
                turn_id=str(turn.id),
                seq=claim(conversation_id).seq,
                depth=turn.depth,
                said_seq=turn.accepted_seq,
                branch_ms=turn.branch_ms,
                learned=learned if number < ENTRIES else (),
            )
            insert_delta(conversation_id, delta, access.keys, prompt_hash="", now_ms=0)
        write_if_due(turn.id, access.keys)


def sentence(number: int) -> str:
    """Return what one turn taught; no two are alike."""
    one, other = WORDS[number % 9], WORDS[(number + 1 + number // 9 % 8) % 9]
    return f"For order {40_000 + number} the {one} and the {other} are needed by Tuesday morning."


if __name__ == "__main__":
    main()
