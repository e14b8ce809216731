"""Builds deltas, operations and whole histories of memory for the tests of the core."""

from dataclasses import dataclass, field

from hypothesis import strategies as st

from statecore.memory.ledger import Span, entry_id
from statecore.memory.session import Expiry
from statecore.state.operations import (
    Action,
    Add,
    Delete,
    Delta,
    Edit,
    FieldSet,
    Learned,
    Operation,
    Pin,
    Rejected,
    RemoveField,
    SetField,
    Target,
    Undo,
)

LATEST = 10_000


def span(place: str) -> Span:
    """Read "m1:0-9"."""
    message_id, offsets = place.split(":")
    start, end = offsets.split("-")
    return Span(message_id, int(start), int(end))


def learned(place: str, text: str, kind="fact", *, supersedes=(), author="rules") -> Learned:
    return Learned(span(place), kind, text, author, tuple(supersedes))


def delta(turn: int, seq: int, *items: Learned, said: int | None = None, **more) -> Delta:
    """Return what the turn at a depth taught; said at twice its depth unless told."""
    said_seq = 2 * turn if said is None else said
    base = Delta(f"t{turn}", seq, turn, said_seq, branch_ms=1000 * turn, learned=items)
    return Delta(**({name: getattr(base, name) for name in base.__slots__} | more))


def target(place: str, text: str = "") -> Target:
    return Target(place, (span(place),), text)


def op(seq: int, action: Action, depth: int = 1) -> Operation:
    return Operation(seq, f"t{depth}" if depth else None, depth, action, created_ms=seq)


SENTENCES = (
    "Budget is 900.",
    "budget is 900",
    "Отель в Риме.",
    "отель в риме",
    "不要海鲜。",
    "不要海鲜",
)
TEXTS = st.sampled_from(SENTENCES)
KINDS = st.sampled_from(("fact", "goal", "rule"))
KEYS = st.sampled_from(("current_goal", "step"))


@dataclass
class History:
    """What happened on one path, in order of seq."""

    turns: list[int] = field(default_factory=list)
    """Seq at which each turn was accepted."""
    deltas: list[Delta] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    last_seq: int = 0

    @property
    def learned_depths(self) -> set[int]:
        return {delta.depth for delta in self.deltas}


@st.composite
def histories(draw) -> History:
    """Draw turns, their deltas early, late or never, and operations of every kind between."""
    history = History()
    for step in draw(st.lists(st.sampled_from("ttdddoooo"), max_size=22)):
        waiting = [
            depth
            for depth in range(1, len(history.turns) + 1)
            if depth not in history.learned_depths
        ]
        if step == "t":
            history.last_seq += 1
            history.turns.append(history.last_seq)
        elif step == "d" and waiting:
            history.last_seq += 1
            history.deltas.append(_delta(draw, history, draw(st.sampled_from(waiting))))
        elif step == "o":
            history.last_seq += 1
            action = _action(draw, history)
            depth = len(history.turns)
            history.operations.append(op(history.last_seq, action, depth))
    return history


def _places(depth: int) -> list[Span]:
    return [Span(f"m{depth}", start, start + 8) for start in (0, 10, 20)]


def _delta(draw, history: History, depth: int) -> Delta:
    known = sorted({entry_id(item.span) for it in history.deltas for item in it.learned})
    known += [f"op:{it.seq}" for it in history.operations if isinstance(it.action, Add)]
    items = []
    for place in draw(st.lists(st.sampled_from(_places(depth)), unique=True, max_size=3)):
        named = draw(st.lists(st.sampled_from(known), max_size=1)) if known else []
        items.append(Learned(place, draw(KINDS), draw(TEXTS), "rules", tuple(named)))
    fields = ()
    if draw(st.booleans()):
        source = items[0].span if items else None
        value = items[0].text if items else draw(TEXTS)
        fields = (FieldSet(draw(KEYS), value, Expiry("idle", 5), source),)
    rejected = (Rejected(Span(f"m{depth}", 30, 38), "", "fact", "secret"),) * draw(
        st.integers(0, 1)
    )
    said_seq = history.turns[depth - 1]
    return Delta(
        f"t{depth}", history.last_seq, depth, said_seq, 100 * depth, tuple(items), rejected, fields
    )


def _action(draw, history: History) -> Action:
    kinds = ["add", "set", "remove"]
    kinds += ["edit", "delete", "delete", "pin"] if history.turns else []
    kinds += ["undo", "undo"] if history.operations else []
    match draw(st.sampled_from(kinds)):
        case "add":
            action = _add(draw, history)
        case "set":
            action = SetField(FieldSet(draw(KEYS), draw(TEXTS)), branch_ms=history.last_seq)
        case "remove":
            action = RemoveField(draw(KEYS))
        case "undo":
            action = Undo(draw(st.sampled_from([it.seq for it in history.operations])))
        case "edit":
            action = Edit(_target(draw, history), draw(TEXTS))
        case "delete":
            action = Delete(_target(draw, history))
        case _:
            action = Pin(_target(draw, history), draw(st.booleans()))
    return action


def _add(draw, history: History) -> Add:
    places = [it for depth in range(1, len(history.turns) + 1) for it in _places(depth)]
    where = draw(st.none() | st.sampled_from(places)) if places else None
    said = None
    if where is not None and draw(st.booleans()):
        said = history.turns[int(where.message_id[1:]) - 1]
    return Add(draw(KINDS), draw(TEXTS), where, said_seq=said)


def _target(draw, history: History) -> Target:
    added = [f"op:{it.seq}" for it in history.operations if isinstance(it.action, Add)]
    if added and draw(st.booleans()):
        return Target(draw(st.sampled_from(added)), (), draw(TEXTS))
    depths = range(1, len(history.turns) + 1)
    places = [it for depth in depths for it in _places(depth)]
    sources = draw(st.lists(st.sampled_from(places), min_size=1, max_size=2, unique=True))
    # another way of cutting sentences moves the span
    moved = draw(st.integers(0, 4))
    first = sources[0]
    sources[0] = first._replace(start=first.start + moved, end=first.end + moved)
    return Target(entry_id(first), tuple(sources), draw(st.just("") | TEXTS))
