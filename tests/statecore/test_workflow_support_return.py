"""The return of an order: every move legal, illegal, and at its boundary."""

import pytest

from statecore.workflow.machine import IllegalMove, advance, is_over, legal_moves
from tests.statecore.workflow_builders import given, shipped, walked

RETURN = shipped("support_return")

TOLD = ("order_told_at_once", {"intent": "return", "order_id": "48371", "item": "jacket"})
CONDITION = {"tags_on": "yes", "unworn": "yes"}


def found(requested_on: str) -> tuple[str, dict[str, str]]:
    return "order_found", {
        "item": "jacket, size M",
        "delivered_on": "2026-03-01",
        "requested_on": requested_on,
    }


CHECKING = (TOLD, found("2026-03-10"))
CONFIRMING = (*CHECKING, ("policy_met", CONDITION))


def names(*steps) -> set[str]:
    return {move.name for move in legal_moves(RETURN, walked(RETURN, *steps))}


def made(steps, move, *, confirmed=False, **values):
    return advance(RETURN, walked(RETURN, *steps), move, given(**values), confirmed=confirmed)


def test_a_return_is_walked_to_its_end():
    state = made(CONFIRMING, "resolution_confirmed", confirmed=True, resolution="refund")

    assert (state.step, is_over(RETURN, state)) == ("done", True)
    critical = {held.key: held.value for held in state.critical()}
    assert critical["order_id"] == "48371"
    assert critical["resolution"] == "refund"
    assert "intent" not in critical


def test_the_order_may_be_told_later():
    asked = (("intent_told", {"intent": "exchange"}),)

    assert walked(RETURN, *asked).step == "ask_order_id"
    assert made(asked, "order_told", order_id="48371").step == "fetch_order"


@pytest.mark.parametrize("move", ["intent_told", "order_told_at_once"])
def test_another_intent_leads_no_further(move):
    values = {"intent": "other"} | ({"order_id": "1"} if move == "order_told_at_once" else {})

    with pytest.raises(IllegalMove, match="Only returns and exchanges are handled here"):
        made((), move, **values)


@pytest.mark.parametrize(
    ("steps", "move", "values", "missing"),
    [
        ((), "intent_told", {}, "intent"),
        ((), "order_told_at_once", {"intent": "return"}, "order_id"),
        ((("intent_told", {"intent": "return"}),), "order_told", {}, "order_id"),
        ((TOLD,), "order_found", {"item": "jacket", "delivered_on": "2026-03-01"}, "requested_on"),
        (CHECKING, "policy_met", {"tags_on": "yes"}, "unworn"),
        (CHECKING, "policy_not_met", {"tags_on": "yes"}, "unworn"),
        (CONFIRMING, "resolution_chosen", {}, "resolution"),
        (CONFIRMING, "resolution_confirmed", {}, "resolution"),
    ],
)
def test_a_move_waits_for_what_it_needs(steps, move, values, missing):
    with pytest.raises(IllegalMove, match=f"{missing} is not known yet"):
        made(steps, move, confirmed=True, **values)


@pytest.mark.parametrize("move", ["policy_met", "resolution_confirmed", "order_found"])
def test_no_step_is_skipped(move):
    with pytest.raises(IllegalMove, match="from here lead only"):
        made((), move, confirmed=True)


def test_an_order_that_is_not_found_is_asked_for_again():
    state = made((TOLD,), "order_not_found")

    assert state.step == "ask_order_id"
    assert (
        made((TOLD, ("order_not_found", {})), "order_told", order_id="48372").step == "fetch_order"
    )


@pytest.mark.parametrize(
    ("requested_on", "is_met"),
    [("2026-03-01", True), ("2026-03-14", True), ("2026-03-15", True), ("2026-03-16", False)],
)
def test_fourteen_days_are_the_boundary(requested_on, is_met):
    steps = (TOLD, found(requested_on))

    assert ("policy_met" in names(*steps)) is is_met
    if is_met:
        assert made(steps, "policy_met", **CONDITION).step == "confirm_resolution"
        with pytest.raises(IllegalMove, match="refused only after 14 days"):
            made(steps, "policy_not_met", **CONDITION)
    else:
        with pytest.raises(IllegalMove, match="possible within 14 days of delivery"):
            made(steps, "policy_met", **CONDITION)
        assert made(steps, "policy_not_met").step == "refused"


def test_an_order_is_not_returned_before_it_was_delivered():
    with pytest.raises(IllegalMove, match="before it was delivered"):
        made((TOLD,), *found("2026-02-28")[:1], **found("2026-02-28")[1])


@pytest.mark.parametrize(
    ("condition", "rule"),
    [
        ({"tags_on": "no", "unworn": "yes"}, "The tags must still be on"),
        ({"tags_on": "да", "unworn": "нет"}, "The item must not have been worn"),
    ],
)
def test_the_condition_of_the_item_decides(condition, rule):
    with pytest.raises(IllegalMove, match=rule):
        made(CHECKING, "policy_met", **condition)
    assert made(CHECKING, "policy_not_met", **condition).step == "refused"


def test_the_customer_cannot_tell_the_day_of_delivery():
    with pytest.raises(IllegalMove, match="it brings no value for delivered_on"):
        made(CHECKING, "policy_met", delivered_on="2026-03-10", **CONDITION)


def test_a_resolution_is_confirmed_by_the_customer():
    chosen = (*CONFIRMING, ("resolution_chosen", {"resolution": "exchange"}))

    with pytest.raises(IllegalMove, match="the user has to confirm it first"):
        made(chosen, "resolution_confirmed")
    assert made(chosen, "resolution_confirmed", confirmed=True).step == "done"


def test_a_resolution_that_is_none_is_refused():
    with pytest.raises(IllegalMove, match="must be refund, exchange, store_credit, not 'cash'"):
        made(CONFIRMING, "resolution_chosen", resolution="cash")


@pytest.mark.parametrize("steps", [(), (TOLD,), CHECKING, CONFIRMING])
def test_it_can_be_handed_over_or_cancelled_anywhere(steps):
    assert made(steps, "hand_over").step == "handed_over"
    assert made(steps, "cancel", confirmed=True).step == "cancelled"
    with pytest.raises(IllegalMove, match="confirm"):
        made(steps, "cancel")


def test_every_move_is_tested_here():
    walks = [move.name for move in RETURN.transitions]

    assert walks == [
        "intent_told",
        "order_told_at_once",
        "order_told",
        "order_found",
        "order_not_found",
        "policy_met",
        "policy_not_met",
        "resolution_chosen",
        "resolution_confirmed",
        "hand_over",
        "cancel",
    ]
