"""What an input repeats word for word finds its message, if it is long or rare enough."""

import pytest

from statecore.context.mentioned import named_again, quoted_again
from statecore.context.spoken import Spoken
from statecore.context.state import PathTurn, State
from tests.statecore.builders import answer, user


def spoken(*texts):
    turns = tuple(
        PathTurn(f"t{n}", n, (user(f"u{n}", asked), answer(f"a{n}", answered)))
        for n, (asked, answered) in enumerate(texts, 1)
    )
    return Spoken(State(None, turns, user("now", "x")))


def quoted(text, *texts):
    return [one.found.said.message.id for one in quoted_again(spoken(*texts), text)]


def named(text, *texts):
    return [one.found.said.message.id for one in named_again(spoken(*texts), text)]


def test_the_newest_message_that_holds_a_quotation_is_meant():
    texts = (("We meet at noon.", "Yes."), ("Again: we  meet\nat noon!", "Yes."))

    assert quoted("Why “We meet at noon”?", *texts) == ["u2"]


@pytest.mark.parametrize("text", ["Is “noon” right?", "“noon,”", "“中午”", "We meet at noon."])
def test_a_short_quotation_or_none_means_nothing(text):
    assert quoted(text, ("We meet at noon, 中午见。", "noon")) == []


def test_chinese_quotations_may_be_shorter():
    assert quoted("“中午见面”好吗", ("我们中午见面。", "好")) == ["u1"]


def test_a_quotation_keeps_its_place_in_the_input():
    text = "Hm, «we meet at noon» no"
    (one,) = quoted_again(spoken(("We meet at noon.", "Yes.")), text)

    assert text[one.start : one.end] == "«we meet at noon»"


@pytest.mark.parametrize(
    "name",
    ["QX-4417", "report_2.pdf", "load_rows", "parseDate", "RowLoader", "me@a.example", "88231"],
)
def test_a_rare_name_means_the_message_that_alone_has_it(name):
    texts = (("Hello", "Hi"), (f"Take {name}, please.", "Done."), ("And now?", "Rest."))

    assert named(f"What of {name}?", *texts) == ["u2"]


def test_within_a_turn_the_first_to_say_it_is_meant():
    assert named("QX-4417?", ("It is QX-4417.", "Noted: QX-4417.")) == ["u1"]


@pytest.mark.parametrize("text", ["What about 12?", "And the year 2024?", "the boat", "QX-441?"])
def test_what_is_not_rare_or_not_the_same_means_nothing(text):
    assert named(text, ("12 boats in 2024, QX-4417", "the boat")) == []
