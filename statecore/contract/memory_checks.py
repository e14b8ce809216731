"""How the memory of a contract holds together, and with its turns."""

from collections.abc import Mapping, Sequence

from statecore.contract.places import Steps, wrong
from statecore.contract.schema import Contract, ContractTurn
from statecore.state.operations import Add, Delta, Operation, Undo, scope_of


def check_memory(contract: Contract) -> None:
    """Let a memory pass whose deltas and operations belong to the turns and to each other.

    Raises:
        InvalidInput: naming the first place where they do not.
    """
    acts = contract.memory.acts()
    turns = {turn.id: turn for turn in contract.turns if turn.is_committed}
    _check_seqs(contract, acts)
    learned: set[str] = set()
    for number, delta in enumerate(contract.memory.deltas):
        place: Steps = ("memory", "deltas", number)
        if delta.turn_id in learned:
            raise wrong((*place, "turn_id"), f"turn {delta.turn_id} has a delta already")
        learned.add(delta.turn_id)
        _check_delta(delta, turns, place)
    known: set[int] = set()
    for number, act in enumerate(acts):
        _check_act(act, turns, known, ("memory", "operations", number))
        known.add(act.seq)


def _check_seqs(contract: Contract, acts: Sequence[Operation]) -> None:
    taken = {
        seq: f"turn {turn.depth}"
        for turn in contract.turns
        for seq in (turn.accepted_seq, turn.committed_seq)
        if seq is not None
    }
    rows = (
        ("deltas", [delta.seq for delta in contract.memory.deltas]),
        ("operations", [act.seq for act in acts]),
    )
    for name, seqs in rows:
        before = 0
        for number, seq in enumerate(seqs):
            place: Steps = ("memory", name, number, "seq")
            if seq <= before:
                raise wrong(place, f"the seq {seq} does not come after {before}")
            if seq in taken:
                raise wrong(place, f"the seq {seq} is that of {taken[seq]} already")
            taken[seq] = f"{name} {number + 1}"
            before = seq


def _check_delta(delta: Delta, turns: Mapping[str, ContractTurn], place: Steps) -> None:
    turn = turns.get(delta.turn_id)
    if turn is None:
        raise wrong((*place, "turn_id"), f"there is no committed turn {delta.turn_id}")
    for name, value in (
        ("depth", turn.depth),
        ("said_seq", turn.accepted_seq),
        ("branch_ms", turn.branch_ms),
    ):
        if getattr(delta, name) != value:
            raise wrong((*place, name), f"is {getattr(delta, name)}, and {value} in its turn")
    if turn.committed_seq is not None and delta.seq < turn.committed_seq:
        raise wrong((*place, "seq"), f"turn {turn.depth} was committed later")


def _check_act(
    act: Operation, turns: Mapping[str, ContractTurn], known: set[int], place: Steps
) -> None:
    if isinstance(act.action, Undo) and act.action.seq not in known:
        said = f"no operation {act.action.seq} came before"
        raise wrong((*place, "action", "undo", "seq"), said)
    if isinstance(act.action, Add) and not 0 <= (act.action.depth or 0) <= len(turns):
        said = f"there is no turn of depth {act.action.depth}"
        raise wrong((*place, "action", "add", "depth"), said)
    if act.turn_id is None:
        if act.depth != 0:
            raise wrong((*place, "depth"), "an operation before the first turn has depth 0")
        return
    turn = turns.get(act.turn_id)
    if turn is None and scope_of(act.action) == "path":
        raise wrong((*place, "turn_id"), f"there is no committed turn {act.turn_id}")
    if turn is not None and act.depth != turn.depth:
        raise wrong((*place, "depth"), f"is {act.depth}, and {turn.depth} in its turn")
