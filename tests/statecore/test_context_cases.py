"""Cases that hidden tests of other chat applications fail: R1, R7 and R9, as a plan sees them."""

import json
import re
from dataclasses import replace

import pytest

from statecore.context.block_text import OPEN
from statecore.context.manifest import blocks_of, request_of
from statecore.context.state_block import block_limit_tokens
from statecore.messages import Message, ToolCall
from statecore.requests import canonical_bytes
from tests.statecore.builders import (
    answer,
    chat,
    notes_of,
    planned,
    result,
    spec,
    state,
    turn,
    user,
)
from tests.statecore.learning_path import LearningPath

# R1: no character is broken.

GREETING = "Grüße 👋 你好"


def test_r1_a_text_is_the_same_in_request_bytes_and_store():
    turns = [turn(1, user("u1", GREETING), answer("a1", GREETING))]
    made = planned(state(turns, text=GREETING))
    messages = {m.id: m for m in turns[0].messages} | {"input": user("input", GREETING)}

    stored = request_of(blocks_of(made), messages, "small", made.request.max_output_tokens)

    assert [m.text for m in made.request.messages[1:]] == [GREETING] * 3
    assert stored == made.request
    written = canonical_bytes(made.request)
    assert json.loads(written.decode())["messages"][1]["text"] == GREETING
    assert written.count("👋 你好".encode()) == 3


@pytest.mark.parametrize("size", range(40, 70))
def test_r1_what_is_cut_of_a_message_is_never_half_a_character(size):
    family = "👩‍👩‍👧"
    text = f"Code KZ-9921 {'x' * (size % 7)}" + family * 300
    model = spec(window_tokens=8 * size + 2_000, reply_reserve_tokens=100)

    made = planned(
        state(
            [
                turn(1, user("u1", text), answer("a1", "Ok.")),
                *chat(*[(90, 90)] * 30, first_depth=2),
            ],
            text="Is KZ-9921 right?",
        ),
        model,
    )

    quote = next(s for s in made.selected if s.group == "anchor")
    words = made.request.messages[quote.message].text[quote.start : quote.end]
    assert words.endswith("…")
    assert set(re.sub(r"[^👩👧\u200d]", "", words.replace(family, ""))) == set()
    assert "\ufffd" not in words
    words.encode()


# R7: a tool call without a result, in each of its forms.

OSLO, BERGEN = (
    ToolCall("c1", "weather", '{"city":"Oslo"}'),
    ToolCall("c2", "weather", '{"city":"Bergen"}'),
)
CALLS = Message("k1", "assistant", "", 0, tool_calls=(OSLO, BERGEN))
STOPPED = turn(1, user("u1", "Weather in Oslo and Bergen?"), CALLS, result("r1", "c1"))
JOKE = "Never mind, tell me a joke."
STYLES = pytest.mark.parametrize("role_style", ["system", "developer", "user"])


def spoken(made) -> list[tuple[str, str]]:
    return [(m.role, m.tool_call_id or m.text) for m in made.request.messages[1:]]


@STYLES
def test_r7_a_call_that_was_stopped_gets_a_result_that_says_so(role_style):
    made = planned(state([STOPPED], text=JOKE), spec(role_style=role_style))

    assert spoken(made) == [
        ("user", "Weather in Oslo and Bergen?"),
        ("assistant", ""),
        ("tool", "c1"),
        ("tool", "c2"),
        ("assistant", "(stopped)"),
        ("user", JOKE),
    ]
    assert made.request.messages[4].text == "cancelled by the user"
    repairs = {s.reason for s in made.segments}
    assert {"tool_result_missing", "answer_missing"} <= repairs
    assert STOPPED.messages[1] is CALLS


@STYLES
def test_r7_a_cut_that_removes_the_calls_removes_their_results(role_style):
    turns = [STOPPED, *chat(*[(40, 40)] * 20, first_depth=2)]

    made = planned(state(turns, text=JOKE), spec(window_tokens=1_000, role_style=role_style))

    assert made.dropped_turns > 1
    assert made.request.messages[1].role == "user"
    assert not any(m.role == "tool" or m.tool_calls for m in made.request.messages)


@STYLES
def test_r7_a_result_whose_call_is_not_there_is_left_out_of_c_and_stays_in_m(role_style):
    orphan = turn(1, user("u1", "And?"), result("r1", "c1"), answer("a1", "Cold."))
    given_state = state([orphan], text=JOKE)

    made = planned(given_state, spec(role_style=role_style))

    assert spoken(made) == [("user", "And?"), ("assistant", "Cold."), ("user", JOKE)]
    left = next(s for s in made.segments if s.source_ids == ("r1",))
    assert (left.decision, left.reason) == ("dropped", "tool_result_orphan")
    assert given_state.turns[0].messages[1].text == "4 degrees"


