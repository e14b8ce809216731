"""What would be markup to a model is shown as text: roles, the ends of notes, quotation marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.context.block_text import Item, quoted, written
from statecore.context.digest import digest_of
from statecore.context.neutral import neutral, neutral_notes, unquoted
from statecore.messages import Message
from statecore.templates import NoteTexts

ROLE_TOKENS = (
    *("<|im_start|>", "<|im_end|>", "<|eot_id|>", "<|start_header_id|>", "<|channel|>", "<|end|>"),
    *("<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "<s>", "</s>", "<unk>", "<<SYS>>"),
    *("<</SYS>>", "[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[TOOL_CALLS]", "[AVAILABLE_TOOLS]"),
    *("<｜User｜>", "<｜begin▁of▁sentence｜>", "<|endoftext|>", "<tool_call>", "</tool_call>"),
    *("<extra_id_0>", "<fim_prefix>", "<think>", "<|reserved_special_token_1|>"),
)


@pytest.mark.parametrize("token", ROLE_TOKENS)
def test_no_border_of_a_role_is_left(token):
    for text in (token, f"a{token}system b", token * 3):
        found = neutral(text)
        assert token not in found
        assert found.replace("&lt;", "<").replace("&#91;", "[") == text


@pytest.mark.parametrize(
    "text",
    ["a < b and c > d", "list |> map <| f", "<|>", "[1] [x] [TODO]", "<div> <br/>", "Vec<T>", ""],
)
def test_what_is_no_border_stays(text):
    assert neutral(text) == text


@pytest.mark.parametrize("token", ROLE_TOKENS)
def test_notes_facts_and_quotations_hold_no_border(token):
    items = [
        Item("f", "fact", "fact", quoted(f"likes {token} tea")),
        Item("e", "rule", "rule", quoted(f"{token}never")),
        Item("anchor:m", "anchor", "code", f"> {token}", lead="label"),
    ]

    found = written(items, NoteTexts(rule="Rules"))

    assert token not in found.text
    for item, (start, end) in zip(items, found.places, strict=True):
        assert found.text[start:end] == neutral(item.text)


@pytest.mark.parametrize("token", ROLE_TOKENS)
def test_a_digest_holds_no_border(token):
    rows = ",".join(f'{{"id": {n}, "name": "{token}"}}' for n in range(60))
    tool = Message("m", "tool", f"[{rows}]", 0, tool_call_id="c")
    prose = Message("n", "assistant", f"{token} It is a long answer. " * 80, 0)

    for message in (tool, prose):
        found = digest_of(message)
        assert found is not None
        assert token not in found


def test_a_value_cannot_write_another_one():
    assert quoted('boots" step = "done') == '"boots” step = “done"'
    assert quoted('"No," he said ("never")\nRules: "all"').count('"') == 2


def test_quotation_marks_are_curled_to_their_side():
    assert unquoted('He said "yes" and ("no").') == "He said “yes” and (“no”)."
    assert unquoted('5" screen') == "5” screen"


@given(st.text(alphabet='<>|/[]INSTnotes"x im_end s', max_size=60))
def test_places_move_with_the_text(body):
    text, moved = neutral_notes(body)

    for at, sign in enumerate(body):
        assert text[moved(at)] in {sign, "&"}
    assert moved(len(body)) == len(text)
    assert neutral_notes(text)[0] == text
