"""A list of messages becomes the state before its last user message."""

import pytest

from statecore.errors import InvalidInput
from statecore.explain.given import from_transcript
from statecore.formats.openai_list import messages_of
from statecore.formats.transcript import Transcript


def given(*messages, **more):
    listed = [{"role": role, "content": text} for role, text in messages]
    return from_transcript(Transcript(messages_of(listed), **more))


def test_turns_begin_with_a_user_message():
    found = given(
        ("assistant", "Welcome."),
        ("user", "Hi"),
        ("assistant", "Hello."),
        ("assistant", "How are you?"),
        ("user", "Fine."),
    )

    assert [[m.id for m in turn.messages] for turn in found.state.turns] == [
        ["m1"],
        ["m2", "m3", "m4"],
    ]
    assert [(turn.id, turn.depth) for turn in found.state.turns] == [("t1", 1), ("t2", 2)]
    assert found.state.input.id == "m5"
    assert found.notes == ()


def test_what_follows_the_last_user_message_is_named_and_not_looked_at():
    found = given(("user", "Hi"), ("assistant", "Hello."), ("assistant", "Well?"))

    assert found.state.turns == ()
    assert found.notes == ("planned for m1, the last user message; 2 after it not looked at",)


def test_all_instructions_hold_wherever_they_stand():
    found = given(
        ("system", "Be brief."),
        ("user", "Hi"),
        ("system", ""),
        ("system", "Be kind."),
        ("user", "?"),
    )

    assert found.state.system.text == "Be brief.\n\nBe kind."
    assert found.system_ids == ("m1", "m3", "m4")
    assert [m.id for turn in found.state.turns for m in turn.messages] == ["m2"]


def test_one_instruction_stays_word_for_word():
    assert given(("system", " Be brief.\n"), ("user", "Hi")).state.system.text == " Be brief.\n"


def test_the_conversation_of_an_export_is_named():
    found = given(("user", "Hi"), title="A talk", place="conversation 2 of 3")

    assert found.notes == ("conversation 2 of 3: A talk",)


def test_there_has_to_be_a_user_message():
    with pytest.raises(InvalidInput, match="there is no user message to plan for"):
        given(("system", "Be brief."))
