"""Compares rows with the places that the log has for them: at one seq, then across all of them."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from chatapp.store.findings import Finding, FindingKind
from statecore.log import commit_part

PARTS_OF_ROWS: Final = ("input", "output")
"""The parts of transitions that vouch for rows."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the log has rows: the contents that one transition has committed to."""

    seq: int
    created_ms: int
    part: str
    commitment: bytes
    """To the contents of all rows, joined."""
    pieces: tuple[bytes, ...] | None
    """The contents row by row; None where they were erased or are not what was written."""
    is_erased: bool = False
    first_position: int = 0
    turn_id: UUID | None = None
    is_imported: bool = False
    """Its rows were written elsewhere: the times of the transition are not theirs."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row whose contents the log vouches for."""

    id: UUID
    seq: int
    created_ms: int
    body: bytes | None
    """None where its seal does not open."""
    position: int = 0
    """Its order among the rows of one turn."""
    is_redacted: bool = False

    def deviations(self, place: Place) -> Iterator[str]:
        """Yield the names of columns that are not what the log says of this place."""
        raise NotImplementedError


@dataclass(slots=True)
class Rows:
    """The rows of one table beside their places.

    What finds no match at its seq is looked for at the others.
    """

    noun: str
    key: bytes
    """The log key of the key space."""
    findings: list[Finding] = field(default_factory=list)
    _strays: list[Row] = field(default_factory=list)
    _gaps: list[tuple[Place, bytes]] = field(default_factory=list)
    """Places without their row, each with the commitment to what it held."""

    def settle(self, place: Place | None, rows: Sequence[Row]) -> bool:
        """Compare the rows of one seq with their place; whether all stand there as written.

        Args:
            place: None where the log has no rows at this seq.
            rows: By position.
        """
        if place is None:
            self._strays.extend(rows)
            return not rows
        if self._is_whole(place, rows):
            for position, row in enumerate(rows, place.first_position):
                self._compare_columns(row, place, position)
            return True
        self._settle_pieces(place, rows)
        return False

    def end(self, broken: AbstractSet[int]) -> list[Finding]:
        """Return all findings, once every seq was settled.

        Args:
            broken: seqs at which the log itself is not what was written: it vouches for nothing.
        """
        places: dict[bytes, list[Place]] = {}
        for place, commitment in self._gaps:
            places.setdefault(commitment, []).append(place)
        for row in self._strays:
            if row.seq not in broken:
                self._end_stray(row, places)
        for left in places.values():
            for place in left:
                if not place.is_erased:
                    what = f"{self.noun} row"
                    missing = Finding("missing", place.seq, None, place.created_ms, what)
                    self.findings.append(missing)
        return [finding for finding in self.findings if finding.seq not in broken]

    def _is_whole(self, place: Place, rows: Sequence[Row]) -> bool:
        bodies = [row.body for row in rows if row.body is not None and not row.is_redacted]
        if not rows or len(bodies) < len(rows):
            return False
        joined = b"".join(bodies)
        if place.pieces is not None:
            return joined == b"".join(place.pieces)
        return commit_part(self.key, place.part, joined) == place.commitment

    def _settle_pieces(self, place: Place, rows: Sequence[Row]) -> None:
        """Find out which row is which where they are not all as written."""
        if place.pieces is None or len(place.pieces) == 1:
            waiting = [place.commitment]
        else:
            waiting = [commit_part(self.key, place.part, piece) for piece in place.pieces]
        open_places: dict[int, bytes] = dict(enumerate(waiting, place.first_position))
        leftover: list[Row] = []
        for row in rows:
            position = self._position_in(row, place, open_places)
            if row.is_redacted and position is None:
                self._say("erased", row, "words taken out")
                open_places.pop(row.position, None)
            elif row.is_redacted:
                self._say("changed", row, "said to be without its words, and has them")
            elif position is None:
                leftover.append(row)
            else:
                self._compare_columns(row, place, position)
            if position is not None:
                del open_places[position]
        self._strays.extend(leftover)
        self._gaps.extend((place, commitment) for commitment in open_places.values())

    def _position_in(self, row: Row, place: Place, waiting: dict[int, bytes]) -> int | None:
        """Return which of the waiting contents a row has; its own place comes first."""
        if row.body is None:
            return None
        commitment = commit_part(self.key, place.part, row.body)
        if waiting.get(row.position) == commitment:
            return row.position
        return next((at for at, wanted in waiting.items() if wanted == commitment), None)

    def _compare_columns(self, row: Row, place: Place, position: int) -> None:
        if row.position != position:
            self._say("reordered", row, "position")
        deviations = ", ".join(row.deviations(place))
        if deviations:
            self._say("changed", row, deviations)

    def _end_stray(self, row: Row, places: dict[bytes, list[Place]]) -> None:
        for part in PARTS_OF_ROWS if row.body is not None else ():
            there = places.get(commit_part(self.key, part, row.body or b""))
            if there:
                there.pop()
                self._say("reordered", row, "seq")
                return
        for there in places.values():
            at = next((n for n, place in enumerate(there) if place.seq == row.seq), None)
            if at is not None:
                del there[at]
                self._say("changed", row, "body")
                return
        self._say("changed", row, "the log does not speak of it")

    def _say(self, kind: FindingKind, row: Row, what: str) -> None:
        told = f"{self.noun} row: {what}"
        self.findings.append(Finding(kind, row.seq, row.id, row.created_ms, told))
