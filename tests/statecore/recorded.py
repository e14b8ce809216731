"""One recorded conversation that grows through all tiers of a model with a window of 32,000."""

from dataclasses import dataclass, field, replace

from statecore.context.plan import ContextPlan, PathTurn, Previous, State
from statecore.memory.tombstones import Removed
from statecore.messages import Message, ToolCall
from tests.statecore.builders import (
    answer,
    entry,
    planned,
    previous_of,
    remembered,
    removed,
    result,
    spec,
    state,
    user,
)

MODEL = spec(window_tokens=32_000, reply_reserve_tokens=1_000)
LARGE = spec(window_tokens=128_000, reply_reserve_tokens=1_000)

GOAL = "I want to see the whole coast of Norway by train and by ship."
PASTED = "Minutes of the meeting. " + "Somebody said something again. " * 850
"""A pasted document; the test counts one token a character."""

_OPENING = "The short answer is that day {0} goes from harbour {0} to harbour {1}."
_MORE = (
    "The train takes some hours and passes many tunnels on its way north.",
    "There is a museum near the harbour, and a market in the old town.",
    "Boats leave in the morning and in the evening, weather permitting.",
    "Most people take the evening boat, since the light is better then.",
    "A room with a view costs more, and a cabin without one costs less.",
    "The food on board is simple and there is enough of it for everybody.",
    "Further north the nights are bright in summer and dark in winter.",
    "Bring a warm coat, because the wind on deck is cold in every season.",
    "Tickets are sold at the counter and by the machines at the platform.",
)


def said(depth: int) -> PathTurn:
    """Return a turn of the conversation; every fourth one looks up the fares first."""
    opening = GOAL if depth == 1 else f"And what about day number {depth}, please?"
    messages: list[Message] = [user(f"u{depth}", opening)]
    if depth % 4 == 0:
        call = ToolCall(f"c{depth}", "fares", f'{{"day": {depth}}}')
        messages.append(Message(f"k{depth}", "assistant", "", 0, tool_calls=(call,)))
        fares = ", ".join(f'{{"train": "NSB {number}", "seats": 40}}' for number in range(20))
        listing = f'{{"day": {depth}, "currency": "NOK", "fares": [{fares}]}}'
        messages.append(result(f"r{depth}", f"c{depth}", listing))
    # No two answers say the same, or one would be a version of the other.
    more = (f"{sentence.removesuffix('.')} on day {depth}." for sentence in _MORE)
    text = " ".join((_OPENING.format(depth, depth + 1), *more))
    messages.append(answer(f"a{depth}", text))
    return PathTurn(f"t{depth}", depth, tuple(messages))


@dataclass
class Recorded:
    """The conversation with the plans of its turns, each of which knows the one before."""

    turns: list[PathTurn] = field(default_factory=list)
    plans: list[ContextPlan] = field(default_factory=list)
    removed: tuple[Removed, ...] = ()

    def state(self, text: str) -> State:
        """Return the state in which a text is asked."""
        goal = entry(GOAL, "goal", said_in="u1") if self.turns else None
        memory = remembered(*([goal] if goal else []), removed=self.removed)
        return replace(state(self.turns, text=text), memory=memory)

    @property
    def previous(self) -> Previous | None:
        """What the plan of the newest turn chose."""
        return previous_of(self.plans[-1], MODEL) if self.plans else None

    def asks(self, text: str) -> ContextPlan:
        """Return the plan for a text, which is not answered."""
        return planned(self.state(text), MODEL, previous=self.previous)

    def goes_on(self) -> ContextPlan:
        """Plan the next turn and answer it."""
        turn = said(len(self.turns) + 1)
        made = self.asks(turn.messages[0].text)
        self.turns.append(turn)
        self.plans.append(made)
        return made

    def goes_on_until(self, tier: int) -> ContextPlan:
        """Go on until a plan is of a tier."""
        while (made := self.goes_on()).tier != tier:
            assert len(self.turns) < 200
        return made

    def says(self, text: str) -> ContextPlan:
        """Plan a turn with a text of its own and answer it with one word."""
        depth = len(self.turns) + 1
        made = self.asks(text)
        turn = PathTurn(
            f"t{depth}", depth, (user(f"u{depth}", text), answer(f"a{depth}", "Noted."))
        )
        self.turns.append(turn)
        self.plans.append(made)
        return made

    def goes_back(self, turns: int) -> None:
        """Roll back to the end of an earlier turn."""
        del self.turns[turns:], self.plans[turns:]

    def deletes(self, message_id: str, text: str) -> None:
        """Delete what was said."""
        self.removed = (*self.removed, removed(message_id, text))