@STYLES
def test_r7_of_two_results_for_one_call_one_is_sent(role_style):
    twice = turn(
        1,
        *STOPPED.messages,
        result("r2", "c1", "5 degrees"),
        result("r3", "c2"),
        answer("a1", "Ok."),
    )

    made = planned(state([twice], text=JOKE), spec(role_style=role_style))

    assert [where for role, where in spoken(made) if role == "tool"] == ["c1", "c2"]
    assert "5 degrees" not in [m.text for m in made.request.messages]


@STYLES
def test_r7_a_history_that_begins_with_the_call_begins_with_the_user(role_style):
    begun = turn(1, CALLS, result("r1", "c1"), result("r2", "c2"), answer("a1", "Cold."))

    made = planned(state([begun], text=JOKE), spec(role_style=role_style))

    assert spoken(made) == [("user", JOKE)]
    assert {s.reason for s in made.segments if s.source_ids == ("k1",)} == {"before_first_user"}


def test_r7_the_calls_of_a_shortened_history_keep_their_results():
    hours = ", ".join(str(number) for number in range(400))
    long = f'{{"degrees": 4, "hours": [{hours}]}}'
    turns = [
        replace(
            STOPPED,
            id=f"t{depth}",
            depth=depth,
            messages=(
                user(f"u{depth}", "Weather?"),
                replace(CALLS, id=f"k{depth}"),
                result(f"r{depth}", "c1", long),
            ),
        )
        for depth in range(1, 14)
    ]

    made = planned(state(turns, text=JOKE), spec(window_tokens=34_000, reply_reserve_tokens=100))

    assert made.tier == 1
    sent = made.request.messages
    for index, one in enumerate(sent):
        for place, call in enumerate(one.tool_calls, start=1):
            assert sent[index + place].tool_call_id == call.id
    assert any(
        s.reason.startswith("tool_result_") and s.decision == "digested" for s in made.segments
    )


# R9: the rule, the correction and the refusal survive five compactions.

FOODS = ("bread", "soup", "rice", "cheese", "apples", "pasta", "beans", "honey", "figs", "corn")
LAST = "What is my budget, may you share the plan, and what is my flight code?"
SPOKEN = {
    1: ("Rules: metric units only; ask before you book anything.", "Understood."),
    4: ("Budget is 1,200 euros.", "Noted."),
    9: ("Correction: budget is 900 euros, not 1,200.", "Changed."),
    12: ("No, do not share it.", "I keep it to myself. Anything else?"),
    15: ("Flight code is QX-4417, gate B12.", "Noted."),
}


def grown() -> LearningPath:
    path = LearningPath(spec(window_tokens=4_096, reply_reserve_tokens=256))
    for depth in range(1, 76):
        food = FOODS[depth % len(FOODS)]
        filler = (
            f"Tell me something about {food}, please.",
            f"People have made {food} for a very long time, and they still like it a lot today. "
            f"It keeps well, it is cheap, and children like it. Shall I share the plan with Bo?"
            if depth == 11
            else f"People have made {food} for a very long time, and they still like {food} today.",
        )
        path.says(*SPOKEN.get(depth, filler))
    return path


@pytest.fixture(scope="module")
def long_path() -> LearningPath:
    return grown()


def test_r9_the_window_was_compacted_at_least_five_times(long_path):
    starts = {made.window_start_depth for made in long_path.plans}

    assert len(starts) >= 6
    assert min(starts) == 1
    assert {made.tier for made in long_path.plans} <= {0, 2}


def test_r9_rules_correction_refusal_and_codes_are_word_for_word(long_path):
    made = long_path.asks(LAST)
    block = "\n".join(notes_of(made))

    assert block.startswith(OPEN)
    assert "metric units only" in block
    assert "ask before you book anything" in block
    assert "budget is 900 euros" in block
    assert "No, do not share it." in block
    assert "QX-4417" in block
    assert "B12" in block
    assert made.request.messages[-1].text == LAST
    # What was corrected stays in the history of the ledger and is not sent as what holds.
    assert "Budget is 1,200 euros." not in block
    superseded = [e.text for e in long_path.memory.entries if e.status == "superseded"]
    assert "Budget is 1,200 euros." in superseded


def test_r9_the_notes_are_bounded(long_path):
    limit = block_limit_tokens(long_path.model)

    for made in long_path.plans:
        assert made.anchors or sum(map(len, notes_of(made))) <= limit


def test_r9_a_model_that_repeats_what_it_is_told_answers_right(long_path):
    told = " ".join(m.text for m in long_path.asks(LAST).request.messages[:-1])

    budget = re.findall(r"[Bb]udget is ([\d,]+) euros", told)
    code = re.findall(r"[Ff]light code is ([A-Z]{2}-\d+), gate (\w+)", told)
    assert budget[-1] == "900"
    assert code == [("QX-4417", "B12")]
    assert re.search(r"do not share it", told)
