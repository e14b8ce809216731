"""A request survives being stored as blocks, and consecutive requests share them."""

import json

import pytest
from hypothesis import assume, given

from statecore.context.manifest import Block, blocks_of, message_ids, request_of
from statecore.context.plan import ContextPlan
from statecore.errors import InvalidInput
from statecore.requests import canonical_bytes
from tests.statecore.builders import (
    TEMPLATE,
    answer,
    chat,
    message,
    planned,
    previous_of,
    spec,
    specs,
    state,
    states,
    turn,
    user,
)


def by_id(given_state):
    messages = [m for t in given_state.turns for m in t.messages]
    messages += [given_state.input, *([given_state.system] if given_state.system else [])]
    return {m.id: m for m in messages}


@given(states(), specs)
def test_a_stored_request_comes_back_byte_for_byte(given_state, model):
    made = planned(given_state, model)
    assume(isinstance(made, ContextPlan))
    stored = [Block(block.body) for block in blocks_of(made)]

    back = request_of(stored, by_id(given_state), model.name, made.request.max_output_tokens)

    assert canonical_bytes(back) == canonical_bytes(made.request)


def test_what_is_sent_word_for_word_is_a_reference_and_the_rest_has_its_text():
    turns = [turn(1, user("u1", "Hi"), answer("a1", "", finish="stopped"))]

    blocks = blocks_of(planned(state(turns)))

    assert [json.loads(block.body) for block in blocks] == [
        [["system", "system", None, "Be brief.", [], None]],
        [
            ["user", "message", "u1", None, None, None],
            ["assistant", "message", None, TEMPLATE.stopped_empty, [], None],
            ["user", "input", "input", None, None, None],
        ],
    ]
    assert message_ids(blocks) == ("u1", "input")


def test_a_system_message_sent_in_another_role_keeps_its_text():
    given_state = state(system=message("s", "system", "Rules."))

    blocks = blocks_of(planned(given_state, spec(role_style="user")))

    assert json.loads(blocks[0].body) == [["user", "system", None, "Rules.", [], None]]


def test_consecutive_requests_share_all_but_their_last_block():
    model = spec(window_tokens=100_000)
    turns = chat(*[(5, 5)] * 40)
    bodies = [
        [block.body for block in blocks_of(planned(state(turns[:count]), model))]
        for count in (37, 38, 39)
    ]

    assert [len(found) for found in bodies] == [4, 4, 4]
    assert bodies[0][:-1] == bodies[1][:-1] == bodies[2][:-1]


def test_a_window_that_starts_inside_a_block_shares_the_blocks_after_it():
    model = spec(window_tokens=10_000)
    turns = chat(*[(100, 100)] * 80)
    narrow = planned(state(turns[:60]), model)
    kept = previous_of(narrow, model)

    after = planned(state(turns[:61]), model, previous=kept)

    assert narrow.window_start_depth % 16 != 1
    assert after.window_start_depth == narrow.window_start_depth
    assert [b.body for b in blocks_of(after)][:-1] == [b.body for b in blocks_of(narrow)][:-1]


def test_a_reference_to_a_message_that_is_gone_is_refused_by_name():
    blocks = blocks_of(planned(state(chat((5, 5)))))

    with pytest.raises(InvalidInput, match="u1"):
        request_of(blocks, {}, "small", 100)
