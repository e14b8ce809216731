"""The log of a conversation: transitions as keyed commitments, each chained to the one before.

It holds no text. Whoever has the key can prove what was said, and that no row was changed, taken
out or moved; without the key the values say nothing.
"""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

FaultKind = Literal["changed", "missing", "reordered"]
"""changed: the row is not the one that was written; missing: no row stands where the chain had
one; reordered: the row is genuine and stands at another place, or under another seq."""


@dataclass(frozen=True, slots=True)
class TransitionRecord:
    """One change of a conversation; a part that does not apply is empty."""

    seq: int
    kind: str
    turn: str | None
    """Id of the turn that it speaks of."""
    created_ms: int
    state_before: bytes = b""
    input: bytes = b""
    request: bytes = b""
    output: bytes = b""
    state_after: bytes = b""
    chain: bytes = b""
    """Commitment to the chain before and to every other field; empty until it is chained."""


@dataclass(frozen=True, slots=True)
class LogFault:
    """One place at which a log is not what was written."""

    seq: int
    """The seq that the row bears; for a missing row the first seq that is gone."""
    kind: FaultKind


def commit_part(key: bytes, part_name: str, body: bytes) -> bytes:
    """Return the commitment to one part of a transition: input, request, output or a state."""
    return _mac(key, b"glassbox.part.1", part_name.encode(), body)


def path_hash_next(key: bytes, parent_hash: bytes, content: bytes) -> bytes:
    """Return the path hash of a turn from that of its parent and its own content."""
    return _mac(key, b"glassbox.path.1", parent_hash, content)


def chain_next(key: bytes, chain_before: bytes, transition: TransitionRecord) -> bytes:
    """Return the chain value of a transition; its own `chain` is not looked at.

    Args:
        key: the log key of the key space.
        chain_before: chain value of the transition before; empty at the first.
        transition: whose fields are chained.
    """
    return _mac(
        key,
        b"glassbox.chain.1",
        chain_before,
        str(transition.seq).encode(),
        transition.kind.encode(),
        b"" if transition.turn is None else transition.turn.encode(),
        str(transition.created_ms).encode(),
        transition.state_before,
        transition.input,
        transition.request,
        transition.output,
        transition.state_after,
    )


def chained(key: bytes, chain_before: bytes, transition: TransitionRecord) -> TransitionRecord:
    """Return the transition with its chain value."""
    return replace(transition, chain=chain_next(key, chain_before, transition))


def _mac(key: bytes, domain: bytes, *fields: bytes) -> bytes:
    # Each field with its length in front: no two lists of fields give the same bytes.
    framed = b"".join(len(field).to_bytes(8, "big") + field for field in (domain, *fields))
    return hmac.digest(key, framed, "sha256")


def unbroken(rows: Iterable[TransitionRecord], key: bytes, *, head: bytes) -> bool:
    """Return whether a log is what was written, holding one row at a time; all are read.

    Args:
        rows: all transitions of a conversation, in the order in which they were read.
        key: the log key of the key space.
        head: chain value that the conversation remembers as its newest.
    """
    before, seq, is_whole = b"", 0, True
    for row in rows:
        expected = chain_next(key, before, row)
        is_whole = is_whole and row.seq > seq and hmac.compare_digest(expected, row.chain)
        before, seq = row.chain, row.seq
    return is_whole and hmac.compare_digest(before, head)


def verify(
    rows: Iterable[TransitionRecord], key: bytes, *, head: bytes | None = None
) -> tuple[LogFault, ...]:
    """Return the faults of a log, by seq; none when it is what was written.

    Args:
        rows: all transitions of a conversation, in the order in which they were read.
        key: the log key of the key space.
        head: chain value that the conversation remembers as its newest. Without it rows that are
            missing at the end cannot be seen.
    """
    read = list(rows)
    ordered = sorted(read, key=lambda row: row.seq)
    moved = {
        LogFault(row.seq, "reordered")
        for row, there in zip(read, ordered, strict=True)
        if row.seq != there.seq
    }
    walk = _Walk(key, ordered, head)
    while walk.waiting:
        walk.step()
    return tuple(sorted(moved | walk.end(), key=lambda fault: (fault.seq, fault.kind)))


SEARCH_FACTOR = 50
"""Comparisons a row that are spent on finding out where rows have moved to."""


class _Walk:
    """Follows the chain from row to row, and looks for the right one where the next is wrong."""

    def __init__(self, key: bytes, ordered: list[TransitionRecord], head: bytes | None) -> None:
        self.waiting = ordered[::-1]
        """Rows not yet placed, the next one last."""
        self._key = key
        self._head = head
        self._before = b""
        self._seq = 1
        self._strays: list[TransitionRecord] = []
        self._faults: set[LogFault] = set()
        self._tries_left = SEARCH_FACTOR * (len(ordered) + 1)

    def step(self) -> None:
        """Place the next row, or say what is wrong with it."""
        row = self.waiting[-1]
        if row.seq >= self._seq and self._follows(row):
            self._place(self.waiting.pop())
        elif found := self._search():
            self._take_out(found)
            if found.seq != self._seq:
                self._fault(found.seq, "reordered")
            self._place(replace(found, seq=self._seq))
        elif row.seq < self._seq:
            self._strays.append(self.waiting.pop())
        elif row.seq > self._seq:
            self._fault(self._seq, "missing")
            self._place(self.waiting.pop())
        else:
            self._fault(row.seq, "changed")
            self._place_changed(self.waiting.pop())

    def end(self) -> set[LogFault]:
        """Return all faults, once no row is waiting."""
        for row in self._strays:
            self._fault(row.seq, "changed")
        if self._head is not None and self._before != self._head:
            self._fault(self._seq, "missing")
        return self._faults

    def _follows(self, row: TransitionRecord) -> bool:
        return hmac.compare_digest(chain_next(self._key, self._before, row), row.chain)

    def _search(self) -> TransitionRecord | None:
        for row in (*reversed(self.waiting), *self._strays):
            if self._tries_left == 0:
                return None
            self._tries_left -= 1
            if self._follows(replace(row, seq=self._seq)):
                return row
        return None

    def _take_out(self, row: TransitionRecord) -> None:
        (self.waiting if row in self.waiting else self._strays).remove(row)

    def _place(self, row: TransitionRecord) -> None:
        self._before = row.chain
        self._seq = row.seq + 1

    def _place_changed(self, row: TransitionRecord) -> None:
        # Was a field changed or the chain value itself? What comes after holds on to the old one.
        true_chain = chain_next(self._key, self._before, row)
        self._place(row)
        following = self.waiting[-1] if self.waiting else None
        if following is None:
            chain_changed = self._head is not None and self._head == true_chain
        else:
            chain_changed = chain_next(self._key, true_chain, following) == following.chain
        if chain_changed:
            self._before = true_chain

    def _fault(self, seq: int, kind: FaultKind) -> None:
        self._faults.add(LogFault(seq, kind))
