"""Memory as rules alone would have it, for turns that a memory model has still to read.

People see at once what was heard of their words; plans do not need it, because such turns stay
verbatim in the window or are quoted as they are.
"""

from collections.abc import Iterable
from dataclasses import replace

from statecore.state.fold import Memory, fold
from statecore.state.learning import TurnTexts, delta_of
from statecore.state.operations import Delta


def foreseen(memory: Memory, turns: Iterable[TurnTexts]) -> Memory:
    """Return memory with what rules find in turns without a delta.

    What is only foreseen has a seq later than `as_of`; ids and sources are those that the delta
    will bring, so that what a person does to it holds then too.

    Args:
        memory: at the end of the path.
        turns: of the path, without a delta, oldest first.
    """
    deltas: list[Delta] = []
    found = memory
    for turn in turns:
        seq = memory.as_of + len(deltas) + 1
        deltas.append(delta_of(turn, found, None, seq=seq, model="", note=""))
        found = fold(deltas, memory.operations, as_of=seq, start=memory.path)
    return replace(found, as_of=memory.as_of, path=memory.path) if deltas else memory
