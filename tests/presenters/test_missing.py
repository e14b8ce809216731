"""What binds and was not sent: counted, linked, and a warning only where it still holds."""

from chatapp.presenters.missing import lacks, present_missing
from tests.web import memory_samples, samples, wire_samples

PLACES = memory_samples.places()


def card(missing):
    attempt = samples.attempt(missing=missing)
    return present_missing(attempt, memory_samples.memory(), PLACES)


def test_what_is_missing_is_counted_by_kind_those_that_hold_first():
    shown = card(list(reversed(wire_samples.MISSING)))

    assert [(str(group.label), group.count) for group in shown.groups] == [
        ("Rules", 1),
        ("Exact values", 2),
    ]
    values = shown.groups[1].items
    assert [(item.view.text, item.is_active) for item in values] == [
        ("The budget is 900 euros, not 1,200.", True),
        ("The budget is 1,200 euros.", False),
    ]
    assert [link.label for link in values[0].view.sources] == ["turn 5"]


def test_it_warns_of_what_still_holds():
    shown = card(wire_samples.MISSING)

    assert shown.is_warning
    assert shown.sentence == (
        "2 things that you said and that still hold were not in this request."
    )


def test_what_does_not_hold_any_more_is_no_warning():
    shown = card(wire_samples.MISSING[2:])

    assert not shown.is_warning
    assert shown.sentence.startswith("Only things that do not hold any more")
    assert lacks(samples.attempt(missing=wire_samples.MISSING[2:])) == ""


def test_nothing_missing_is_said_too():
    shown = card([])

    assert (shown.is_warning, shown.groups) == (False, ())
    assert shown.sentence.startswith("Nothing:")


def test_turns_that_nobody_has_read_are_named_and_nothing_is_denied():
    unread = {"entry_id": "", "kind": "unread", "is_active": True, "turns": 39}

    shown = card([unread])

    assert shown.is_warning
    assert shown.groups == ()
    assert shown.sentence == "39 turns are not read yet; what they hold may be missing."
    assert lacks(samples.attempt(missing=[unread])) == ""


def test_what_is_missing_is_told_before_what_nobody_has_read():
    unread = {"entry_id": "", "kind": "unread", "is_active": True, "turns": 1}

    shown = card([*wire_samples.MISSING, unread])

    assert shown.sentence == (
        "2 things that you said and that still hold were not in this request."
        " 1 turn is not read yet; what it holds may be missing."
    )


def test_an_entry_that_memory_does_not_hold_any_more_is_counted_all_the_same():
    missing = [{"entry_id": "nobody", "kind": "refusal", "is_active": True}]

    shown = present_missing(samples.attempt(missing=missing), None, {})

    assert shown.groups[0].items[0].view.text == "(no longer there)"
