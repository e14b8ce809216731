"""What goes over the channel layer: ids, never text, and a broker that is away stops nothing."""

from uuid import UUID

import pytest

from chatapp import broadcast

CONVERSATION, TURN, PROCESS = (UUID(int=number) for number in (1, 2, 3))


@pytest.fixture
def sent(monkeypatch):
    """What was sent as (group, message)."""
    found = []

    class Layer:
        async def group_send(self, group, message):
            found.append((group, message))

    monkeypatch.setattr(broadcast, "layer", Layer)
    return found


async def say_everything():
    await broadcast.turn_changed(CONVERSATION, TURN, started=True)
    await broadcast.turn_changed(CONVERSATION, TURN)
    await broadcast.conversation_changed(CONVERSATION, "header")
    await broadcast.branch_selected(7, CONVERSATION, TURN, "page")
    await broadcast.memory_changed(CONVERSATION)
    await broadcast.signed_out(7)
    await broadcast.ask_owner(PROCESS, TURN, "attempt", 3, "page")
    await broadcast.ask_stop(PROCESS, TURN)


async def test_messages_carry_ids_and_nothing_else(sent):
    await say_everything()

    of_conversation, of_process = f"conv.{CONVERSATION.hex}", f"proc.{PROCESS.hex}"
    turn = str(TURN)
    question = {"type": "live.ask", "turn": turn, "attempt": "attempt", "after": 3, "reply": "page"}
    assert sent == [
        (of_conversation, {"type": "turn.changed", "turn": turn, "started": True}),
        (of_conversation, {"type": "turn.changed", "turn": turn, "started": False}),
        (of_conversation, {"type": "conversation.changed", "what": "header"}),
        (
            "user.7",
            {
                "type": "branch.selected",
                "conversation": str(CONVERSATION),
                "branch": turn,
                "page": "page",
            },
        ),
        (of_conversation, {"type": "memory.changed"}),
        ("user.7", {"type": "session.ended"}),
        (of_process, question),
        (of_process, {"type": "turn.stop", "turn": turn}),
    ]


async def test_a_broker_that_is_away_stops_nothing(monkeypatch, caplog):
    class Layer:
        async def group_send(self, group, message):
            raise ConnectionError("the broker is away")

    monkeypatch.setattr(broadcast, "layer", Layer)

    await say_everything()

    assert caplog.text.count("Nobody could be told") == 8


def test_group_names_are_such_as_every_layer_takes():
    layer = broadcast.layer()

    for name in (
        broadcast.conversation_group(CONVERSATION),
        broadcast.process_group(PROCESS),
        broadcast.user_group(7),
    ):
        assert layer.require_valid_group_name(name)


def test_without_a_layer_it_is_said(monkeypatch):
    monkeypatch.setattr(broadcast, "get_channel_layer", lambda: None)

    with pytest.raises(RuntimeError, match="channel layer"):
        broadcast.layer()
