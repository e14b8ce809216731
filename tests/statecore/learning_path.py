"""A conversation that is learned by the rules alone, turn after turn, as without a memory model."""

from dataclasses import dataclass, field

from statecore.context.plan import ContextPlan, PathTurn, Previous
from statecore.models import ModelSpec
from statecore.state.fold import EMPTY, Memory, fold
from statecore.state.learning import TurnTexts, delta_of
from statecore.state.operations import Delta
from tests.statecore.builders import answer, planned, previous_of, state, turn, user


@dataclass
class LearningPath:
    """Turns with their plans and what they taught."""

    model: ModelSpec
    turns: list[PathTurn] = field(default_factory=list)
    plans: list[ContextPlan] = field(default_factory=list)
    deltas: list[Delta] = field(default_factory=list)
    memory: Memory = EMPTY

    def asks(self, text: str) -> ContextPlan:
        """Return the plan for a text that is not answered."""
        return planned(self._state(text), self.model, previous=self._previous)

    def says(self, asked: str, answered: str) -> ContextPlan:
        """Plan a turn, answer it, and learn from it."""
        made = self.asks(asked)
        depth = len(self.turns) + 1
        before = self.turns[-1].messages[-1] if self.turns else None
        said = turn(depth, user(f"u{depth}", asked), answer(f"a{depth}", answered))
        texts = TurnTexts(
            turn_id=said.id,
            depth=depth,
            said_seq=2 * depth - 1,
            branch_ms=1_000 * depth,
            question=said.messages[0],
            answer=said.messages[1],
            before=before,
            finish="complete",
        )
        learned = delta_of(texts, self.memory, None, seq=2 * depth, model="", note="no_model")
        self.deltas.append(learned)
        self.memory = fold(self.deltas, (), as_of=learned.seq)
        self.turns.append(said)
        self.plans.append(made)
        return made

    def _state(self, text: str):
        return state(self.turns, text=text, memory=self.memory)

    @property
    def _previous(self) -> Previous | None:
        return previous_of(self.plans[-1], self.model) if self.plans else None
