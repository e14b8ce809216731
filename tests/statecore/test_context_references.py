"""What something later refers to is found by quotations, exact values, names and sources."""

import pytest

from statecore.context.references import input_refers, referred
from tests.statecore.builders import answer, entry, result, turn, user

FIRST = (
    "The ferry leaves at noon, and the cabin has two beds. Ask for it under XK-40417 at the desk."
)
LONG = (
    "Dear Ms Lindqvist, thank you for the offer of the flat in Birch Street. We would like to take "
    "it from the first of June. The kitchen should be painted before we move in, and the balcony "
    "door needs a new lock. Please send us the contract, and tell us when we can collect the keys. "
    "We will bring the deposit to your office, in cash if you like, on any afternoon of next week. "
    "Kind regards from all of us."
)


def chat(*texts: str):
    """Return turns of an input and an answer each, from texts in turns."""
    pairs = zip(texts[::2], texts[1::2], strict=True)
    return [
        turn(depth, user(f"u{depth}", asked), answer(f"a{depth}", answered))
        for depth, (asked, answered) in enumerate(pairs, start=1)
    ]


@pytest.mark.parametrize(
    "said",
    [
        'You wrote "the cabin has two beds", is that right?',
        "> The ferry leaves at noon,  and the cabin has two beds.\nReally?",
        "What do I say with xk-40417?",
        "Ask for «under XK-40417 at the desk» then?",
    ],
)
def test_a_later_input_refers_by_quotation_or_value(said):
    assert referred(chat("Hi.", FIRST, "Thanks.", "Good.", said, "Yes."), ()) == {"a1"}


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("Вылет рейсом SU-2314 из второго терминала.", "А SU-2314 не задержан?"),
        ("我推荐您读《平凡的世界》这本书。", "《平凡的世界》是谁写的？"),
        ("请先打开设置里的网络选项。", "“打开设置里的网络”在哪里？"),
        ("Use parse_rows for it.", "What does parse_rows return?"),
        ("Put it into notes/plan.md then.", "I have changed notes/plan.md."),
        ("You could ask a guide such as Marit Solberg.", "And what does Marit Solberg cost?"),
    ],
)
def test_names_and_values_refer_in_every_language(told, said):
    assert referred(chat("?", told, said, "Yes."), ()) == {"a1"}


def test_results_of_tools_are_referred_to():
    first = turn(1, user("u1", "?"), answer("c", "", calls=("k",)), result("r", "k", "id 4837152"))
    assert referred([first, *chat("And 4837152?", "Yes.")], ()) == {"r"}


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("Read https://example.org/ferry first.", "Is that link still good?"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "Добавь строку в ту таблицу."),
        ("做法：\n1. 洗菜\n2. 切菜\n3. 下锅", "第二步要多久？"),
    ],
)
def test_phrases_refer_to_the_newest_message_with_such_a_thing(told, said):
    turns = chat("?", told, "Thanks.", "Good.", said, "Yes.")
    assert referred(turns, ()) == {"a1"}
    assert referred(chat("?", "Nothing.", said, told), ()) == set()


def test_common_words_refer_to_nothing():
    assert (
        referred(chat("Hi.", FIRST, "Is there a cabin on the ferry at noon?", "Yes."), ()) == set()
    )


def test_what_several_messages_said_refers_to_none_of_them():
    turns = chat("Hi.", FIRST, "Sure?", "Yes, XK-40417.", "So XK-40417 it is.", "Yes.")
    # The second message was never asked about: by then the value stood in both.
    assert referred(turns, ()) == set()


def test_what_is_only_said_later_refers_to_nothing_before():
    assert referred(chat("I have XK-40417.", "Good.", "Hi.", FIRST), ()) == set()


def test_the_latest_message_with_the_quoted_words_is_meant():
    turns = chat("Hi.", FIRST, "Once more.", FIRST, 'Is "the cabin has two beds" right?', "Yes.")
    assert referred(turns, ()) == {"a2"}


def test_live_entries_refer_to_their_sources():
    turns = chat("Hi.", FIRST, "Thanks.", "Good.")
    live, done = entry("Ask for it.", said_in="a1"), entry("Good.", said_in="a2", status="resolved")
    assert referred(turns, (live, done, entry("Elsewhere.", said_in="gone"))) == {"a1"}


@pytest.mark.parametrize(
    "asked",
    [
        "The same but shorter",
        "continue",
        "go on please",
        "As above, for Bergen",
        "Так же, но короче",
        "продолжай",
        "Короче",
        "继续",
        "再短一点",
        "同样的再来一个",
    ],
)
def test_going_on_refers_to_the_newest_answer(asked):
    assert input_refers(chat("Hi.", FIRST, "And?", "It is fine."), asked) == {"a2"}


def test_a_change_refers_to_what_is_under_revision_as_well():
    changed = LONG.replace("June", "July")
    turns = chat("Write.", LONG, "Change it to July.", changed, "Thanks.", "You are welcome.")
    assert input_refers(turns, "Make it shorter") == {"a2", "a3"}


def test_an_input_refers_by_value_and_quotation():
    turns = chat("Hi.", FIRST, "And?", "It is fine.")
    assert input_refers(turns, "Where do I show XK-40417?") == {"a1"}
    assert input_refers(turns, 'You said "the cabin has two beds"') == {"a1"}


def test_an_input_of_its_own_refers_to_nothing():
    assert input_refers(chat("Hi.", FIRST), "What is the capital of Norway?") == set()


def test_nothing_is_referred_to_before_anything_was_said():
    assert input_refers((), "continue") == set()
    assert referred((), ()) == set()


@pytest.mark.parametrize(
    "text",
    ["a" * 200_000, "aB" * 50_000, "a.b" * 50_000, "《" * 50_000, "> " * 50_000, "A-a " * 50_000],
    ids=range(6),
)
def test_long_odd_texts_are_read_in_their_stride(text):
    """Anything that grows with the square of the length would not come to an end here."""
    turns = chat("Hi.", text, text, "Yes.")
    assert referred(turns, ()) <= {"a1"}
    assert input_refers(turns, text) <= {"a1", "a2"}
