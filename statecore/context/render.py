"""From the state to pieces, and from pieces to the request and its account."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from statecore.context.masks import Masks, masked, masks_of
from statecore.context.occupancy import Load
from statecore.context.repairs import repaired, verbatim
from statecore.context.segments import Piece, Segment, Sent
from statecore.context.state import State
from statecore.messages import Role
from statecore.models import ModelSpec
from statecore.requests import Request, RequestMessage
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

    system: Piece | None
    turns: tuple[TurnPieces, ...]
    input: Piece
    masks: Masks
    """What was removed, and is in none of the pieces."""

    def leading(self) -> tuple[Piece, ...]:
        """Return what stands before the history."""
        return () if self.system is None else (self.system,)

    def fixed(self) -> tuple[Piece, ...]:
        """Return what is never cut."""
        return (*self.leading(), self.input)

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
        system=_system(state, model, template),
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


def _system(state: State, model: ModelSpec, template: Template) -> Piece | None:
    message = state.system
    text = template.system if message is None else message.text
    if not text:
        return None
    # "developer" is only another name, which the adapter writes; "user" changes what is sent.
    role: Role = "user" if model.role_style == "user" else "system"
    content = RequestMessage(role, text)
    return Piece(
        kind="system",
        content=content,
        source_ids=() if message is None else (message.id,),
        depth=0,
        decision="injected" if message is None else "kept",
        reason="system_prompt",
        count_id=template.count_id("system") if message is None else message.id,
        verbatim=message is not None and content == verbatim(message),
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
                yield replace(piece, decision="dropped", reason="before_first_user")
            elif piece.reason == "full_history" and not whole_history:
                yield replace(piece, reason="within_window")
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


def gap(turn_ids: tuple[str, ...], load: Load, start_depth: int) -> Segment:
    """Return the account of the turns that the window leaves out."""
    return Segment(
        kind="gap",
        role="user",
        source_ids=turn_ids,
        tokens=load.tokens,
        quality=load.quality,
        decision="dropped",
        reason="outside_window",
        depth=start_depth,
    )


def request(pieces: Iterable[Piece], model: ModelSpec) -> tuple[Request, tuple[Sent, ...]]:
    """Return the request made of the pieces that are sent, and where its messages come from."""
    sent = [piece for piece in pieces if piece.decision != "dropped"]
    made = Request(model.name, tuple(p.content for p in sent), model.reply_reserve_tokens)
    origins = tuple(Sent(p.kind, p.depth, p.source_ids[0] if p.verbatim else None) for p in sent)
    return made, origins
