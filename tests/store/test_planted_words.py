"""No sealed word lies readable in the database, whatever file or column one looks into."""

from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection

from chatapp.models import Conversation, Message, Payload
from chatapp.store import log
from chatapp.store.sealing import digest, seal_json, seal_text
from tests.support.sql import execute

pytestmark = pytest.mark.django_db(transaction=True)

PLANTED = "xylophonewombat"
PLANTED_ELSEWHERE = "ксилофонвомбат"
OPEN = "marmaladelocomotive"


def stored_bytes():
    """Return everything that the database holds, as one who has its files would see it."""
    if connection.vendor == "sqlite":
        path = Path(connection.settings_dict["NAME"])
        return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    found = []
    with connection.cursor() as cursor:
        for model in apps.get_app_config("chatapp").get_models():
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')  # noqa: S608  # our tables
            found += [value for row in cursor.fetchall() for value in row]
    return b"".join(
        bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
        for value in found
    )


@pytest.fixture
def planted(conversation, keys, append):
    """The words in every kind of sealed column, and one word in a column that is not sealed."""
    text = f"{PLANTED} {PLANTED_ELSEWHERE}"
    Conversation.objects.filter(id=conversation.id).update(
        title=seal_text(keys, "chatapp_conversation", "title", conversation.id, text),
        model_name=OPEN,
    )
    message = Message(conversation=conversation, seq=1, position=0, role="user", created_ms=1)
    message.body = seal_json(keys, "chatapp_message", "body", message.id, {"text": text})
    message.save(force_insert=True)
    body = text.encode()
    append(conversation, log.Change("x", None, body, body, body, digest(keys, body), body))


def test_a_word_that_is_not_sealed_is_found(planted):
    assert OPEN.encode() in stored_bytes()


@pytest.mark.parametrize("word", [PLANTED, PLANTED_ELSEWHERE])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_a_sealed_word_is_not_found(planted, word, encoding):
    assert Payload.objects.count() == 5
    assert word.encode(encoding) not in stored_bytes()
    if connection.vendor == "sqlite":
        execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert word.encode(encoding) not in stored_bytes()
