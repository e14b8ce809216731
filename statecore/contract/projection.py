"""The readable part of a contract's memory: what its deltas and operations come to."""

from collections.abc import Sequence

from statecore.contract.places import Steps, wrong
from statecore.contract.schema import Contract, ContractMemory
from statecore.memory.ledger import Entry
from statecore.memory.session import Field


def projected(contract: Contract) -> Contract:
    """Return a contract with summary and session beside what they are made from."""
    summary, session = _readable(contract.memory)
    readable = {"summary": summary or None, "session": session or None}
    return contract.model_copy(update={"memory": contract.memory.model_copy(update=readable)})


def check_projection(contract: Contract) -> Contract:
    """Return a contract without its readable part.

    Raises:
        InvalidInput: when that part says something else than deltas and operations come to.
    """
    memory = contract.memory
    if memory.summary is None and memory.session is None:
        return contract
    summary, session = _readable(memory)
    if memory.summary is not None:
        _compare(memory.summary, summary, "summary")
    if memory.session is not None:
        _compare(memory.session, session, "session")
    bare = memory.model_copy(update={"summary": None, "session": None})
    return contract.model_copy(update={"memory": bare})


def _readable(memory: ContractMemory) -> tuple[tuple[Entry, ...], tuple[Field, ...]]:
    folded = memory.folded()
    entries = tuple(entry for entry in folded.entries if entry.status != "deleted")
    return entries, tuple(field for field in folded.fields if not field.removed)


def _compare(given: Sequence[Entry | Field], found: Sequence[Entry | Field], name: str) -> None:
    for number, (one, other) in enumerate(zip(given, found, strict=False)):
        place: Steps = ("memory", name, number)
        if one != other:
            raise wrong(place, "is not what deltas and operations come to; leave it out")
    if len(given) != len(found):
        said = f"holds {len(given)} where deltas and operations come to {len(found)}; leave it out"
        raise wrong(("memory", name), said)
