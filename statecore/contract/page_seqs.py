"""Where the turns of a page stand among the seqs that it tells."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from statecore.contract.page_form import Page, PageTurn


class TurnSeqs(NamedTuple):
    """When a turn was accepted and committed."""

    accepted: int
    committed: int
    """The newest seq that is free where it is not committed."""


def turn_seqs(page: Page, turns: Sequence[PageTurn]) -> list[TurnSeqs]:
    """Return the seqs of turns by depth.

    Each takes the first free seqs after the turn before and after what people did before it. The
    seqs that it had are free and lie no earlier, so that there is always room.
    """
    return list(_given(page, turns))


def _given(page: Page, turns: Sequence[PageTurn]) -> Iterator[TurnSeqs]:
    known = _known(page)
    deltas = {delta.turn: delta.seq for delta in page.memory.deltas}
    depths = {turn.id: turn.depth for turn in turns}
    acts = [(depths.get(act.turn or "", 0), act.seq) for act in page.memory.operations]
    used = {*deltas.values(), *known.values(), *(seq for _, seq in acts)}
    before = 0
    for turn in turns:
        latest = deltas.get(turn.id, known.get(turn.depth + 1))
        done = max((seq for depth, seq in acts if depth < turn.depth), default=0)
        found = _free(known.get(turn.depth), max(before, done), used)
        if latest is not None and found.committed > latest:
            # A person acted while the answer was being written.
            found = _free(known.get(turn.depth), before, used)
        used |= set(found)
        before = found.committed
        yield found


def _free(accepted: int | None, after: int, used: set[int]) -> TurnSeqs:
    first = _next_free(after, used) if accepted is None else accepted
    return TurnSeqs(first, _next_free(first, used))


def _next_free(after: int, used: set[int]) -> int:
    seq = after + 1
    while seq in used:
        seq += 1
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
