"""Rules alone give a list of messages its memory."""

from statecore.explain.learning import learned
from tests.statecore.builders import answer, turn, user


def test_sentences_are_kept_word_for_word_with_their_source():
    turns = (turn(1, user("u1", "Hello! Never share my plan with Bo."), answer("a1", "Fine.")),)

    memory = learned(turns)

    (entry,) = memory.active()
    assert (entry.kind, entry.text, entry.author) == (
        "rule",
        "Never share my plan with Bo.",
        "rules",
    )
    assert (entry.sources[0].message_id, entry.depth) == ("u1", 1)
    assert memory.is_learned("t1", 1)


def test_a_correction_takes_the_place_of_what_it_takes_back():
    turns = (
        turn(1, user("u1", "My budget is 1,200 euros."), answer("a1", "Noted.")),
        turn(2, user("u2", "Tell me about stews."), answer("a2", "They are hot.")),
        turn(3, user("u3", "Correction: my budget is 900 euros, not 1,200."), answer("a3", "Ok.")),
    )

    memory = learned(turns)

    old, new = (entry for entry in memory.entries if "budget" in entry.text)
    assert (old.status, old.superseded_by) == ("superseded", new.id)
    assert new.status == "active"


def test_a_value_that_was_corrected_twice_has_one_active_entry():
    turns = (
        turn(1, user("u1", "My budget is 1,200 euros."), answer("a1", "Noted.")),
        turn(2, user("u2", "Correction: my budget is 900 euros, not 1,200."), answer("a2", "Ok.")),
        turn(3, user("u3", "Correction: my budget is 700 euros, not 900."), answer("a3", "Ok.")),
    )

    active = [entry.text for entry in learned(turns).active() if "budget" in entry.text]

    assert active == ["Correction: my budget is 700 euros, not 900."]


def test_turns_without_a_user_message_teach_nothing():
    assert learned((turn(1, answer("a1", "Always metric units.")),)).entries == ()
    assert learned(()).entries == ()


def test_three_languages_are_read():
    turns = (
        turn(1, user("u1", "Никогда не показывай мой план Боре."), answer("a1", "Хорошо.")),
        turn(2, user("u2", "请不要把我的计划告诉小王。"), answer("a2", "好的。")),
    )

    assert [entry.kind for entry in learned(turns).active()] == ["rule", "rule"]
