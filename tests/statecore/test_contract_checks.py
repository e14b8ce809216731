"""Whether the parts of a contract hold together: what does not is named with its place."""

import json

import pytest
from hypothesis import given

from statecore.contract.checks import check
from statecore.contract.document import dump, parse
from statecore.contract.schema import AttemptMeta, ContractMemory, RequestMeta
from statecore.errors import InvalidInput
from statecore.messages import ToolCall
from tests.statecore.contract_builders import contract, contracts, said, sample, turn, waiting

ASKED = said("u1", "user", "And?")
CALLS = said("a1", "assistant", "", tool_calls=(ToolCall("x", "find", "{}"),))
RESULT = said("r1", "tool", "[]", tool_call_id="x")
ANSWER = said("b1", "assistant", "Yes.")
NAMES_ITS_CALL = (
    "turns 1 → messages 2 → tool_call_id: a tool message names the call that it answers, and no "
    "other message does"
)
BARE = {"finish": None, "committed_seq": None, "committed_ms": None}


def fault_of(given_contract) -> str:
    """Return what is wrong with a contract; empty where nothing is."""
    try:
        check(given_contract)
    except InvalidInput as error:
        return str(error)
    return ""


@given(contracts())
def test_what_can_happen_is_let_in(drawn):
    assert fault_of(drawn) == ""


def test_the_last_turn_may_wait_for_its_answer():
    assert fault_of(contract(turn(1), waiting(2))) == ""
    assert fault_of(contract(waiting(1), turn(2))) == (
        "turns 1 → status: only the last turn can be failed"
    )


def test_a_turn_that_was_stopped_may_lack_results_and_an_answer():
    assert fault_of(contract(turn(1, ASKED, CALLS, finish="stopped"))) == ""
    assert fault_of(contract(turn(1, ASKED, finish="stopped"))) == ""
    assert fault_of(contract(turn(1, ASKED, CALLS, RESULT, ANSWER))) == ""
    assert fault_of(contract(turn(1, ASKED, CALLS))) != ""
    assert fault_of(contract(turn(1, ASKED))) != ""


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (contract(turn(2)), "turns 1 → depth: is 2 where 1 comes next"),
        (contract(turn(1), turn(1, seq=3)), "turns 2 → depth: is 1 where 2 comes next"),
        (
            contract(turn(1), turn(2, id="t1")),
            "turns 2 → id: another turn has the id t1 already",
        ),
        (
            contract(turn(1), turn(2, said("a1", "user", "?"), ANSWER)),
            "turns 2 → messages 1 → id: another message has the id a1 already",
        ),
        (
            contract(turn(1, finish=None)),
            "turns 1: a committed turn has finish, committed_seq and committed_ms",
        ),
        (
            contract(turn(1, ASKED, status="running")),
            "turns 1: a running turn has no finish, committed_seq or committed_ms",
        ),
        (
            contract(turn(1, ASKED, ANSWER, status="failed", **BARE)),
            "turns 1 → messages 2: a failed turn has its input only",
        ),
        (
            contract(turn(1, ANSWER)),
            "turns 1 → messages 1 → role: a turn begins with a user message, not with assistant",
        ),
        (
            contract(turn(1, ASKED, said("x", "user", "?"))),
            "turns 1 → messages 2 → role: a user message stands inside a turn",
        ),
        (
            contract(turn(1, ASKED)),
            "turns 1 → messages: a turn that was not stopped ends with an answer",
        ),
        (
            contract(turn(1, ASKED, CALLS, ANSWER)),
            "turns 1 → messages 2 → tool_calls 1: the call has no result in its turn",
        ),
        (
            contract(turn(1, ASKED, RESULT, ANSWER)),
            "turns 1 → messages 2 → tool_call_id: no call x waits for a result",
        ),
        (
            contract(turn(1, ASKED, CALLS, RESULT, RESULT.model_copy(update={"id": "r2"}), ANSWER)),
            "turns 1 → messages 4 → tool_call_id: no call x waits for a result",
        ),
        (
            contract(turn(1, ASKED, said("r", "tool", "[]"), ANSWER)),
            NAMES_ITS_CALL,
        ),
        (
            contract(turn(1), system=said("s", "user", "Hi.")),
            "system → role: a user message is no system message",
        ),
        (
            contract(turn(1, committed_seq=1)),
            "turns 1 → committed_seq: the seq 1 does not come after 1",
        ),
        (
            contract(turn(1), turn(2, seq=2)),
            "turns 2 → accepted_seq: the seq 2 does not come after 2",
        ),
        (
            contract(turn(1), turn(2, accepted_ms=1)),
            "turns 2 → accepted_ms: the time goes back from 1500 to 1",
        ),
        (
            contract(turn(1, branch_ms=900), turn(2)),
            "turns 2 → branch_ms: the time goes back from 900 to 200",
        ),
        (
            contract(turn(1, said("u", "user", "?", 5), ANSWER)),
            "turns 1 → messages 2 → created_ms: the time goes back from 5 to 0",
        ),
        (
            contract(turn(1), memory=ContractMemory(as_of=1)),
            "memory → as_of: is earlier than the seq 2",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_does_not_hold_together_is_named(wrong, sentence):
    assert fault_of(wrong) == sentence


@pytest.mark.parametrize(
    ("steps", "value", "sentence"),
    [
        (("facts", 0, "confidence"), 1.5, "facts 1 → confidence: lies between 0 and 1"),
        (("facts", 0, "superseded_by"), "f9", "facts 1 → superseded_by: there is no fact f9"),
        (
            ("contract_fields", 0, "seq"),
            1,
            "contract_fields 1 → seq: the seq 1 is that of something else",
        ),
        (("contract_fields", 0, "seq"), 0, "contract_fields 1 → seq: 0 is no seq"),
        (
            ("contract_fields", 1, "key"),
            "locale",
            "contract_fields 2 → key: another contract field has the id locale already",
        ),
    ],
)
def test_what_stands_beside_the_messages_is_checked_too(steps, value, sentence):
    document = json.loads(dump(parse(sample("state.1.ru.json"))))
    part = document
    for step in steps[:-1]:
        part = part[step]
    part[steps[-1]] = value
    with pytest.raises(InvalidInput) as error:
        parse(json.dumps(document))
    assert str(error.value) == sentence


def test_an_attempt_belongs_to_a_turn():
    meta = RequestMeta(attempts=(AttemptMeta(turn_id="t9", ordinal=1, model="m"),))
    assert fault_of(contract(turn(1), request_meta=meta)) == (
        "request_meta → attempts 1 → turn_id: there is no turn t9"
    )
