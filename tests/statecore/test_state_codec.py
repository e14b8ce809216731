"""What is stored comes back the same, byte for byte, and what is not ours is refused by place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.errors import InvalidInput
from statecore.memory.session import Expiry
from statecore.state.codec import (
    decode_delta,
    decode_operation,
    decode_path_memory,
    encode_delta,
    encode_operation,
    encode_path_memory,
)
from statecore.state.fold import PathMemory, path_fold
from statecore.state.operations import (
    Add,
    Delete,
    Edit,
    FieldSet,
    Pin,
    Rejected,
    RemoveField,
    SetField,
    Undo,
)
from tests.statecore.memory_builders import delta, histories, learned, op, span, target

DELTA = delta(
    2,
    9,
    learned("m2:0-5", "不要海鲜。", "rule", supersedes=["m1:0-4"], author="model"),
    rejected=(Rejected(span("m2:6-9"), "", "fact", "secret"),),
    fields=(FieldSet("wish", "кратко", Expiry("idle", 5), span("m2:0-5"), visible=False),),
    model="small",
    note="settled",
)
ACTIONS = [
    Edit(target("m1:0-4", "Rome"), "Milan"),
    Delete(target("m1:0-4", "Rome")),
    Pin(target("m1:0-4"), pinned=True),
    Add("rule", "No seafood", span("m1:0-4"), "rules", said_seq=1, depth=1),
    Undo(3),
    SetField(FieldSet("step", "2"), branch_ms=7),
    RemoveField("step"),
]
PATH = path_fold([DELTA], [op(10, ACTIONS[2])], as_of=12).settled(3, ["t3", "t1"])

# Written by version 1; must be readable for ever.
DELTA_1 = (
    '{"delta":{"branch_ms":2000,"depth":2,"fields":[{"expiry":{"after_ms":5,"kind":"idle"},'
    '"key":"wish","source":["m2",0,5],"value":"кратко","visible":false}],"learned":[{"author":'
    '"model","kind":"rule","span":["m2",0,5],"supersedes":["m1:0-4"],"text":"不要海鲜。"}],'
    '"model":"small","note":"settled","rejected":[{"label":"fact","reason":"secret","span":["m2",'
    '6,9],"text":""}],"said_seq":4,"seq":9,"turn_id":"t2"},"v":1}'
)
OPERATION_1 = (
    '{"operation":{"action":{"edit":{"target":{"entry_id":"m1:0-4","sources":[["m1",0,4]],'
    '"text":"Rome"},"text":"Milan"}},"created_ms":5,"depth":1,"seq":5,"turn_id":"t1"},"v":1}'
)
PATH_1 = (
    '{"path":{"as_of":12,"deltas":[' + DELTA_1[len('{"delta":') : -len(',"v":1}')] + '],"depth":3,'
    '"left_out":0,"operations":[{"action":{"pin":{"pinned":true,"target":{"entry_id":"m1:0-4",'
    '"sources":[["m1",0,4]],"text":""}}},"created_ms":10,"depth":1,"seq":10,"turn_id":"t1"}],'
    '"settled_depth":3,"waiting":["t1","t3"]},"v":1}'
)


def test_the_stored_form_of_version_1_stays():
    assert encode_delta(DELTA).decode() == DELTA_1
    assert encode_operation(op(5, ACTIONS[0])).decode() == OPERATION_1
    assert encode_path_memory(PATH).decode() == PATH_1
    assert decode_delta(DELTA_1.encode()) == DELTA
    assert decode_operation(OPERATION_1.encode()) == op(5, ACTIONS[0])
    assert decode_path_memory(PATH_1.encode()) == PATH


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: type(action).__name__)
@pytest.mark.parametrize("depth", [0, 3])
def test_every_operation_comes_back(action, depth):
    operation = op(8, action, depth)
    assert decode_operation(encode_operation(operation)) == operation


@given(histories(), st.integers(0, 25))
def test_a_history_comes_back(history, cut):
    for item in history.deltas:
        assert decode_delta(encode_delta(item)) == item
    for operation in history.operations:
        assert decode_operation(encode_operation(operation)) == operation
    path = path_fold(history.deltas, history.operations, as_of=cut)
    body = encode_path_memory(path)
    assert decode_path_memory(body) == path
    assert encode_path_memory(decode_path_memory(body)) == body


def test_an_empty_checkpoint_comes_back():
    assert decode_path_memory(encode_path_memory(PathMemory())) == PathMemory()


def changed(body: str, old: str, new: str) -> bytes:
    assert old in body
    return body.replace(old, new).encode()


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('"v":1', '"v":2', "v: "),
        ('"depth":2', '"depth":"2"', "depth: "),
        ('"depth":2,', "", "depth: "),
        ('"depth":2', '"depth":2,"more":1', "more: "),
        ('"kind":"rule"', '"kind":"Rule"', r"learned\[0\]\.kind: "),
        ('"span":["m2",0,5]', '"span":["m2",0]', r"learned\[0\]\.span"),
        ('"span":["m2",0,5]', '"span":["m2",0,"5"]', r"learned\[0\]\.span"),
        ('"reason":"secret"', '"reason":"no"', r"rejected\[0\]\.reason: "),
        ('"kind":"idle"', '"kind":"day"', r"fields\[0\]\.expiry\.kind: "),
    ],
)
def test_a_delta_that_is_none_is_refused_by_its_place(old, new, place):
    with pytest.raises(InvalidInput, match=f"^{place}"):
        decode_delta(changed(DELTA_1, old, new))


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"\xff", b'{"v":1}', OPERATION_1.encode()])
def test_what_is_no_delta_at_all_is_refused(body):
    with pytest.raises(InvalidInput):
        decode_delta(body)


def test_a_refusal_names_the_place_and_not_the_text():
    with pytest.raises(InvalidInput) as refusal:
        decode_delta(changed(DELTA_1, '"text":"不要海鲜。"', '"text":["不要海鲜。"]'))
    assert str(refusal.value).startswith("learned[0].text: ")
    assert "海鲜" not in str(refusal.value)


@pytest.mark.parametrize("action", ["{}", '{"undo":{"seq":1},"remove_field":{"key":"a"}}'])
def test_an_operation_has_exactly_one_action(action):
    whole = json.loads(OPERATION_1)
    whole["operation"]["action"] = json.loads(action)
    with pytest.raises(InvalidInput, match=r"^action: "):
        decode_operation(json.dumps(whole).encode())


def test_a_checkpoint_names_the_operation_that_is_none():
    whole = json.loads(PATH_1)
    whole["path"]["operations"][0]["action"] = {"pin": None}
    with pytest.raises(InvalidInput, match=r"^operations\[0\]\.action: 0 actions"):
        decode_path_memory(json.dumps(whole).encode())
