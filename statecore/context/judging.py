"""Judging: which messages of a path are shortened in tier 1, and why the others are not.

A judgement looks at the turns down to a depth and at what the user said next. So the same depth
gives the same judgement for as long as the path goes on, and the requests share their prefix.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from statecore.context.artefacts import Artefacts, artefacts, outline
from statecore.context.digest import digest_of
from statecore.context.given import Given
from statecore.context.looking import looked_at, resolved
from statecore.context.masks import count_id
from statecore.context.references import input_refers, referred
from statecore.context.segments import Piece, Reason
from statecore.context.staleness import stale_results
from statecore.context.state import PathTurn, State
from statecore.context.window import FEWEST_TURNS
from statecore.messages import Message
from statecore.requests import RequestMessage

_DIGEST = "digest"
"""A text that depends on its message alone, so that its count is kept with the message."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a look at the path has found; whether a digest gains anything is up to the counts."""

    depth: int
    """Of the newest turn that was looked at."""
    shorter: Mapping[str, Piece]
    """What may stand for a message, by its id."""
    outlines: Mapping[str, Piece]
    """What may stand for the newest version of an artefact if there is no room for it."""
    whole: Mapping[str, Reason]
    """Why a message is sent as it is, by its id."""


@dataclass(frozen=True, slots=True)
class _Looked:
    """What the rules need to know of the path."""

    untouchable: Mapping[str, Reason]
    referred: frozenset[str]
    stale: frozenset[str]
    versions: Artefacts


def judged(given: Given, depth: int) -> Judgement:
    """Return the judgement of the turns down to a depth.

    Args:
        given: the state and its pieces.
        depth: of one of the turns on offer.
    """
    state = _as_of(given.state, depth)
    looked = _look(given.state, state)
    shorter: dict[str, Piece] = {}
    outlines: dict[str, Piece] = {}
    whole: dict[str, Reason] = {}
    for message in _messages(state.turns[:-FEWEST_TURNS]):
        piece = given.pieces.get(message.id)
        if piece is None or piece.decision == "dropped":
            continue
        verdict = _verdict(message, looked)
        if verdict in _SHORTENING:
            found = _shortened(given, message, piece, verdict)
            if found is None:
                whole[message.id] = "nothing_gained"
            else:
                shorter[message.id] = found
        else:
            whole[message.id] = verdict
        if verdict == "newest_version" and (short := outline(piece.content.text, state.input.text)):
            outlines[message.id] = _own(piece, short, "artefact_outline", "outline")
    return Judgement(depth, shorter, outlines, whole)


_SHORTENING: frozenset[Reason] = frozenset(
    {"tool_result_digest", "tool_result_stale", "answer_digest", "older_version"}
)


def _messages(turns: tuple[PathTurn, ...]) -> Iterator[Message]:
    return (message for turn in turns for message in turn.messages)


def _as_of(state: State, depth: int) -> State:
    """Return the state as it was when the turn at a depth was the newest."""
    turns = tuple(turn for turn in state.turns if turn.depth <= depth)
    if len(turns) == len(state.turns):
        return state
    following = state.turns[len(turns)]
    asked = (message for message in following.messages if message.role == "user")
    return replace(state, turns=turns, input=next(asked, state.input))


def _look(now: State, state: State) -> _Looked:
    entries = [entry for entry in now.memory.entries if entry.depth <= state.input_depth]
    critical = () if now.workflow is None else now.workflow.critical()
    seen = looked_at(state)
    meant = {
        *input_refers(seen.turns, seen.input.text),
        *(anchor.message_id for anchor in resolved(state)),
    }
    # What stands first counts; a later line replaces an earlier one.
    untouchable: dict[str, Reason] = dict.fromkeys(meant, "referred_to")
    for held in critical:
        if held.source is not None:
            untouchable[held.source.message_id] = "workflow_source"
    waiting = tuple(turn for turn in now.turns if not turn.is_learned)
    untouchable |= dict.fromkeys((message.id for message in _messages(waiting)), "not_learned")
    return _Looked(
        untouchable,
        referred(seen.turns, entries),
        stale_results(state.turns),
        artefacts(seen.turns),
    )


def _verdict(message: Message, looked: _Looked) -> Reason:
    if message.role == "user":
        return "user_message"
    if message.id in looked.untouchable:
        return looked.untouchable[message.id]
    if message.role == "tool":
        return "tool_result_stale" if message.id in looked.stale else "tool_result_digest"
    if message.id in looked.versions.newest:
        return "newest_version"
    if message.id in looked.versions.older:
        return "older_version"
    return "referred_to" if message.id in looked.referred else "answer_digest"


def _shortened(given: Given, message: Message, piece: Piece, reason: Reason) -> Piece | None:
    masks = given.draft.masks
    seen = message if piece.verbatim else replace(message, text=piece.content.text)
    text = digest_of(seen)
    # A digest writes some things otherwise, and so could undo a mask.
    if text is None or masks.holds_removed(text):
        return None
    if reason == "tool_result_stale":
        return _own(piece, f"{given.template.stale}\n{text}", reason, "stale")
    return _own(piece, text, reason, _DIGEST if piece.verbatim else "masked")


def _own(piece: Piece, text: str, reason: Reason, kind: str) -> Piece:
    """Return a piece with a text of its own; that of a whole digest is named by its message."""
    old = piece.content
    content = RequestMessage(old.role, text, old.tool_calls, old.tool_call_id)
    is_known = kind == _DIGEST
    return Piece(
        kind=piece.kind,
        content=content,
        source_ids=piece.source_ids,
        depth=piece.depth,
        decision="digested",
        reason=reason,
        count_id=piece.count_id if is_known else count_id(kind, content),
        form="digest" if is_known else "full",
    )
