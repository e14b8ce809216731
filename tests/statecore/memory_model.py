"""A naive model of memory: replays what happened, in order, over plain dictionaries.

Written from the rules and not from the fold, so that both can be held against each other.
"""

from statecore.memory.ledger import Span
from statecore.state.operations import (
    Add,
    Delete,
    Delta,
    Edit,
    Operation,
    Pin,
    RemoveField,
    SetField,
    Undo,
)


def same(text: str) -> str:
    return text.lower().rstrip(".。").strip()


def overlap(one: Span, other: Span) -> bool:
    return one.message_id == other.message_id and bool(
        set(range(one.start, one.end)) & set(range(other.start, other.end))
    )


def counts(operation: Operation, operations: list[Operation]) -> bool:
    """Return whether an operation is in force: no undo that is in force names it."""
    return not any(
        isinstance(other.action, Undo)
        and other.action.seq == operation.seq
        and other.seq > operation.seq
        and counts(other, operations)
        for other in operations
    )


class NaiveMemory:
    """The memory after a complete and ordered history."""

    def __init__(self, deltas: list[Delta], operations: list[Operation]) -> None:
        self.entries: list[dict] = []
        self.past: list[Operation] = []
        self.graves: dict[int, dict] = {}
        in_force = [it for it in operations if counts(it, operations)]
        for change in sorted([*deltas, *in_force], key=lambda it: it.seq):
            if isinstance(change, Delta):
                for item in change.learned:
                    self.learn(change, item)
            else:
                self.act(change)
        self.fields = self.find_fields(deltas, in_force)

    # --- entries

    def learn(self, delta, item) -> None:
        name = f"{item.span.message_id}:{item.span.start}-{item.span.end}"
        self.enter(
            {
                "id": name,
                "kind": item.kind,
                "text": item.text,
                "quote": item.text,
                "said": [(delta.said_seq, delta.depth, item.span)],
                "names": [name],
            },
            item.supersedes,
        )

    def act(self, operation) -> None:
        action = operation.action
        if isinstance(action, Add):
            place = action.span
            said = operation.seq if place is None else 0
            names = [f"op:{operation.seq}"]
            if place is not None:
                names.append(f"{place.message_id}:{place.start}-{place.end}")
            self.enter(
                {
                    "id": names[0],
                    "kind": action.kind,
                    "text": action.text,
                    "quote": "" if place is None else action.text,
                    "said": [
                        (
                            said if action.said_seq is None else action.said_seq,
                            operation.depth,
                            place,
                        )
                    ],
                    "names": names,
                }
            )
        elif isinstance(action, Edit | Delete | Pin):
            if isinstance(action, Delete):
                words = {same(action.target.text)} - {""}
                self.graves[operation.seq] = {
                    "places": list(action.target.sources),
                    "words": words,
                    "hit": [],
                }
            for entry in self.entries:
                if self.named(entry, action.target):
                    self.change(entry, operation)
            self.past.append(operation)

    def named(self, entry, target) -> bool:
        return self.first_with(target.entry_id) is entry or self.placed(entry, target.sources)

    def placed(self, entry, sources) -> bool:
        places = [place for _, _, place in entry["said"] if place is not None]
        return any(overlap(place, source) for place in places for source in sources)

    def first_with(self, name):
        return next((entry for entry in self.entries if name in entry["names"]), None)

    def change(self, entry, operation) -> None:
        action = operation.action
        if isinstance(action, Edit):
            entry["text"], entry["edited"] = action.text, True
        elif isinstance(action, Pin):
            entry["pinned"] = action.pinned
        else:
            entry["deleted"] = True
            grave = self.graves[operation.seq]
            grave["words"] |= {same(entry["text"]), same(entry["quote"])} - {""}
            grave["hit"].append(entry)

    def enter(self, entry, supersedes=()) -> None:
        entry |= {"pinned": False, "edited": False, "deleted": False, "over": [], "under": []}
        for operation in self.past:
            target = operation.action.target
            words = {same(target.text)}
            if isinstance(operation.action, Delete):
                words = self.graves[operation.seq]["words"]
            by_name = target.entry_id in entry["names"] or self.placed(entry, target.sources)
            by_words = entry["said"][0][0] < operation.seq and (
                {same(entry["text"]), same(entry["quote"])} & (words - {""})
            )
            if by_name or (by_words and not isinstance(operation.action, Pin)):
                self.change(entry, operation)
        twin = None if entry["deleted"] else self.twin_of(entry)
        if twin is None:
            self.entries.append(entry)
            kept = entry
        else:
            kept = twin
            for part in ("said", "names"):
                twin[part] = twin[part] + entry[part]
            for part in ("pinned", "edited"):
                twin[part] = twin[part] or entry[part]
        for name in () if kept["deleted"] else supersedes:
            old = self.first_with(name)
            if old is not None and old is not kept:
                old["over"].append(kept)
                kept["under"].append(old)

    def twin_of(self, entry):
        for old in self.entries:
            alike = old["kind"] == entry["kind"] and same(old["text"]) == same(entry["text"])
            if alike and self.plain_status(old) not in ("deleted", "superseded"):
                return old
        return None

    def plain_status(self, entry) -> str:
        if entry["deleted"]:
            return "deleted"
        held = entry["pinned"] or entry["edited"]
        if entry["over"] and not held:
            return "superseded"
        if any(not new["deleted"] for new in entry["over"]):
            return "in_conflict"
        if any((old["pinned"] or old["edited"]) and not old["deleted"] for old in entry["under"]):
            return "in_conflict"
        return "active"

    def status(self, entry) -> str:
        status = self.plain_status(entry)
        goals = [
            max(said for said, _, _ in other["said"])
            for other in self.entries
            if other["kind"] == "goal" and self.plain_status(other) in ("active", "in_conflict")
        ]
        is_old = entry["kind"] == "goal" and max(said for said, _, _ in entry["said"]) < max(
            goals, default=0
        )
        return "paused" if status == "active" and is_old else status

    def seen(self) -> list[tuple]:
        """Return what a test compares: in any order, since the fold has an order of its own."""
        return sorted(
            (
                entry["id"],
                entry["kind"],
                entry["text"],
                entry["quote"],
                self.status(entry),
                entry["pinned"],
                min(said for said, _, _ in entry["said"]),
                sorted(self.sources(entry)),
            )
            for entry in self.entries
        )

    def sources(self, entry) -> list[Span]:
        return list({place for _, _, place in entry["said"] if place is not None})

    # --- session fields

    def find_fields(self, deltas, in_force) -> dict:
        found = {}
        for key in ("current_goal", "step"):
            sets = [
                (delta.said_seq, item.value, item.source, delta.seq)
                for delta in deltas
                for item in delta.fields
                if item.key == key
            ]
            removals = []
            for operation in in_force:
                action = operation.action
                if isinstance(action, SetField) and action.field.key == key:
                    sets.append((operation.seq, action.field.value, None, None))
                elif isinstance(action, RemoveField) and action.key == key:
                    removals.append(operation.seq)
            if sets:
                found[key] = self.settle(sorted(sets, key=lambda it: it[0]), removals)
        return {key: field for key, field in found.items() if field is not None}

    def settle(self, sets, removals) -> tuple:
        good = [it for it in sets if it[3] is None or not self.buried(it)]
        after = max(removals, default=0)
        standing = [it for it in good if it[0] > after]
        if standing:
            return self.reworded(standing[-1]), False
        return None, True

    def reworded(self, item) -> str:
        _, value, source, _ = item
        for entry in self.entries:
            edited = entry["edited"] and source in self.sources(entry)
            if edited and same(entry["quote"]) == same(value) != same(entry["text"]):
                return entry["text"]
        return value

    def buried(self, item) -> bool:
        said, value, source, learned = item
        for seq, grave in self.graves.items():
            places = [
                *grave["places"],
                *(it for entry in grave["hit"] for it in self.sources(entry)),
            ]
            if source is not None and any(overlap(source, place) for place in places):
                return True
            if said < seq < learned and same(value) in grave["words"]:
                return True
        return False
