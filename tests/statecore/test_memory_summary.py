"""The short version: what comes first when not everything fits."""

import pytest

from statecore.language.terms import terms
from statecore.memory import summary
from statecore.memory.summary import ranked
from tests.statecore.builders import entry


def order(*entries, said="Hello"):
    return [found.entry.text for found in ranked(entries, said)]


def reasons(*entries, said="Hello"):
    return {found.entry.text: found.reason for found in ranked(entries, said)}


def test_the_lines_come_in_a_fixed_order_whatever_was_said_last():
    kinds = ["assumption", "fact", "question", "decision", "rule", "goal"]
    entries = [entry(kind, kind, seq=9 - number) for number, kind in enumerate(kinds)]

    assert order(*entries) == ["goal", "rule", "decision", "question", "fact", "assumption"]


@pytest.mark.parametrize(
    ("kind", "group"),
    [
        ("agreement", "agreement"),
        ("decision", "agreement"),
        ("promise", "open"),
        ("task", "open"),
        ("question", "open"),
        ("fact", "other"),
        ("preference", "other"),
        ("step", "other"),
    ],
)
def test_each_kind_has_its_line(kind, group):
    (found,) = ranked([entry("It is so.", kind)], "")

    assert found.group == group


def test_the_latest_agreement_stands_before_newer_decisions_and_older_agreements():
    old, latest = entry("old", "agreement", seq=1), entry("latest", "agreement", seq=3)
    newer = entry("newer", "decision", seq=5)

    assert order(old, newer, latest) == ["latest", "newer", "old"]


def test_what_a_person_touched_comes_first_in_its_line():
    rules = [entry(f"rule {number}", "rule", seq=number) for number in range(3)]
    added = entry("added", "rule", seq=0, author="user", quote="")
    edited = entry("now", "rule", seq=-1, quote="before")
    pinned = entry("pinned", "rule", seq=-2, pinned=True)

    assert order(*rules, pinned, edited, added, entry("goal", "goal")) == [
        "goal",
        "added",
        "now",
        "pinned",
        "rule 2",
        "rule 1",
        "rule 0",
    ]
    assert reasons(pinned, edited, added) == {
        "pinned": "pinned",
        "now": "edited",
        "added": "added",
    }


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("Which hotel was it?", "The hotel is near the station."),
        ("Сколько стоит гостиница?", "Гостиница стоит 900 евро."),
        ("酒店怎么样？", "酒店在车站旁边。"),
    ],
)
def test_what_the_input_names_comes_before_what_is_newer(said, named):
    old, newer = entry(named, seq=1), entry("Tea, no milk.", seq=7)

    assert order(newer, old, said=said) == [named, "Tea, no milk."]
    assert reasons(newer, old, said=said) == {
        named: "named_by_input",
        "Tea, no milk.": "newest",
    }


def test_of_the_rest_the_newest_comes_first():
    entries = [entry(f"fact {number}", seq=number) for number in (2, 5, 3)]

    assert order(*entries) == ["fact 5", "fact 3", "fact 2"]


@pytest.mark.parametrize("status", ["paused", "superseded", "resolved", "deleted"])
def test_what_does_not_hold_is_not_given_back(status):
    assert order(entry("before", "goal", status=status, pinned=True)) == []


def test_both_sides_of_a_conflict_are_given_back():
    assert len(order(entry("one", status="in_conflict"), entry("two", status="in_conflict"))) == 2


def test_what_is_asked_around_a_pasted_document_is_heard_and_the_document_is_not(monkeypatch):
    read = []
    monkeypatch.setattr(summary, "terms", lambda text: read.append(len(text)) or terms(text))
    pasted = "filler " * 60_000
    entries = [entry("The jacket is blue."), entry("The parcel is late."), entry("filler", seq=9)]

    before = reasons(*entries, said=f"What of the jacket?\n{pasted}")
    behind = reasons(*entries, said=f"{pasted}\nWhat of the parcel?")

    assert before["The jacket is blue."] == behind["The parcel is late."] == "named_by_input"
    assert max(read) <= summary.ASKED_CHARS + 1
