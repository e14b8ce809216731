"""Where the turns of a page stand among the seqs that it tells."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from statecore.contract.page_form import Page, PageTurn


class TurnSeqs(NamedTuple):
    """When a turn was accepted and committed."""

    accepted: int
    committed: int
    """The newest seq that is free where it is not committed."""


def turn_seqs(page: Page, turns: Sequence[PageTurn]) -> list[TurnSeqs]:
    """Return the seqs of turns by depth.

    Each takes the first free seqs after the turn before and after what people did before it, where
    that leaves room for what came later: a person may have acted while an answer was written. The
    seqs that turns really had are free, so that there is always room.
    """
    known = _known(page)
    deltas = {delta.turn: delta.seq for delta in page.memory.deltas}
    depths = {turn.id: turn.depth for turn in turns}
    acts = [(depths.get(act.turn or "", 0), act.seq) for act in page.memory.operations]
    used = {*deltas.values(), *known.values(), *(seq for _, seq in acts)}
    latest = _latest(turns, known, deltas, used)
    found: list[TurnSeqs] = []
    for turn, last in zip(turns, latest, strict=True):
        done = max((seq for depth, seq in acts if depth < turn.depth), default=0)
        before = found[-1].committed if found else 0
        first = _free(max(before, done), used, step=1)
        accepted = known.get(turn.depth, min(first, last.accepted))
        found.append(TurnSeqs(accepted, _free(accepted, used, step=1)))
    return found


def _latest(
    turns: Sequence[PageTurn], known: Mapping[int, int], deltas: Mapping[str, int], used: set[int]
) -> list[TurnSeqs]:
    """Return the last seqs that leave room for everything that came later."""
    end = max(used, default=0) + 2 * len(turns) + 1
    found: list[TurnSeqs] = []
    for turn in reversed(turns):
        end = min(end, deltas.get(turn.id, end))
        committed = _free(end, used, step=-1)
        end = known.get(turn.depth, _free(committed, used, step=-1))
        found.append(TurnSeqs(end, committed))
    return found[::-1]


def _free(seq: int, used: set[int], *, step: int) -> int:
    """Return the nearest seq that nothing told has, after or before one."""
    seq += step
    while seq in used:
        seq += step
    return seq


def _known(page: Page) -> dict[int, int]:
    """Return the seqs at which turns were accepted, by depth, as far as memory tells."""
    said = {
        entry.depth: entry.said_seq
        for entry in page.memory.entries
        if entry.sources and entry.said_seq
    }
    for act in page.memory.operations:
        depth, said_seq = act.action.get("depth"), act.action.get("said_seq")
        if act.kind == "add" and isinstance(depth, int) and isinstance(said_seq, int):
            said.setdefault(depth, said_seq)
    return said
