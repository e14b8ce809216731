"""What the input points at is resolved to one message of the path, and brought back if hidden."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.context.anchors import (
    MAX_ANCHORS,
    SHORT_CHARACTERS,
    anchors,
    resolve,
    unsettled,
)
from statecore.context.state import OlderMessage, PathTurn, State
from tests.statecore.builders import answer, result, user

LIST = "Do it so:\n1. whisk the eggs\n2. melt the butter\n3. bake"
TABLE = "| day | euros |\n|---|---|\n| one | 12 |"
CODE = "```\nprint(1)\n```"

CHAT = (
    ("We are four and nobody eats mushrooms.", LIST),
    ("What does it cost?", TABLE),
    ("Where is the shop?", "Near the bridge, see https://shop.example/map"),
    ("My order is QX-4417.", "Noted, QX-4417."),
    ("And the oven?", "Try this:\n" + CODE),
    ("Good.", "Glad to hear."),
)


def path(*texts, first=1):
    return tuple(
        PathTurn(f"t{n}", n, (user(f"u{n}", asked), answer(f"a{n}", answered)))
        for n, (asked, answered) in enumerate(texts, first)
    )


def state(text, *texts, first=1, **more):
    turns = path(*(texts or CHAT), first=first)
    return State(None, turns, user("now", text), earlier_turns=first - 1, **more)


def ids(text, *texts, **more):
    return [one.message_id for one in resolve(state(text, *texts, **more))]


@pytest.mark.parametrize(
    ("text", "message_id"),
    [
        ("Is that link still good?", "a3"),
        ("Sum up the table above.", "a2"),
        ("Run the code you gave me.", "a5"),
        ("Step 2 went wrong.", "a1"),
        ("Is the third option needed?", "a1"),
        ("What was my first message?", "u1"),
        ("Your second answer, please.", "a2"),
        ("What did I say six messages ago?", "u4"),
        ("four messages ago", "u5"),
        ("As I said, no mushrooms.", "u1"),
        ("What did you say about the bridge?", "a3"),
        ("“nobody eats mushrooms” is a lie", "u1"),
        ("> Near the bridge\nwhich one?", "a3"),
        ("Has QX-4417 been sent?", "u4"),
        ("Та ссылка работает?", "a3"),
        ("На шаге 3 всё сгорело.", "a1"),
        ("那个表格", "a2"),
    ],
)
def test_a_phrase_means_one_message(text, message_id):
    assert ids(text) == [message_id]


@pytest.mark.parametrize(
    "text",
    [
        "Book a table for four.",
        "What is the last step of the recipe?",
        "Send me that file.",
        "As I said, no pepper.",
        "Step 9?",
        "99 messages ago",
        "Is “something else” right?",
        "The previous version, please.",
        "Hello",
    ],
)
def test_what_means_nothing_here_has_no_anchor(text):
    assert ids(text) == []


def test_what_is_shown_needs_no_anchor():
    asked = state("Is that link still good? And step 2?")
    everything = frozenset(m.id for turn in asked.turns for m in turn.messages)

    assert [one.message_id for one in anchors(asked, frozenset())] == ["a1", "a3"]
    assert [one.message_id for one in anchors(asked, frozenset({"a3"}))] == ["a1"]
    assert anchors(asked, everything) == ()


def test_an_anchor_says_what_where_and_why():
    text = "Is that link still good?"
    (one,) = anchors(state(text), frozenset())

    assert (one.turn_id, one.depth, one.role, one.reason) == ("t3", 3, "assistant", "link")
    assert text[one.pointer_start : one.pointer_end] == "that link"
    assert (one.start, one.end) == (0, len(CHAT[2][1]))


def test_of_a_long_message_only_the_part_that_is_meant_is_pointed_at():
    long = "words " * SHORT_CHARACTERS + "\n\n" + LIST
    (step,) = resolve(state("step 2?", ("a", long), ("b", "c")))
    (said,) = resolve(state("What did you say about the zebra?", ("a", long + "\nA zebra!\nEnd.")))

    assert long[step.start : step.end] == "2. melt the butter"
    assert (long + "\nA zebra!\nEnd.")[said.start : said.end] == "A zebra!"


def test_no_more_than_three_are_brought_back_the_surest_first():
    text = "Compare my first message, step 2, that link, the table above and that code."
    found = anchors(state(text), frozenset())

    assert len(resolve(state(text))) == 5
    assert [one.reason for one in found] == ["message", "step", "link"]
    assert len(found) == MAX_ANCHORS


def test_the_newest_is_meant_unless_words_or_a_speaker_narrow_it():
    texts = (
        ("See https://me.example", "The docs: https://docs.example"),
        ("And prices?", "At https://prices.example"),
    )

    assert ids("that link", *texts) == ["a2"]
    assert ids("the link to the docs", *texts) == ["a1"]
    assert ids("the link I sent", *texts) == ["u1"]
    assert ids("the first link", *texts) == ["u1"]
    assert ids("your first link", *texts) == ["a1"]
    assert ids("the last link", *texts) == ["a2"]


def test_a_number_counts_within_the_newest_message_that_has_several():
    two = "https://a.example and https://b.example"

    assert ids("the second link", ("https://c.example", two)) == ["a1"]
    (one,) = resolve(state("the second link", ("x", "words " * 100 + "\n" + two)))
    assert one.message_id == "a1"


def test_a_step_is_one_of_numbered_instructions_if_there_are_some():
    texts = (("a", LIST), ("b", "- tea\n- milk"))

    assert ids("the second step", *texts) == ["a1"]
    assert ids("the second option", *texts) == ["a2"]
    assert ids("the last step", *texts) == ["a1"]


def test_the_previous_step_is_the_one_before_where_the_talk_stands():
    long = LIST + "\n" + "words " * 100
    (one,) = resolve(state("the previous step?", ("a", long), ("Step 3 is done.", "Good.")))

    assert long[one.start : one.end] == "2. melt the butter"


def test_versions_count_along_their_run():
    drafts = (
        ("Write a note about the blue boat.", "The blue boat sails at noon."),
        ("Shorter.", "The blue boat: noon."),
        ("Livelier!", "Ahoy, the blue boat leaves at noon!"),
        ("What does it cost?", "Nine euros."),
    )

    assert ids("the previous version", *drafts) == ["a2"]
    assert ids("the first draft", *drafts) == ["a1"]
    assert ids("the third version", *drafts) == ["a3"]
    assert ids("the note you wrote", *drafts) == ["a3"]
    assert ids("the first version of Linux", *drafts) == []


def test_a_name_that_several_turns_have_means_none_of_them():
    texts = (("Code AB-1234.", "ok"), ("AB-1234 again", "ok"), ("CD-5678", "CD-5678"))

    assert ids("AB-1234?", *texts) == []
    assert ids("CD-5678?", *texts) == ["u3"]
    assert ids("AB-123?", *texts) == []


def test_results_of_tools_are_found_by_what_is_repeated_of_them():
    call = answer("a1", "", calls=["c1"])
    turns = (PathTurn("t1", 1, (user("u1", "Where?"), call, result("r1", "c1", "Gate KX-9913"))),)
    asked = State(None, turns, user("now", "Is KX-9913 open?"))

    assert [(one.message_id, one.role) for one in resolve(asked)] == [("r1", "tool")]


def test_a_turn_counts_as_two_messages_whatever_it_took():
    call = answer("c", "", calls=["1"])
    tools = PathTurn("t1", 1, (user("u1", "Where?"), call, result("r", "1"), answer("a1", "Here")))
    asked = State(None, (tools, *path(("x", "y"), first=2)), user("now", "three messages ago"))

    assert [one.message_id for one in resolve(asked)] == ["a1"]


def older(message, depth, *read_for):
    return OlderMessage(f"t{depth}", depth, message, read_for)


def test_what_was_read_from_before_the_loaded_turns_is_meant_by_its_phrase_only():
    before = (
        older(user("u1", "https://old.example"), 1, 0),
        older(answer("a2", TABLE), 2, 20),
    )
    loaded = (("Hi", "Hello"),)

    assert ids("that link is dead", *loaded, first=9, older=before) == ["u1"]
    assert ids("my first message", *loaded, first=9, older=before) == ["u1"]
    assert ids("that file is dead", *loaded, first=9, older=before) == []
    (one,) = anchors(state("that link", *loaded, first=9, older=before[:1]), frozenset({"u9"}))
    assert (one.depth, one.turn_id) == (1, "t1")


def test_the_first_of_a_kind_is_not_taken_from_the_loaded_turns_of_a_longer_path():
    loaded = (("https://ninth.example", "ok"),)

    assert ids("the first link", *loaded, first=9) == []


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("my first message", ["message"]),
        ("two messages ago", []),
        ("the first link", ["link"]),
        ("that link", []),
        ("that table", ["table"]),
        ("the link to the docs", ["link"]),
        ("step 2", ["step"]),
        ("as I said, no mushrooms", []),
        ("Hello", []),
    ],
)
def test_only_what_the_loaded_turns_cannot_settle_is_looked_for_before_them(text, kinds):
    loaded = (("See https://a.example", "Good."), ("Hi", "Hello"))

    assert [one.kind for one in unsettled(state(text, *loaded, first=9))] == kinds
    assert unsettled(state(text, *loaded)) == ()


def test_a_number_that_counts_back_is_less_by_what_is_loaded():
    text = "предпоследняя ссылка"
    loaded = (("Hi", "https://b.example"),)
    before = (older(answer("a3", "https://c.example"), 3, 0),)

    (pointer,) = unsettled(state(text, *loaded, first=9))
    assert (pointer.ordinal, pointer.from_end) == (1, True)
    assert ids(text, *loaded, first=9, older=before) == ["a3"]
    assert ids(text, ("https://a.example", "https://b.example"), first=9, older=before) == ["u9"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([LIST, TABLE, CODE, "QX-4417", "мы", "第一步"]), st.text(max_size=30)
        ),
        max_size=5,
    ),
    st.text(
        alphabet="that link step 2 my first message 第一步那个文件 третий шаг 'QX-4417'",
        max_size=60,
    ),
)
def test_whatever_is_said_anchors_are_messages_of_the_path_once_and_the_same(texts, text):
    asked = replace(state("x", ("a", "b")), turns=path(*texts), input=user("now", text))
    known = {m.id: m for turn in asked.turns for m in turn.messages}
    found = resolve(asked)

    assert len({one.message_id for one in found}) == len(found)
    assert all(0 <= one.start <= one.end <= len(known[one.message_id].text) for one in found)
    assert all(0 <= one.pointer_start < one.pointer_end <= len(text) for one in found)
    assert resolve(asked) == found
