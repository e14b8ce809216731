"""From the state to pieces, and from pieces to the request and its account."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from statecore.context.lead import Lead, lead_of
from statecore.context.masks import Masks, masked, masks_of
from statecore.context.occupancy import Load
from statecore.context.repairs import repaired, verbatim
from statecore.context.segments import Decision, Piece, Reason, Segment, Sent
from statecore.context.state import State
from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.templates import Template

_MADE_UP = frozenset({"answer_missing", "tool_result_missing"})


@dataclass(frozen=True, slots=True)
class TurnPieces:
    """The pieces of one turn on offer."""

    id: str
    depth: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """Everything that a request may consist of, before a window is laid over it."""

    lead: Lead
    turns: tuple[TurnPieces, ...]
    input: Piece
    masks: Masks
    """What was removed, and is in none of the pieces."""

    def fixed(self) -> tuple[Piece, ...]:
        """Return what is never cut."""
        return (*self.lead.pieces(), self.input)

    def pieces(self) -> Iterator[Piece]:
        """Yield all pieces: the fixed ones, then the turns from the oldest to the newest."""
        yield from self.fixed()
        for turn in self.turns:
            yield from turn.pieces


def draft(state: State, model: ModelSpec, template: Template) -> Draft:
    """Return the pieces of a state in the form that the model takes."""
    masks = masks_of(state.memory)
    views = masked((repaired(turn, template) for turn in state.turns), masks, template.removed)
    return Draft(
        lead=lead_of(state, model, template),
        turns=tuple(
            TurnPieces(turn.id, turn.depth, view)
            for turn, view in zip(state.turns, views, strict=True)
        ),
        input=Piece(
            kind="input",
            content=verbatim(state.input),
            source_ids=(state.input.id,),
            depth=state.input_depth,
            decision="kept",
            reason="current_input",
            count_id=state.input.id,
            verbatim=True,
        ),
        masks=masks,
    )


def windowed(turns: Sequence[TurnPieces], *, whole_history: bool) -> Iterator[Piece]:
    """Yield the pieces of the turns that are sent, leaving out what comes before a user message."""
    begun = False
    for turn in turns:
        for piece in turn.pieces:
            begun = begun or (piece.decision != "dropped" and piece.content.role == "user")
            if piece.decision == "dropped":
                yield piece
            elif not begun and piece.reason in _MADE_UP:
                continue
            elif not begun:
                yield piece.because("before_first_user", "dropped")
            elif piece.reason == "full_history" and not whole_history:
                yield piece.because("within_window")
            else:
                yield piece


def segment(piece: Piece, load: Load) -> Segment:
    """Return the account of a counted piece."""
    return Segment(
        kind=piece.kind,
        role=piece.content.role,
        source_ids=piece.source_ids,
        tokens=load.tokens,
        quality=load.quality,
        decision=piece.decision,
        reason=piece.reason,
        depth=piece.depth,
    )


def gap(
    turn_ids: tuple[str, ...], load: Load, start_depth: int, decision: Decision, reason: Reason
) -> Segment:
    """Return the account of the turns that the window leaves out."""
    return Segment(
        kind="gap",
        role="user",
        source_ids=turn_ids,
        tokens=load.tokens,
        quality=load.quality,
        decision=decision,
        reason=reason,
        depth=start_depth,
    )


def request(
    pieces: Iterable[Piece], state: State, model: ModelSpec
) -> tuple[Request, tuple[Sent, ...]]:
    """Return the request made of the pieces that are sent, and where its messages come from."""
    # The definitions of tools take up tokens and are no message.
    sent = [piece for piece in pieces if piece.decision != "dropped" and piece.kind != "tools"]
    messages = tuple(piece.content for piece in sent)
    made = Request(model.name, messages, model.reply_reserve_tokens, state.tools)
    origins = tuple(Sent(p.kind, p.depth, p.source_ids[0] if p.verbatim else None) for p in sent)
    return made, origins
