"""What stands for turns that memory has not learned yet and the window does not show."""

from dataclasses import replace

import pytest

from statecore.context import waiting
from statecore.context.plan import ContextPlan
from statecore.language.sentences import sentences
from tests.statecore.builders import answer, chat, planned, spec, state, turn, user


@pytest.fixture(autouse=True)
def _nothing_read_before():
    waiting._quotable.cache_clear()


def turns_that_wait(*said):
    first = [
        replace(turn(depth, user(f"u{depth}", text), answer(f"a{depth}", "Yes.")), is_learned=False)
        for depth, text in enumerate(said, start=1)
    ]
    return [*first, *chat(*[(45, 45)] * 40, first_depth=len(said) + 1)]


def line(made: ContextPlan) -> str:
    """Return the line of the notes that speaks of these turns."""
    texts = "\n".join(message.text for message in made.request.messages)
    return next(found for found in texts.splitlines() if found.startswith("Not summarised yet: "))


@pytest.mark.parametrize(
    "words", ["Never call me. ", "Никогда не звони. ", "不要打电话。", "a. \n"]
)
def test_of_long_messages_only_the_begin_is_read_and_only_once(words, monkeypatch):
    read = []
    monkeypatch.setattr(
        waiting, "sentences", lambda text: read.append(len(text)) or sentences(text)
    )
    turns = turns_that_wait(*[f"{number}. {words * 40_000}" for number in range(12)])

    planned(state(turns), spec(window_tokens=2_000))
    planned(state(turns), spec(window_tokens=2_000))

    assert 0 < sum(read) <= 2 * waiting.WAITING_CHARS


def test_a_sentence_that_the_reading_cuts_is_not_quoted():
    said = "We go to Oslo. " + "a" * waiting.MESSAGE_CHARS + " ends here."

    made = planned(state(turns_that_wait(said)), spec(window_tokens=2_000))

    assert line(made) == 'Not summarised yet: "We go to Oslo."'


def test_a_sentence_that_ends_with_what_is_read_is_quoted():
    begin = "We go to Oslo. Never call me by phone"
    said = begin + "!" * (waiting.MESSAGE_CHARS - len(begin))

    made = planned(
        state(turns_that_wait(said)), spec(window_tokens=200_000, reply_reserve_tokens=9)
    )

    assert made.tier == 0
    assert waiting._quotable(said)[0].text == "We go to Oslo."
    assert len(waiting._quotable(said)) == len(sentences(said))


def test_the_newest_turns_are_read_first():
    said = [f"Hello number {number} " + "b" * 1_400 for number in range(60)]

    made = planned(state(turns_that_wait(*said)), spec(window_tokens=2_000))

    told = [found.id for found in (*made.selected, *made.left_out)]
    assert told[0] == "waiting:t60"
    assert told[-1] == "waiting:t1"
    assert "waiting:t30" not in told
    assert abs(len(told) - 2 * waiting.WAITING_CHARS // len(said[-1])) <= 1


@pytest.mark.parametrize(
    "rule",
    [
        "Never write to my old address.",
        "Никогда не пишите на мой старый адрес.",
        "永远不要写到我的旧地址。",
    ],
)
def test_a_rule_of_an_old_turn_comes_before_the_first_words_of_newer_ones(rule):
    chatter = [f"Hello there number {number}, how is it going then" for number in range(20)]

    made = planned(state(turns_that_wait(rule, *chatter)), spec(window_tokens=1_600))

    assert line(made).startswith(f'Not summarised yet: "{rule}"')
    assert made.left_out, "not everything has room"


def test_a_pasted_log_does_not_push_a_rule_out():
    log = "\n".join(f"river {number} flows past lake and hill, slowly" for number in range(80))
    pasted = f"What is in this log?\n```\n{log}\n```"

    made = planned(
        state(turns_that_wait("Never write to my old address.", *[pasted] * 6)),
        spec(window_tokens=4_096),
    )

    assert "Never write to my old address." in line(made)
