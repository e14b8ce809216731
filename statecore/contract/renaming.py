"""A contract under other ids and seqs: for another installation, or for comparing."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from statecore.contract.schema import Contract, ContractMemory, ContractTurn, RequestMeta
from statecore.contract.tree_schema import Tree
from statecore.memory.facts import Fact, FactSource
from statecore.memory.ledger import Span
from statecore.state.codec import operation_form
from statecore.state.operations import (
    Action,
    Add,
    Delete,
    Delta,
    Edit,
    FieldSet,
    Operation,
    Pin,
    SetField,
    Target,
    Undo,
)
from statecore.workflow.machine import WorkflowState

Named = Literal["message", "conversation", "entry"]
"""What an id may name that the contract itself does not hold: it lies on another branch or in
another conversation."""

_Turn = TypeVar("_Turn", bound=ContractTurn)
_OF_OPERATION = re.compile(r"op:([1-9]\d*)")
_OF_SPAN = re.compile(r"(.+):(\d+)-(\d+)", re.DOTALL)


@dataclass(slots=True)
class Names:
    """The new names of everything in a contract."""

    conversation: str
    turns: Mapping[str, str]
    messages: Mapping[str, str]
    seqs: Mapping[int, int]
    facts: Mapping[str, str]
    elsewhere: Callable[[Named, str, int], str]
    """Gives the new name of what lies elsewhere, from what it is, its name, and its number in the
    order in which such names are met."""
    _met: dict[tuple[Named, str], str] = field(default_factory=dict)

    def message(self, name: str) -> str:
        """Return the new id of a message."""
        return self.messages.get(name) or self.foreign("message", name)

    def foreign(self, what: Named, name: str) -> str:
        """Return the new name of something that lies elsewhere."""
        if (what, name) not in self._met:
            self._met[what, name] = self.elsewhere(what, name, len(self._met) + 1)
        return self._met[what, name]

    def entry(self, name: str) -> str:
        """Return the new id of an entry, which is made of a place or of the seq of an addition."""
        by_seq = _OF_OPERATION.fullmatch(name)
        if by_seq and (seq := self.seqs.get(int(by_seq[1]))) is not None:
            return f"op:{seq}"
        by_place = None if by_seq else _OF_SPAN.fullmatch(name)
        if by_place:
            return f"{self.message(by_place[1])}:{by_place[2]}-{by_place[3]}"
        return self.foreign("entry", name)

    def span(self, span: Span) -> Span:
        """Return a span in the message of the new id."""
        return span._replace(message_id=self.message(span.message_id))

    def span_or_none(self, span: Span | None) -> Span | None:
        """Return a span in the message of the new id, or None."""
        return None if span is None else self.span(span)


def renamed(contract: Contract, names: Names) -> Contract:
    """Return a contract under new names; what it says stays the same."""
    conversation = contract.conversation.model_copy(update={"id": names.conversation})
    system = contract.system and contract.system.model_copy(
        update={"id": names.messages[contract.system.id]}
    )
    return contract.model_copy(
        update={
            "conversation": conversation,
            "system": system,
            "turns": tuple(renamed_turn(turn, names) for turn in contract.turns),
            **renamed_rest(contract, names),
        }
    )


def renamed_rest(document: Contract | Tree, names: Names) -> dict[str, object]:
    """Return what stands beside the turns under new names, by the names of its parts."""
    return {
        "memory": _memory(document.memory, names),
        "contract_fields": tuple(
            replace(one, seq=names.seqs[one.seq], source=names.span_or_none(one.source))
            for one in document.contract_fields
        ),
        "workflow": document.workflow and _workflow(document.workflow, names),
        "facts": tuple(_fact(fact, document.conversation.id, names) for fact in document.facts),
        "request_meta": _request_meta(document.request_meta, names),
    }


def renamed_turn(turn: _Turn, names: Names) -> _Turn:
    """Return a turn under new names; only the path makes sense of where it stands."""
    messages = tuple(
        message.model_copy(update={"id": names.messages[message.id]}) for message in turn.messages
    )
    seqs = {"accepted_seq": names.seqs[turn.accepted_seq]}
    if turn.committed_seq is not None:
        seqs["committed_seq"] = names.seqs[turn.committed_seq]
    return turn.model_copy(update={"id": names.turns[turn.id], "messages": messages, **seqs})


def _memory(memory: ContractMemory, names: Names) -> ContractMemory:
    seen = [seq for seq in names.seqs if seq <= memory.as_of]
    return ContractMemory(
        as_of=names.seqs[max(seen)] if seen else 0,
        deltas=tuple(renamed_delta(delta, names) for delta in memory.deltas),
        operations=tuple(operation_form(_operation(act, names)) for act in memory.acts()),
    )


def renamed_delta(delta: Delta, names: Names) -> Delta:
    """Return what a turn taught under new names."""
    learned = tuple(
        replace(one, span=names.span(one.span), supersedes=tuple(map(names.entry, one.supersedes)))
        for one in delta.learned
    )
    return replace(
        delta,
        turn_id=names.turns[delta.turn_id],
        seq=names.seqs[delta.seq],
        said_seq=names.seqs[delta.said_seq],
        learned=learned,
        rejected=tuple(replace(one, span=names.span(one.span)) for one in delta.rejected),
        fields=tuple(_field(one, names) for one in delta.fields),
    )


def _field(item: FieldSet, names: Names) -> FieldSet:
    return replace(item, source=names.span_or_none(item.source))


def _operation(operation: Operation, names: Names) -> Operation:
    turn_id = None if operation.turn_id is None else names.turns[operation.turn_id]
    action = renamed_action(operation.action, names)
    return replace(operation, seq=names.seqs[operation.seq], turn_id=turn_id, action=action)


def renamed_action(action: Action, names: Names) -> Action:
    """Return what a person did under new names."""
    match action:
        case Edit() | Delete() | Pin():
            return replace(action, target=_target(action.target, names))
        case Add():
            # A seq that the contract does not hold counts as long ago.
            said_seq = None if action.said_seq is None else names.seqs.get(action.said_seq)
            return replace(action, span=names.span_or_none(action.span), said_seq=said_seq)
        case Undo():
            return replace(action, seq=names.seqs[action.seq])
        case SetField():
            return replace(action, field=_field(action.field, names))
        case _:
            return action


def _target(target: Target, names: Names) -> Target:
    sources = tuple(names.span(span) for span in target.sources)
    return replace(target, entry_id=names.entry(target.entry_id), sources=sources)


def _workflow(workflow: WorkflowState, names: Names) -> WorkflowState:
    values = tuple(
        replace(held, source=names.span_or_none(held.source)) for held in workflow.values
    )
    return replace(workflow, values=values)


def _fact(fact: Fact, conversation_id: str, names: Names) -> Fact:
    def source(one: FactSource) -> FactSource:
        is_own = one.conversation_id == conversation_id
        where = names.conversation if is_own else names.foreign("conversation", one.conversation_id)
        return replace(one, conversation_id=where, message_id=names.message(one.message_id))

    superseded_by = None if fact.superseded_by is None else names.facts[fact.superseded_by]
    return replace(
        fact,
        id=names.facts[fact.id],
        sources=tuple(map(source, fact.sources)),
        superseded_by=superseded_by,
    )


def _request_meta(meta: RequestMeta, names: Names) -> RequestMeta:
    attempts = tuple(
        attempt.model_copy(update={"turn_id": names.turns[attempt.turn_id]})
        for attempt in meta.attempts
    )
    return meta.model_copy(update={"attempts": attempts})
