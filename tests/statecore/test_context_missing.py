"""What matters most and is not in the request is named, with what it is."""

import pytest

from statecore.context.missing import Missing, missing
from statecore.context.selection import LeftOut, Selected
from tests.statecore.builders import entry


def kind_of(text: str, kind="fact"):
    found = missing([entry(text, kind)], (), ())
    return found[0].kind if found else None


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("Actually, I meant Tuesday, not Monday.", "fact", "correction"),
        ("Нет, я имел в виду вторник, а не понедельник.", "fact", "correction"),
        ("不对，我说的是星期二。", "fact", "correction"),
        ("Never call me after eight.", "rule", "refusal"),
        ("Не звони мне после восьми.", "rule", "refusal"),
        ("不要打电话给我。", "rule", "refusal"),
        ("Always answer in English.", "rule", "rule"),
        ("The booking code is XK-40417.", "fact", "value"),
        ("Номер заказа 4837152.", "fact", "value"),
        ("订单号是4837152。", "fact", "value"),
        ("My sister lives in Oslo.", "fact", None),
    ],
)
def test_it_says_what_is_missing(text, kind, expected):
    assert kind_of(text, kind) == expected


def test_what_replaced_another_entry_is_a_correction():
    old = entry("It is 900.", id="old", status="superseded", superseded_by="new")
    assert missing([old, entry("It is 1200 now.", id="new")], (), ()) == (
        Missing("new", "correction", is_active=True),
    )


def test_what_was_replaced_is_missing_but_not_active():
    old = entry("The code is XK-40417.", id="old", status="superseded", superseded_by="new")
    assert Missing("old", "value", is_active=False) in missing([old], (), ())


@pytest.mark.parametrize(
    ("status", "is_active"), [("active", True), ("in_conflict", True), ("paused", False)]
)
def test_only_what_holds_is_active(status, is_active):
    (found,) = missing([entry("Always answer in English.", "rule", status=status)], (), ())
    assert found.is_active == is_active


def test_what_was_deleted_is_not_missing():
    assert missing([entry("Always answer briefly.", "rule", status="deleted")], (), ()) == ()


def test_what_the_request_holds_is_not_missing():
    rules = [entry("Always answer briefly.", "rule", id=id_) for id_ in ("in", "seen", "over")]
    left_out = (LeftOut("seen", "visible"), LeftOut("over", "over_limit"))
    found = missing(rules, left_out, (Selected("in", "rule", "rule"),))
    assert [one.entry_id for one in found] == ["over"]
