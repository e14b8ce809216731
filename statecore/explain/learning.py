"""What rules alone learn from a list of messages, so that a plan has a summary to send."""

from collections.abc import Iterable, Mapping

from statecore.context.state import PathTurn
from statecore.memory.corrections import taken_back
from statecore.memory.ledger import Entry, entry_id
from statecore.messages import Message
from statecore.state.fold import EMPTY, Memory, fold
from statecore.state.learning import TurnTexts, delta_of
from statecore.state.operations import Delta

NOTE = "rules_only"


def learned(turns: Iterable[PathTurn]) -> Memory:
    """Return what the rule layer remembers at the end of a path; no model is asked.

    Args:
        turns: of the path from the root, oldest first.
    """
    deltas: list[Delta] = []
    known: dict[str, Entry] = {}
    for turn in turns:
        asked = [message for message in turn.messages if message.role == "user"]
        if asked:
            delta = _delta(_texts(turn, asked[0]), known)
            _remember(known, delta)
            deltas.append(delta)
    return fold(deltas, (), as_of=deltas[-1].seq) if deltas else EMPTY


def _texts(turn: PathTurn, asked: Message) -> TurnTexts:
    answers = [message for message in turn.messages if message.role == "assistant"]
    answer = answers[-1] if answers else None
    return TurnTexts(
        turn_id=turn.id,
        depth=turn.depth,
        said_seq=2 * turn.depth - 1,
        branch_ms=asked.created_ms,
        question=asked,
        answer=answer,
        before=None,
        finish=answer.finish if answer else "stopped",
    )


def _delta(texts: TurnTexts, known: Mapping[str, Entry]) -> Delta:
    seq = 2 * texts.depth
    found = delta_of(texts, EMPTY, None, seq=seq, model="", note=NOTE)
    if not any(taken_back(one.text) for one in found.learned):
        return found
    # Only what takes something back looks at what was learned before.
    memory = Memory(entries=tuple(known.values()))
    return delta_of(texts, memory, None, seq=seq, model="", note=NOTE)


def _remember(known: dict[str, Entry], delta: Delta) -> None:
    """Keep what may be taken back later; folding after each turn would cost its square."""
    for one in delta.learned:
        for name in one.supersedes:
            known.pop(name, None)
        name = entry_id(one.span)
        known[name] = Entry(
            id=name,
            kind=one.kind,
            text=one.text,
            quote=one.text,
            sources=(one.span,),
            author=one.author,
            status="active",
            seq=delta.seq,
            said_seq=delta.said_seq,
            depth=delta.depth,
        )
