"""Old messages that come back as quotes: which words of them, how they stand, and their room."""

from dataclasses import replace

import pytest

from statecore.context.intent import words_in
from statecore.context.plan import ContextPlan
from statecore.context.state import OlderMessage
from statecore.context.state_block import FACTS_TOKENS, block_limit_tokens
from tests.statecore.builders import (
    answer,
    chat,
    entry,
    notes_of,
    planned,
    remembered,
    removed,
    spec,
    state,
    turn,
    user,
)
from tests.statecore.context_builders import RETURN, fact

MODEL = spec(window_tokens=4_000, reply_reserve_tokens=100)
CODE = "The code of the door is KZ-9921."
REST = chat(*[(60, 60)] * 30, first_depth=2)


def block_of(made: ContextPlan) -> str:
    assert made.segments[-2].kind == "state_block"
    return made.request.messages[-2].text


def after(message, text="Is KZ-9921 still right?", **more) -> ContextPlan:
    """Return the plan after a message that the window has lost."""
    return planned(state([turn(1, user("u1", "Hi."), message), *REST], text=text, **more), MODEL)


def test_what_the_input_points_at_comes_back_with_its_id_and_role():
    made = after(answer("message-a1", CODE))

    assert made.tier == 2
    assert block_of(made).split("\n")[1:-1] == [
        "Referred to (message ssage-a1, assistant):",
        f"> {CODE}",
    ]
    assert [(a.message_id, a.turn_id, a.reason) for a in made.anchors] == [
        ("message-a1", "t1", "named")
    ]
    (selected,) = made.selected
    assert selected[:3] == ("anchor:message-a1", "anchor", "named")
    assert block_of(made)[selected.start : selected.end] == f"> {CODE}"
    assert made.segments[-2].source_ids == ("message-a1",)


def test_what_the_window_shows_is_not_quoted():
    made = planned(state([*REST, turn(32, user("u32", CODE), answer("a32", "Ok."))], text=CODE))

    assert made.anchors == ()


def test_lines_stay_lines_and_each_is_marked():
    table = f"{CODE}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n```\ncode()\n```"

    made = after(answer("a1", table))

    assert block_of(made).split("\n")[2:-1] == [
        f"> {CODE}",
        ">",
        "> | a | b |",
        "> |---|---|",
        "> | 1 | 2 |",
        "> ```",
        "> code()",
        "> ```",
    ]


def test_a_long_message_is_cut_to_an_eighth_of_the_window():
    made = after(answer("a1", f"{CODE} " + "Much more is said about that. " * 60))

    (selected,) = made.selected
    quote = block_of(made)[selected.start : selected.end]
    assert quote.startswith(f"> {CODE}")
    assert MODEL.window_tokens // 10 < len(quote) <= MODEL.window_tokens // 8 + 10
    assert quote.endswith("…")


def test_of_a_long_message_the_part_that_is_meant_is_quoted():
    steps = "\n".join(f"{number}. Step {number} takes a while." for number in range(1, 60))

    made = after(answer("a1", f"Here is how.\n\n{steps}"), text="I do not understand step 41.")

    assert [anchor.reason for anchor in made.anchors] == ["step"]
    assert "Step 41 takes a while." in block_of(made)
    assert "Step 40" not in block_of(made)


def test_a_quote_shows_nothing_that_was_deleted():
    gone = removed("a0", "Bob Meyer lives there now.")
    told = answer("a1", f"{CODE} Bob Meyer lives there now.")

    made = after(told, memory=remembered(removed=(gone,)))

    assert f"> {CODE} [removed by the user]" in block_of(made)
    assert "Meyer" not in block_of(made)


def test_a_message_before_the_loaded_turns_is_quoted_without_what_was_deleted():
    gone = removed("u1", "Bob Meyer lives there.")
    older = OlderMessage("t1", 1, user("u1", f"Bob Meyer lives there. {CODE}"), (9,))

    made = planned(
        state(
            REST,
            text="What was my first message?",
            earlier_turns=1,
            earlier_tokens=80,
            earlier_messages=2,
            older=(older,),
            memory=remembered(removed=(gone,)),
        ),
        MODEL,
    )

    assert f"> [removed by the user] {CODE}" in block_of(made)
    assert made.segments[1].kind == "gap"


def test_three_messages_come_back_at_most():
    turns = [
        turn(n, user(f"u{n}", f"Code {n} is AB-100{n}."), answer(f"a{n}", "Ok."))
        for n in range(1, 6)
    ]

    made = planned(
        state(
            [*turns, *chat(*[(60, 60)] * 30, first_depth=6)],
            text="Compare AB-1001, AB-1002, AB-1003, AB-1004 and AB-1005.",
        ),
        MODEL,
    )

    assert len(made.anchors) == 3


