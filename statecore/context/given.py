"""What a plan is given, and what is worked out of it once for all tiers."""

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from statecore.context import render, state_block
from statecore.context.counting import Scale
from statecore.context.note_items import fact_items, held_items
from statecore.context.occupancy import (
    MESSAGE_OVERHEAD_TOKENS,
    REPLY_LOAD,
    budget_tokens,
    text_room_tokens,
)
from statecore.context.policy import still_counts
from statecore.context.repairs import verbatim
from statecore.context.segments import Piece
from statecore.context.state import Previous, State
from statecore.context.tuning import USUAL, Tuning
from statecore.messages import Message
from statecore.models import ModelSpec
from statecore.templates import Template

Made = TypeVar("Made")


class Given:
    """State, model and template of a plan; nothing in here depends on the tier."""

    def __init__(
        self,
        state: State,
        model: ModelSpec,
        template: Template,
        previous: Previous | None,
        tuning: Tuning = USUAL,
    ) -> None:
        """Arguments as those of `plan`."""
        self.tuning = tuning
        self.state = state
        self.model = model
        self.template = template
        self.previous = still_counts(previous, model, template)
        """The plan before; None where it says nothing here."""
        self.draft = render.draft(state, model, template)
        self.scale = Scale(model)
        self._made: dict[tuple[str, int], Any] = {}
        self.held = held_items(state)
        self.facts = fact_items(state, self.draft.masks)
        self.held_piece = (
            state_block.piece_of(self.held, state, model, template.notes) if self.held else None
        )
        """A block that holds only what is never cut."""

    def need(self) -> None:
        """Make sure that everything verbatim can be weighed.

        Raises:
            CountsMissing: with all that has to be counted.
        """
        held = () if self.held_piece is None else (self.held_piece,)
        self.scale.need(chain(self.draft.pieces(), held, self.older_pieces.values()))

    def once(self, name: tuple[str, int], make: Callable[[], Made]) -> Made:
        """Return what was made under a name in an earlier round, or make it.

        Args:
            name: of what depends on nothing but what is given.
            make: makes it.
        """
        if name not in self._made:
            self._made[name] = make()
        found: Made = self._made[name]
        return found

    @cached_property
    def fixed_tokens(self) -> int:
        """Guarded tokens of what is always sent, without the state block."""
        return self.scale.guarded_tokens(self.draft.fixed()) + REPLY_LOAD.guarded_tokens

    @cached_property
    def held_tokens(self) -> int:
        """Tokens of the text of a block that holds only what is never cut."""
        if self.held_piece is None:
            return 0
        return self.scale.load(self.held_piece).tokens - MESSAGE_OVERHEAD_TOKENS

    @cached_property
    def least_tokens(self) -> int:
        """Guarded tokens of the smallest request that there can be."""
        held = () if self.held_piece is None else (self.held_piece,)
        return self.fixed_tokens + self.scale.guarded_tokens(held)

    @property
    def budget_tokens(self) -> int:
        """The most that any prompt may take up."""
        return budget_tokens(self.model)

    @cached_property
    def turn_tokens(self) -> tuple[int, ...]:
        """Guarded tokens of each turn on offer, oldest first."""
        return tuple(self.scale.guarded_tokens(turn.pieces) for turn in self.draft.turns)

    @cached_property
    def pieces(self) -> Mapping[str, Piece]:
        """The pieces of the turns on offer by the message that they come from."""
        return {
            piece.source_ids[0]: piece
            for turn in self.draft.turns
            for piece in turn.pieces
            if piece.source_ids and piece.decision != "injected"
        }

    @cached_property
    def messages(self) -> Mapping[str, Message]:
        """All messages that were loaded, by id."""
        loaded = {message.id: message for turn in self.state.turns for message in turn.messages}
        return {found.message.id: found.message for found in self.state.older} | loaded

    @cached_property
    def older_pieces(self) -> Mapping[str, Piece]:
        """Messages before the turns on offer as pieces to be weighed, by id."""
        return {
            found.message.id: Piece(
                kind="message",
                content=verbatim(found.message),
                source_ids=(found.message.id,),
                depth=found.depth,
                decision="kept",
                reason="full_history",
                count_id=found.message.id,
                verbatim=True,
            )
            for found in self.state.older
        }

    def depth_at(self, index: int) -> int:
        """Return the depth of a turn on offer; that of the input behind the last one."""
        turns = self.draft.turns
        return turns[index].depth if index < len(turns) else self.state.input_depth

    def text_room_tokens(self, room_tokens: int) -> int:
        """Return what the text of a block may have beyond what is never cut.

        Args:
            room_tokens: guarded, for the whole block as a message.
        """
        return max(0, text_room_tokens(room_tokens) - self.held_tokens)
