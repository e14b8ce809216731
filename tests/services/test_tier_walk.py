"""One conversation walks through the tiers in the application; each turn's marker says so."""

from dataclasses import replace

import pytest

from chatapp.presenters.tiers import tier_change
from chatapp.selectors.turns import turn_row
from chatapp.services.commits import turn_interrupt
from tests.statecore.recorded import GOAL, said
from tests.support.people import MODEL, accept, new_process, prepare, say
from tests.support.remembering import learn

pytestmark = pytest.mark.django_db

SMALL = replace(MODEL, window_tokens=32_000, reply_reserve_tokens=1_000)
LARGE = replace(SMALL, name="large", window_tokens=200_000)
PASTED = "Minutes of the meeting. " + "Somebody said something again. " * 4_700
ASIDE = "We have been looking forward to this for quite a while now. "
MOST_TURNS = 120


class Walk:
    """A conversation that goes on until its tier changes."""

    def __init__(self, access) -> None:
        self._access, self._process, self._depth = access, new_process(), 0

    def goes_on(self):
        """Take one turn that teaches its question, and return its attempt."""
        self._depth += 1
        question, *_, answer = said(self._depth).messages
        # Eight answers in one, so that the walk is short.
        text = " ".join(f"{part}. {answer.text}" for part in range(1, 9))
        asked = f"{question.text} {ASIDE * 20}"
        turn_id = say(self._access, asked, text, self._process, SMALL)
        kind = "goal" if self._depth == 1 else "fact"
        learn(self._access, turn_id, kind, text=question.text)
        return self._attempt(turn_id)

    def goes_on_until(self, tier: int):
        for _ in range(MOST_TURNS):
            attempt = self.goes_on()
            if attempt.tier == tier:
                return attempt
        raise AssertionError(f"tier {tier} never came")

    def asks(self, text: str, model=SMALL):
        """Ask without an answer; return the attempt and its request."""
        turn_id = accept(self._access, text, self._process).turn_id
        prepared = prepare(turn_id, self._process, model)
        attempt = self._attempt(turn_id)
        turn_interrupt(turn_id, owner=self._process)
        return attempt, prepared.request

    def _attempt(self, turn_id):
        return turn_row(self._access, turn_id).attempts[-1]


def test_markers_say_where_the_tier_changed_and_what_it_came_to(cast):
    walk = Walk(cast.access)

    first = walk.goes_on()
    assert (first.tier, tier_change(first)) == (0, "")

    digested = walk.goes_on_until(1)
    assert tier_change(digested).startswith("tier 0 → 1: ")
    assert digested.planned_tokens < digested.tokens_before
    assert {"digested"} <= {segment["decision"] for segment in digested.segments}
    assert digested.window_start_depth == 1 < digested.verbatim_depth

    windowed = walk.goes_on_until(2)
    assert tier_change(windowed).startswith("tier 1 → 2: ")
    assert windowed.planned_tokens < windowed.tokens_before
    assert windowed.window_start_depth > 1
    assert windowed.dropped_turns == windowed.window_start_depth - 1
    assert "gap" in {segment["kind"] for segment in windowed.segments}

    last, request = walk.asks(PASTED)
    assert tier_change(last).startswith("tier 2 → 3: ")
    assert GOAL in request.messages[-2].text
    assert request.messages[-1].text == PASTED

    again, _ = walk.asks("Go on, please.")
    assert (again.tier, tier_change(again)) == (2, "")

    whole, request = walk.asks("Go on, please.", LARGE)
    assert tier_change(whole).startswith("tier 2 → 0: ")
    assert {segment["decision"] for segment in whole.segments} <= {"kept", "injected"}
    assert whole.dropped_turns == 0
    assert request.messages[1].text.startswith(GOAL)
