"""Replays a dialogue: the state before each of its turns, and the request that a plan makes of it.

Memory learns by rules alone, one delta a turn, as the application does it without a model.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bench.dialogues import Dialogue
from chatapp.llm.templates import chat_template
from chatapp.llm.tokenizers import REFERENCE, count_reference
from statecore.context.digest import digest_of
from statecore.context.occupancy import MESSAGE_OVERHEAD_TOKENS, REPLY_OVERHEAD_TOKENS
from statecore.context.plan import ContextPlan, DoesNotFit, NeedCounts, Planner
from statecore.context.policy import LARGE_TOKENS
from statecore.context.state import PathTurn, Previous, State
from statecore.context.strategies import ELASTIC, Strategy
from statecore.messages import Message, counted_text
from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.state.fold import EMPTY, Memory, fold
from statecore.state.learning import TurnTexts, delta_of
from statecore.state.operations import Delta
from statecore.tokens import Count, CountKey

TURN_MS = 60_000
"""Between two turns."""
RESERVE_DIVISOR = 8
MOST_RESERVED_TOKENS = 4_096

Outcome = ContextPlan | DoesNotFit


def spec(window_tokens: int) -> ModelSpec:
    """Return a model with a window of this size whose tokens are counted exactly."""
    return ModelSpec(
        name=f"window of {window_tokens}",
        endpoint="",
        remote_name="",
        window_tokens=window_tokens,
        reply_reserve_tokens=min(window_tokens // RESERVE_DIVISOR, MOST_RESERVED_TOKENS),
        tokenizer=REFERENCE,
    )


@dataclass
class Replay:
    """One dialogue as the application would hold it."""

    dialogue: Dialogue
    turns: list[PathTurn] = field(init=False)
    tokens: list[int] = field(init=False)
    """Of each turn, with the overhead of its messages."""
    _deltas: list[Delta] = field(init=False, default_factory=list)
    _memories: list[Memory] = field(init=False)
    _counts: dict[CountKey, Count] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Cut the dialogue into turns and count them."""
        pairs = enumerate(self.dialogue.pairs, start=1)
        self.turns = [
            PathTurn(f"t{depth}", depth, (_user(depth, one.asked), _answer(depth, one.answered)))
            for depth, one in pairs
        ]
        self.tokens = [sum(map(_tokens, turn.messages)) for turn in self.turns]
        self._memories = [EMPTY]

    def __len__(self) -> int:
        """Return how many turns there are."""
        return len(self.turns)

    def memory(self, number: int) -> Memory:
        """Return what the first `number` turns taught."""
        while len(self._memories) <= number:
            self._learn(self.turns[len(self._memories) - 1])
        return self._memories[number]

    def _learn(self, turn: PathTurn) -> None:
        before = self._memories[-1]
        last = self.turns[turn.depth - 2].messages[1] if turn.depth > 1 else None
        texts = TurnTexts(
            turn_id=turn.id,
            depth=turn.depth,
            said_seq=2 * turn.depth - 1,
            branch_ms=turn.depth * TURN_MS,
            question=turn.messages[0],
            answer=turn.messages[1],
            before=last,
            finish="complete",
        )
        delta = delta_of(texts, before, None, seq=2 * turn.depth, model="", note="no_model")
        self._deltas.append(delta)
        self._memories.append(fold(self._deltas, (), as_of=delta.seq))

    def state(self, number: int, window_tokens: int) -> State:
        """Return the state in which the turn after the first `number` ones begins.

        Args:
            number: of turns before it.
            window_tokens: of the model; the application reads no more than can be sent.
        """
        first = self._first(number, window_tokens)
        return State(
            system=None,
            turns=tuple(self.turns[first:number]),
            input=self.turns[number].messages[0],
            earlier_turns=first,
            earlier_tokens=sum(self.tokens[:first]),
            memory=self.memory(number),
            branch_now_ms=(number + 1) * TURN_MS,
            last_turn_ms=number * TURN_MS,
            earlier_messages=2 * first,
        )

    def _first(self, number: int, window_tokens: int) -> int:
        """Return the first turn to read: all where they may be sent whole or shortened."""
        is_wide = window_tokens >= LARGE_TOKENS
        if 2 * sum(self.tokens[:number]) <= window_tokens:
            return 0
        if is_wide and 4 * sum(self._shortest[:number]) <= 3 * window_tokens:
            return 0
        first, held = number, 0
        while first > 0 and held + self.tokens[first - 1] <= window_tokens:
            first -= 1
            held += self.tokens[first]
        return first

    @cached_property
    def _shortest(self) -> list[int]:
        return [sum(map(_shortest_tokens, turn.messages)) for turn in self.turns]

    def plan(
        self,
        number: int,
        model: ModelSpec,
        previous: Previous | None,
        strategy: Strategy = ELASTIC,
    ) -> Outcome:
        """Return the plan of the turn after the first `number` ones."""
        state = self.state(number, model.window_tokens)
        planner = Planner(state, model, chat_template(), previous, strategy)
        while True:
            outcome = planner.plan(self._counts)
            if not isinstance(outcome, NeedCounts):
                return outcome
            counts = (Count(count_reference(text), "exact") for text in outcome.texts)
            self._counts |= dict(zip(outcome.keys, counts, strict=True))

    def walk(
        self, model: ModelSpec, numbers: Sequence[int], strategy: Strategy = ELASTIC
    ) -> Iterator[tuple[int, Outcome]]:
        """Yield the plans of turns in order, each with what the one before chose."""
        previous: Previous | None = None
        for number in numbers:
            outcome = self.plan(number, model, previous, strategy)
            if isinstance(outcome, ContextPlan):
                previous = previous_of(outcome, model)
            yield number, outcome


def request_tokens(request: Request) -> int:
    """Return the tokens of a request by an exact count of its messages."""
    texts = (counted_text(one.text, one.tool_calls) for one in request.messages)
    messages_tokens = sum(count_reference(text) + MESSAGE_OVERHEAD_TOKENS for text in texts)
    return messages_tokens + REPLY_OVERHEAD_TOKENS


def previous_of(plan: ContextPlan, model: ModelSpec) -> Previous:
    """Return what a plan leaves to the next one."""
    return Previous(
        tier=plan.tier,
        window_start_depth=plan.window_start_depth,
        window_tokens=model.window_tokens,
        tokenizer=model.tokenizer,
        template_hash=chat_template().hash,
        judged_depth=plan.judged_depth,
        settled=plan.settled,
    )


def _user(depth: int, text: str) -> Message:
    return Message(f"u{depth}", "user", text, depth * TURN_MS)


def _answer(depth: int, text: str) -> Message:
    return Message(f"a{depth}", "assistant", text, depth * TURN_MS)


def _tokens(message: Message) -> int:
    return count_reference(message.text) + MESSAGE_OVERHEAD_TOKENS


def _shortest_tokens(message: Message) -> int:
    return count_reference(digest_of(message) or message.text) + MESSAGE_OVERHEAD_TOKENS
