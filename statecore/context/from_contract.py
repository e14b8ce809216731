"""The state that a contract holds, ready for planning."""

from collections.abc import Iterable

from statecore.context.state import PathTurn, State
from statecore.contract.schema import Contract, ContractTurn
from statecore.errors import InvalidInput
from statecore.memory.contract_fields import ContractField
from statecore.memory.facts import Fact
from statecore.messages import Message
from statecore.state.fold import Memory, fold
from statecore.state.operations import scope_of

INPUT_ID = "input"
"""Id of an input that the contract does not hold."""


def state_of(contract: Contract, text: str | None = None, *, now_ms: int | None = None) -> State:
    """Return the state before an input.

    Args:
        contract: a contract that `parse` has let in.
        text: what the user says next; None for the last user message of the contract, which is
            then planned again as if it were asked now.
        now_ms: when the next input is said, for the expiry of session fields; None for the
            moment of the newest turn.

    Raises:
        InvalidInput: when there is no user message to plan for.
    """
    if text is None:
        return _asked_again(contract)
    before = tuple(turn for turn in contract.turns if turn.is_committed)
    newest = before[-1] if before else None
    moment = (newest.accepted_ms if newest else 0) if now_ms is None else now_ms
    branch_ms = newest.branch_ms + max(0, moment - newest.accepted_ms) if newest else moment
    said = Message(id=INPUT_ID, role="user", text=text, created_ms=moment)
    return _state(contract, before, said, branch_ms)


def by_key(fields: Iterable[ContractField]) -> tuple[ContractField, ...]:
    """Return contract fields in the order in which they are sent."""
    return tuple(sorted(fields, key=lambda field: field.key))


def standing(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts of which no newer version has taken the place."""
    return tuple(fact for fact in facts if fact.superseded_by is None)


def _asked_again(contract: Contract) -> State:
    if not contract.turns:
        raise InvalidInput("turns: there is no user message to plan for")
    *before, asked = contract.turns
    return _state(contract, tuple(before), asked.said()[0], asked.branch_ms)


def _state(
    contract: Contract, before: tuple[ContractTurn, ...], said: Message, branch_ms: int
) -> State:
    memory = _memory(contract, before[-1].depth if before else 0)
    learned = memory.path.learned_ids()
    return State(
        system=None if contract.system is None else contract.system.message(),
        turns=tuple(
            PathTurn(turn.id, turn.depth, turn.said(), turn.id in learned) for turn in before
        ),
        input=said,
        memory=memory,
        branch_now_ms=branch_ms,
        last_turn_ms=before[-1].branch_ms if before else 0,
        contract=by_key(contract.contract_fields),
        tools=contract.tools,
        facts=standing(contract.facts),
        workflow=contract.workflow,
    )


def _memory(contract: Contract, depth: int) -> Memory:
    """Return the memory at the end of the path down to a depth, as of now."""
    deltas = (delta for delta in contract.memory.deltas if delta.depth <= depth)
    acts = (
        act
        for act in contract.memory.acts()
        if act.depth <= depth or scope_of(act.action) == "conversation"
    )
    return fold(deltas, acts, as_of=contract.memory.as_of)
