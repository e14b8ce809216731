"""A conversation with its keys, and rows to tamper with."""

from dataclasses import dataclass

import pytest
from django.db import connection, transaction

from chatapp import keyring
from chatapp.ids import new_id
from chatapp.models import Branch, Conversation, Message, Payload, Transition
from chatapp.store import log

# A trap of the one database cannot be shown on the other: not collected, rather than skipped.
collect_ignore = [
    "test_triggers_sqlite.py" if connection.vendor == "postgresql" else "test_triggers_postgres.py"
]


@pytest.fixture
def alice(django_user_model):
    return django_user_model.objects.create_user("alice")


@pytest.fixture
def keys(alice):
    keyring.clear()
    return keyring.keys_of(keyring.for_user(alice).id)


@pytest.fixture
def make_conversation(keys):
    def make():
        conversation = Conversation.objects.create(
            key_space_id=keys.id, created_ms=1_000, updated_ms=1_000
        )
        Branch.objects.create(conversation=conversation, created_seq=0, created_ms=1_000)
        return conversation

    return make


@pytest.fixture
def conversation(make_conversation):
    return make_conversation()


@dataclass(frozen=True)
class Rows:
    """One row of each guarded table."""

    transition: Transition
    payload: Payload
    message: Message


@pytest.fixture
def make_rows():
    """Insert one row of each guarded table, with bytes that mean nothing."""

    def make(conversation, seq=1):
        parts = ("state_before", "input", "request", "output", "state_after", "chain")
        transition = Transition.objects.create(
            id=new_id(),
            conversation=conversation,
            seq=seq,
            kind="accept",
            created_ms=1_000,
            **dict.fromkeys(parts, b"commitment"),
        )
        return Rows(
            transition=transition,
            payload=Payload.objects.create(transition=transition, part="input", body=b"sealed"),
            message=Message.objects.create(
                conversation=conversation,
                seq=seq,
                position=0,
                role="user",
                body=b"sealed",
                created_ms=1_000,
            ),
        )

    return make


@pytest.fixture
def rows(conversation, make_rows):
    return make_rows(conversation)


@pytest.fixture
def append(keys):
    """Append transitions to a conversation, each in a transaction of its own."""

    def append(conversation, *changes, created_ms=2_000, touch=False):
        for change in changes:
            with transaction.atomic():
                log.append_transition(
                    conversation.id,
                    keys,
                    change,
                    head=log.next_seq(conversation.id),
                    created_ms=created_ms,
                    touch=touch,
                )
        conversation.refresh_from_db()

    return append


@pytest.fixture
def written(conversation, append):
    """A conversation whose log holds five transitions, odd ones with a request."""
    append(
        conversation,
        *(
            log.Change(
                kind=("conversation_renamed", "model_chosen")[number % 2],
                turn=new_id(),
                input=f"question {number}".encode(),
                request=b"" if number % 2 else f"request {number}".encode(),
                output=f"answer {number}".encode(),
            )
            for number in range(5)
        ),
    )
    return conversation