def test_quotes_do_not_take_the_room_of_the_notes():
    rules = [entry(f"Rule {number} is kept.", "rule", seq=number) for number in range(1, 40)]
    with_quote = after(answer("a1", CODE), memory=remembered(*rules))
    without = after(answer("a1", "Nothing."), memory=remembered(*rules))

    assert {found.id for found in without.selected} <= {found.id for found in with_quote.selected}
    assert with_quote.anchors
    assert sum(map(len, notes_of(with_quote))) > block_limit_tokens(MODEL)


# Facts and what a process holds.


def test_facts_are_in_every_request_under_their_own_limit():
    facts = tuple(fact(f"f{number}", f"Likes tea number {number}.") for number in range(60))

    made = planned(state(chat((5, 5)), facts=facts), MODEL)

    assert made.tier == 0
    inside = [found.id for found in made.selected]
    assert 0 < len(inside) < 60
    assert inside == [f"f{number}" for number in range(len(inside))]
    assert block_of(made).startswith('<notes>\nKnown about the user: "Likes tea number 0."')
    assert len(block_of(made)) <= FACTS_TOKENS + 20
    assert [found.id for found in made.left_out] == [f"f{n}" for n in range(len(inside), 60)]


def test_a_fact_that_was_deleted_here_does_not_come_back():
    gone = removed("u1", "Likes tea number 4417.")

    made = planned(
        state(
            chat((5, 5)),
            facts=(fact("f1", "Likes tea number 4417."), fact("f2", "Likes Oslo.")),
            memory=remembered(removed=(gone,)),
        ),
        MODEL,
    )

    assert [found.id for found in made.selected] == ["f2"]


def test_what_a_process_holds_is_in_every_request_and_not_under_the_limit():
    held = replace(RETURN.values[0], value="48371 " * 120)
    workflow = replace(RETURN, values=(held, RETURN.values[1]))
    known = entry("No flights.", "rule", said_in="u9")

    made = planned(state(chat((5, 5)), workflow=workflow, memory=remembered(known)), MODEL)

    assert block_of(made).split("\n")[1] == (
        'Where the process stands: step = "awaiting_receipt" '
        f'order_id = "{held.value}" mood = "calm"'
    )
    assert 'Rules: "No flights."' in block_of(made)
    assert len(block_of(made)) > block_limit_tokens(MODEL)


# The last intent.

SMALL = spec(window_tokens=1_000, reply_reserve_tokens=100)


def crowded(*first, **more) -> ContextPlan:
    """Return the plan of the last resort after some turns."""
    big = chat(*[(150, 150)] * 5, first_depth=1 + len(first))
    more = {"text": "Go?"} | more
    return planned(state([*first, *big], **more), SMALL)


def said(depth: int, text: str):
    return turn(depth, user(f"u{depth}", text), answer(f"a{depth}", "Yes."))


def test_the_last_resort_quotes_the_newest_goal_or_task():
    goal = entry("See Oslo in May.", "goal", said_in="u1", seq=1)
    task = entry("Find a cabin.", "task", said_in="u2", seq=2)
    rule = entry("No flights.", "rule", said_in="u2", seq=3)

    made = crowded(said(1, goal.text), said(2, task.text), memory=remembered(goal, task, rule))

    assert made.tier == 3
    assert [(a.message_id, a.reason) for a in made.anchors] == [("u2", "last_intent")]
    assert "What the user last wanted (message u2, user):\n> Find a cabin." in block_of(made)


def test_without_one_it_quotes_the_newest_message_that_says_something():
    made = crowded(said(1, "I want to see Oslo in May."), said(2, "Thanks a lot."))

    assert [a.message_id for a in made.anchors] == ["u1"]
    assert "> I want to see Oslo in May." in block_of(made)


def test_what_the_last_turns_show_is_not_quoted():
    made = planned(
        state([*chat(*[(200, 200)] * 4), said(5, "I want to see Oslo in May.")], text="Go?"), SMALL
    )

    assert made.tier == 3
    assert made.anchors == ()


def test_a_goal_that_was_reached_is_no_intent():
    goal = entry("See Oslo in May.", "goal", said_in="u1", status="resolved")

    made = crowded(said(1, goal.text), memory=remembered(goal))

    assert made.anchors == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I want to see Oslo", 5),
        ("Хочу увидеть весь Осло весной", 5),
        ("我想看看奥斯陆的春天", 5),
        ("好的谢谢", 2),
        ("", 0),
    ],
)
def test_words_are_counted_in_three_languages(text, words):
    assert words_in(text) == words


def test_the_summary_is_left_out_of_the_last_resort_where_it_does_not_fit():
    rules = [entry(f"Rule {number} is kept.", "rule", seq=number) for number in range(1, 9)]
    room = crowded(said(1, "Hi."), memory=remembered(*rules))
    full = crowded(said(1, "Hi."), memory=remembered(*rules), text="x" * 245)

    assert room.tier == full.tier == 3
    assert len(room.selected) > 2
    assert len(full.selected) < len(room.selected)
    assert full.rho_sent <= 1
