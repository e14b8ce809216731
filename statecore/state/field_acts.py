"""Session fields as of a moment, from what turns and people set and removed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from statecore.memory.ledger import Author, Entry
from statecore.memory.session import Field
from statecore.memory.tombstones import Removed, folded
from statecore.state.operations import Delta, FieldSet, Operation, RemoveField, SetField


@dataclass(frozen=True, slots=True)
class _FieldAct:
    """One set or removal of a key."""

    order: int
    """When it was said or done. A turn that is learned late set its fields when it was said: a
    person who acted after that wins, and so does a turn that was said after that."""
    field: Field | None
    """None for a removal."""


def fields_of(
    deltas: Iterable[Delta],
    operations: Iterable[Operation],
    entries: Sequence[Entry],
    removed: Sequence[Removed],
) -> tuple[Field, ...]:
    """Return the session fields by key, removed ones included.

    Args:
        deltas: of the path, each once.
        operations: those in force, each once.
        entries: a field that a sentence set says what a person made of the sentence.
        removed: a field that a deleted sentence set is removed with it.
    """
    acts: dict[str, list[_FieldAct]] = defaultdict(list)
    for key, act in (*_of_turns(deltas), *_of_people(operations)):
        acts[key].append(act)
    found = (_settled(acts[key], removed) for key in sorted(acts))
    return tuple(_reworded(field, entries) for field in found if field is not None)


def _of_turns(deltas: Iterable[Delta]) -> Iterator[tuple[str, _FieldAct]]:
    for delta in deltas:
        for item in delta.fields:
            field = _field(item, _setter(delta, item), delta.seq, delta.branch_ms)
            yield item.key, _FieldAct(delta.said_seq, field)


def _of_people(operations: Iterable[Operation]) -> Iterator[tuple[str, _FieldAct]]:
    for operation in operations:
        match operation.action:
            case SetField(field=item, branch_ms=set_ms):
                field = _field(item, "user", operation.seq, set_ms)
                yield item.key, _FieldAct(operation.seq, field)
            case RemoveField(key=key):
                yield key, _FieldAct(operation.seq, None)
            case _:
                pass


def _field(item: FieldSet, setter: Author, seq: int, set_ms: int) -> Field:
    return Field(item.key, item.value, setter, seq, set_ms, item.expiry, item.source, item.visible)


def _setter(delta: Delta, item: FieldSet) -> Author:
    authors = (learned.author for learned in delta.learned if learned.span == item.source)
    return next(authors, "rules")


def _settled(acts: Iterable[_FieldAct], removed: Sequence[Removed]) -> Field | None:
    """Return the newest set that counts, else the newest one as removed."""
    last: Field | None = None
    for act in sorted(
        acts, key=lambda act: (act.order, -1 if act.field is None else act.field.seq)
    ):
        if act.field is None:
            last = last and replace(last, removed=True)
        elif not _is_removed(act.field, act.order, removed):
            last = act.field
        elif last is None or last.removed:
            last = replace(act.field, removed=True)
    return last


def _is_removed(field: Field, said_seq: int, removed: Sequence[Removed]) -> bool:
    if field.setter == "user":
        return False
    # As with entries, an echo of deleted words is known only if it was learned after the deletion.
    return any(
        tombstone.covers(field.source, field.value if field.seq > tombstone.seq else "", said_seq)
        for tombstone in removed
    )


def _reworded(field: Field, entries: Sequence[Entry]) -> Field:
    if field.source is None or field.setter == "user":
        return field
    words = folded(field.value)
    for entry in entries:
        is_its_sentence = field.source in entry.sources and folded(entry.quote) == words
        if is_its_sentence and folded(entry.text) != words:
            return replace(field, value=entry.text)
    return field
