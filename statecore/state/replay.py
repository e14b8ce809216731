"""Replay: deltas and operations, one after another by seq, become drafts of entries."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import merge
from operator import attrgetter

from statecore.memory.ledger import entry_id
from statecore.memory.tombstones import Removed, folded
from statecore.state.drafts import Draft, Saying
from statecore.state.operations import Add, Delete, Delta, Edit, Learned, Operation, Pin


@dataclass(slots=True)
class _Act:
    """An act of a person that also finds what is learned after it."""

    seq: int
    action: Edit | Delete | Pin
    words: set[str]
    """The folded words by which an echo is known; none for a pin."""
    hit: list[Draft] = field(default_factory=list)
    wordings: dict[str, None] = field(default_factory=dict)
    """What it deleted, as it was said and as it stood then, in order."""

    def finds(self, draft: Draft) -> bool:
        """Return whether something learned after it is what it is about."""
        if draft.is_at(self.action.target):
            return True
        said_before = draft.first.said_seq < self.seq
        return said_before and not self.words.isdisjoint((draft.words, draft.quote_words))

    @property
    def sought(self) -> set[str]:
        """The names, messages and words by which it may find something."""
        target = self.action.target
        return {target.entry_id, *(span.message_id for span in target.sources), *self.words}

    def apply(self, draft: Draft) -> None:
        """Change what it is about."""
        if isinstance(self.action, Delete):
            self.words |= {draft.words, draft.quote_words} - {""}
            self.wordings |= dict.fromkeys(text for text in (draft.quote, draft.text) if text)
        draft.take(self.action, self.seq)
        self.hit.append(draft)


class Replay:
    """The drafts of a path, after each delta and operation that it was given in order of seq."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        """In the order in which they were learned."""
        self._acts: list[_Act] = []
        self._sought: set[str] = set()
        """Names, messages and words that the acts look for."""
        self._learned: set[str] = set()
        self._by_name: dict[str, Draft] = {}
        self._by_message: dict[str, list[Draft]] = defaultdict(list)
        self._by_words: dict[str, list[Draft]] = defaultdict(list)

    def learn(self, delta: Delta) -> None:
        """Take up what a turn taught."""
        for learned in delta.learned:
            name = entry_id(learned.span)
            # Twice in one delta is once: an id stands for one entry.
            if name not in self._learned:
                self._learned.add(name)
                saying = Saying(delta.said_seq, delta.depth, learned.span, delta.seq)
                self._take_up(_learned(name, learned, saying), learned.supersedes)

    def act(self, operation: Operation) -> None:
        """Let an operation that is in force change the drafts."""
        match operation.action:
            case Add() as add:
                self._take_up(_added(add, operation), ())
            case Edit() | Delete() | Pin() as action:
                words = "" if isinstance(action, Pin) else folded(action.target.text)
                act = _Act(operation.seq, action, {words} - {""})
                for draft in self._named(act):
                    act.apply(draft)
                    self._by_words[draft.words].append(draft)
                self._acts.append(act)
                self._sought |= act.sought
            case _:  # undo is done by the caller, session fields elsewhere
                pass

    def end(self) -> None:
        """Pause the goals that a later one outdoes."""
        goals = [draft for draft in self.drafts if draft.kind == "goal" and draft.is_live]
        newest = max((goal.last_said_seq for goal in goals), default=0)
        for goal in goals:
            goal.is_outdone = goal.last_said_seq < newest

    def removed(self) -> Iterator[Removed]:
        """Yield the deletions, oldest first, with all that they hit."""
        for act in self._acts:
            if isinstance(act.action, Delete):
                target = act.action.target
                hit_spans = (span for draft in act.hit for span in draft.spans)
                sources = tuple(dict.fromkeys((*target.sources, *hit_spans)))
                wordings = tuple(act.wordings)
                text = target.text or "".join(wordings[-1:])
                yield Removed(act.seq, sources, text, wordings)

    def _named(self, act: _Act) -> list[Draft]:
        target = act.action.target
        near = [draft for span in target.sources for draft in self._by_message[span.message_id]]
        if target.entry_id in self._by_name:
            near.append(self._by_name[target.entry_id])
        return [draft for draft in dict.fromkeys(near) if draft.is_at(target)]

    def _take_up(self, draft: Draft, supersedes: Iterable[str]) -> None:
        # Nearly all of what is learned was never touched by anybody.
        if self._sought and not self._sought.isdisjoint(_clues(draft)):
            self._apply_acts(draft)
        twin = None if draft.is_deleted else self._twin(draft)
        if twin is None:
            draft.number = len(self.drafts)
            self.drafts.append(draft)
        else:
            twin.join(draft)
            for act in self._acts if draft.changed_seq is not None else ():
                act.hit = [twin if hit is draft else hit for hit in act.hit]
        kept = twin or draft
        self._index(kept, draft)
        if not kept.is_deleted:
            for name in supersedes:
                if name in self._by_name:
                    kept.displace(self._by_name[name])

    def _apply_acts(self, draft: Draft) -> None:
        for act in self._acts:
            if act.finds(draft):
                act.apply(draft)
                self._sought |= act.words

    def _twin(self, draft: Draft) -> Draft | None:
        if draft.words not in self._by_words:
            return None
        alike = (old for old in self._by_words[draft.words] if old.words == draft.words)
        same_kind = (old for old in alike if old.kind == draft.kind and old.is_live)
        return min(same_kind, key=attrgetter("number"), default=None)

    def _index(self, kept: Draft, draft: Draft) -> None:
        for name in draft.names:
            self._by_name.setdefault(name, kept)
        for span in draft.spans:
            self._by_message[span.message_id].append(kept)
        if kept is draft:
            # A twin stands there already: what is said a thousand times is looked for once.
            self._by_words[kept.words].append(kept)


def _clues(draft: Draft) -> Iterator[str]:
    yield from draft.names
    yield from (span.message_id for span in draft.spans)
    yield from (draft.words, draft.quote_words)


def _learned(name: str, learned: Learned, saying: Saying) -> Draft:
    return Draft(
        id=name,
        kind=learned.kind,
        text=learned.text,
        quote=learned.text,
        author=learned.author,
        seq=saying.seq,
        sayings=[saying],
        names={name},
    )


def _added(add: Add, operation: Operation) -> Draft:
    name = f"op:{operation.seq}"
    depth = operation.depth if add.depth is None else add.depth
    # A sentence of which nobody knows when it was said counts as old: what is deleted stays so.
    unknown = operation.seq if add.span is None else 0
    said_seq = unknown if add.said_seq is None else add.said_seq
    return Draft(
        id=name,
        kind=add.kind,
        text=add.text,
        quote="" if add.span is None else add.text,
        author=add.author,
        seq=operation.seq,
        sayings=[Saying(said_seq, depth, add.span, operation.seq)],
        names={name} if add.span is None else {name, entry_id(add.span)},
    )


def replayed(deltas: Iterable[Delta], operations: Iterable[Operation]) -> Replay:
    """Return what deltas and operations come to.

    Args:
        deltas: of one path, by seq, each once.
        operations: those in force, by seq, each once.
    """
    replay = Replay()
    changes: Iterator[Delta | Operation] = merge(deltas, operations, key=attrgetter("seq"))
    for change in changes:
        if isinstance(change, Delta):
            replay.learn(change)
        else:
            replay.act(change)
    replay.end()
    return replay
