"""The tree of turns: branches, paths and what follows from parent pointers alone."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from statecore.errors import InvalidInput

NAMED_FORK_LIMIT = 3
"""How many named forks may be nested, by default."""

Parents = Mapping[str, str | None]
"""Turn id -> id of its parent; None at a root."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A reference to a turn; nothing is copied when one is made."""

    id: str
    left_branch: str | None
    """The branch that it left; None for the first of a conversation."""
    tip: str | None
    """The newest committed turn; None before the first."""
    version: int
    """Counts accepts: a post names the version that it was typed on."""
    active_turn: str | None = None
    """The turn that has reserved the head; None when the branch is free."""
    is_named: bool = False
    """Named by a person; alternatives by editing or regenerating are not."""


@dataclass(frozen=True, slots=True)
class BranchClock:
    """What tells branch time: wall time less the pauses in which a node was left.

    Session fields expire by it, so that coming back to a node restores what was left of them.
    """

    tip_branch_ms: int | None = None
    """Branch time at which the newest turn was accepted; None before the first."""
    tip_accepted_ms: int = 0
    """Wall time of the same."""
    clock_ms: int | None = None
    """Branch time when the tip was last come back to, or left; None where it has never been."""
    clock_set_ms: int | None = None
    """Wall time at which branch time went on from there; None while it stands still."""

    def at(self, now_ms: int) -> int:
        """Return the branch time at a wall time; it never goes back behind the newest turn."""
        if self.clock_ms is not None:
            passed_ms = 0 if self.clock_set_ms is None else now_ms - self.clock_set_ms
            return max(self.clock_ms + max(0, passed_ms), self.tip_branch_ms or 0)
        if self.tip_branch_ms is None:
            return now_ms
        return self.tip_branch_ms + max(0, now_ms - self.tip_accepted_ms)


@dataclass(frozen=True, slots=True)
class Path:
    """The turns from the root to a tip."""

    turn_ids: tuple[str, ...]
    """The root first; empty before the first turn."""

    @property
    def depth(self) -> int:
        """Number of turns, which is the depth of the tip."""
        return len(self.turn_ids)


class MessageTokens(NamedTuple):
    """Tokens of one message under the reference tokenizer, in both forms."""

    reference: int
    digest: int


@dataclass(frozen=True, slots=True)
class Sums:
    """Running sums from the root to the end of a turn."""

    messages: int = 0
    reference_tokens: int = 0
    digest_tokens: int = 0


def extend(parent: Sums, counts: Iterable[MessageTokens]) -> Sums:
    """Return the sums at the end of a turn from those of its parent and its own messages."""
    own = tuple(counts)
    return Sums(
        parent.messages + len(own),
        parent.reference_tokens + sum(count.reference for count in own),
        parent.digest_tokens + sum(count.digest for count in own),
    )


def path_to(tip: str | None, parents: Parents) -> Path:
    """Return the path to a turn.

    Raises:
        InvalidInput: when a parent is not among the turns given, or the pointers form a ring.
    """
    return Path(tuple(_upwards(tip, parents))[::-1])


def common_ancestor(one: str | None, other: str | None, parents: Parents) -> str | None:
    """Return the newest turn on both paths, or None when they share none.

    Raises:
        InvalidInput: as `path_to`.
    """
    on_path = set(_upwards(one, parents))
    return next((turn for turn in _upwards(other, parents) if turn in on_path), None)


def _upwards(turn: str | None, parents: Parents, noun: str = "turn") -> Iterator[str]:
    steps_left = len(parents)
    while turn is not None:
        if turn not in parents:
            raise InvalidInput(f"{noun} {turn} is not in the tree")
        if steps_left == 0:
            raise InvalidInput(f"{noun} {turn} is its own ancestor")
        steps_left -= 1
        yield turn
        turn = parents[turn]


Landing = Literal["lands", "busy", "moved_on"]
"""lands: the post becomes a turn; busy: an answer to the same version is being written; moved_on:
the branch has taken another post since."""


def landing(branch: Branch, version: int) -> Landing:
    """Return what becomes of a post that was typed on a version of a branch."""
    if branch.version != version:
        return "moved_on"
    return "lands" if branch.active_turn is None else "busy"


def named_depth(branch_id: str | None, branches: Mapping[str, Branch]) -> int:
    """Return how many named forks are nested down to a branch, itself included.

    Raises:
        InvalidInput: when a branch is not among those given, or they form a ring.
    """
    parents = {branch.id: branch.left_branch for branch in branches.values()}
    return sum(branches[found].is_named for found in _upwards(branch_id, parents, "branch"))


def may_fork(branch_id: str, branches: Mapping[str, Branch], limit: int = NAMED_FORK_LIMIT) -> bool:
    """Return whether a named fork may leave a branch."""
    return named_depth(branch_id, branches) < limit


def deepest_named_depth(branch_id: str, branches: Mapping[str, Branch]) -> int:
    """Return how many named forks are nested at most on the lines that go through a branch.

    Raises:
        InvalidInput: as `named_depth`.
    """
    parents = {branch.id: branch.left_branch for branch in branches.values()}
    below: dict[str, int | None] = {branch_id: 0}
    for one in branches:
        line: list[str] = []
        count: int | None = None
        for found in _upwards(one, parents, "branch"):
            if found in below:
                count = below[found]
                break
            line.append(found)
        for name in reversed(line):
            count = None if count is None else count + branches[name].is_named
            below[name] = count
    return named_depth(branch_id, branches) + max(filter(None, below.values()), default=0)
