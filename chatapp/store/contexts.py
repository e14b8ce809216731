"""Reads what one plan is computed from: at most eight queries, and no more than a window holds."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from chatapp.keyring import SpaceKeys
from chatapp.store import memory_path
from chatapp.store.calibrations import factors_of, windows_of
from chatapp.store.carried import read_carried_in
from chatapp.store.context_rows import (
    BRANCH_SQL,
    NOTHING_LOADED,
    PAST_SQL,
    RUNNING_SQL,
    Loaded,
    Reading,
    StemRow,
    read_stem,
    read_turns,
)
from chatapp.store.memory import memory_of
from chatapp.store.memory_path import LearnedPath
from chatapp.store.older import read_older
from chatapp.store.reach import Asked, Reach, asked_by, reach, window_depth
from chatapp.store.unread import read_with_unread
from statecore.context.anchors import unsettled
from statecore.context.from_contract import by_key, standing
from statecore.context.plan import Previous, State
from statecore.context.state import OlderMessage, previous_in
from statecore.messages import Message
from statecore.models import ModelSpec
from statecore.routing.windows import LearnedWindow
from statecore.state.fold import PathMemory
from statecore.tokens import Count, CountKey, Factors
from statecore.tree import Sums

KeysOf = Callable[[UUID], SpaceKeys]


@dataclass(frozen=True, slots=True)
class Before:
    """What the newest request of the turn before came to; None at the first turn."""

    tier: int | None = None
    tokens: int | None = None
    """Of the prompt, as planned."""


NOTHING_BEFORE = Before()


@dataclass(frozen=True, slots=True)
class Moment:
    """What a plan saw beside its path, when it is not to be looked up."""

    as_of_seq: int
    """Memory is read as of this seq."""
    previous: Previous | None
    """The plan of the turn before."""


@dataclass(frozen=True, slots=True)
class PathContext:
    """A path with an input at its end, and what the request for it is computed from."""

    conversation_id: UUID
    parent_id: UUID | None
    as_of_seq: int
    """Memory is read as of this seq."""
    keys: SpaceKeys
    state: State
    counts: dict[CountKey, Count]
    previous: Previous | None
    before: Before
    sums: Sums
    """Of the whole path without the input."""
    factors: Mapping[str, Factors] = field(default_factory=dict)
    """By model: how far its estimated counts were off on this path."""
    windows: Mapping[str, LearnedWindow] = field(default_factory=dict)
    """By the hash of a model's entry: which window its provider takes, as this path learned."""
    waiting_before: int = 0
    """Turns before the loaded ones that memory has not learned."""
    attempts: int = 0
    """How many attempts were made so far; of a running turn only."""


def read_context(
    turn_id: UUID, owner: UUID, *, model: ModelSpec, keys_of: KeysOf
) -> PathContext | None:
    """Return the context of a turn that a process runs, or None when it does not run it.

    What a person did to memory before a retry counts in it.

    Args:
        turn_id: the turn.
        owner: the process.
        model: whose window and counts decide what is read.
        keys_of: gives the keys of a key space.
    """
    stem = read_stem(RUNNING_SQL, [turn_id, owner])
    if stem is None or stem.input_id is None:
        return None
    reader = _Reader(stem, _asked(stem, model), keys_of(stem.key_space_id), stem.last_seq)
    return replace(reader.context(), attempts=stem.number or 0)


def read_draft(
    conversation_id: UUID,
    branch_id: UUID,
    draft: Message,
    *,
    model: ModelSpec,
    keys_of: KeysOf,
    wide: Reach | None = None,
) -> PathContext | None:
    """Return the context of an input that is still being typed, or None without such a branch.

    Args:
        conversation_id: the conversation.
        branch_id: the branch at whose end it is typed.
        draft: the input; its time is that of the plan.
        model: whose window and counts decide what is read.
        keys_of: gives the keys of a key space.
        wide: reads further back than the plan of the application would.
    """
    stem = read_stem(BRANCH_SQL, [branch_id, conversation_id])
    if stem is None:
        return None
    now_ms = max(draft.created_ms, stem.parent_accepted_ms)
    stem = stem._replace(branch_ms=stem.clock().at(now_ms))
    reader = _Reader(stem, _asked(stem, model), keys_of(stem.key_space_id), stem.last_seq)
    return reader.context(draft, wide)


def read_past(
    conversation_id: UUID,
    turn_id: UUID,
    *,
    model: ModelSpec,
    keys_of: KeysOf,
    wide: Reach | None = None,
    moment: Moment | None = None,
) -> PathContext | None:
    """Return the context of a turn as it was when it was planned last, or None without such a turn.

    Args:
        conversation_id: the conversation.
        turn_id: the turn.
        model: whose window and counts decide what is read.
        keys_of: gives the keys of a key space.
        wide: reads further back than the plan of the application would.
        moment: what the plan saw; None for the newest plan of the turn.
    """
    stem = read_stem(PAST_SQL, [turn_id, conversation_id])
    if stem is None or stem.input_id is None:
        return None
    as_of = stem.last_seq if stem.number is None else stem.number
    if moment is not None:
        as_of = moment.as_of_seq
    reader = _Reader(stem, _asked(stem, model), keys_of(stem.key_space_id), as_of)
    return reader.context(None, wide, moment)


def _factors(stem: StemRow) -> dict[str, Factors]:
    return factors_of(stem.result, stem.reported_tokens)


def _asked(stem: StemRow, model: ModelSpec) -> Asked:
    factors = _factors(stem).get(model.name, {})
    return asked_by(model, min(factors.values(), default=1.0))


class _Reader:
    """Reads what grows from one stem."""

    def __init__(self, stem: StemRow, asked: Asked, keys: SpaceKeys, as_of: int) -> None:
        self._stem = stem
        self._asked = asked
        self._as_of = as_of
        self._reading = Reading.by(keys, asked.tokenizer)

    def context(
        self,
        draft: Message | None = None,
        wide: Reach | None = None,
        moment: Moment | None = None,
    ) -> PathContext:
        """Return what a request is computed from."""
        stem, keys, asked = self._stem, self._reading.keys, self._asked
        path = memory_path.walk(stem.conversation_id, stem.parent_id, keys, as_of=self._as_of)
        memory = memory_of(stem.conversation_id, path, keys, as_of=self._as_of)
        previous, before = _chosen(stem.result)
        if moment is not None:
            previous = moment.previous
        loaded = self._loaded(path, memory.path, previous, wide)
        waiting = _before(path, loaded)
        fixed, unread = read_with_unread(stem, waiting, self._reading)
        carried = read_carried_in(stem.imported_id, keys)
        state = State(
            system=fixed.get("system"),
            turns=loaded.turns,
            input=draft or fixed["user"],
            earlier_turns=loaded.turns[0].depth - 1 if loaded.turns else 0,
            earlier_tokens=loaded.earlier_tokens,
            earlier_messages=loaded.earlier_messages,
            earlier_quality="exact" if asked.is_reference else "estimated",
            turns_reference_tokens=loaded.turns_tokens,
            memory=memory,
            branch_now_ms=stem.branch_ms or 0,
            last_turn_ms=stem.parent_branch_ms,
            contract=by_key(carried.contract_fields),
            facts=standing(carried.facts),
            workflow=carried.workflow,
        )
        return PathContext(
            stem.conversation_id,
            stem.parent_id,
            self._as_of,
            keys,
            self._with_older(state, unread),
            self._reading.counts,
            previous,
            before,
            stem.sums,
            _factors(stem),
            windows_of(stem.result),
            waiting_before=len(waiting),
        )

    def _loaded(
        self,
        path: LearnedPath,
        memory: PathMemory,
        previous: Previous | None,
        wide: Reach | None,
    ) -> Loaded:
        if self._stem.parent_id is None:
            return NOTHING_LOADED
        far = reach(
            self._stem.sums,
            self._asked,
            kept_depth=window_depth(previous, self._asked),
            waiting_depth=_waiting_depth(path),
        )
        return read_turns(self._stem.parent_id, wide or far, self._reading, memory)

    def _with_older(self, state: State, unread: Sequence[OlderMessage]) -> State:
        """Return the state with what its input may point at before the loaded turns."""
        if not state.earlier_turns or self._stem.parent_id is None:
            return replace(state, older=tuple(unread))
        if not (pointers := unsettled(state)):
            return replace(state, older=tuple(unread))
        older = read_older(
            self._stem.parent_id,
            heads=json.loads(self._stem.heads or "{}"),
            tip_depth=self._stem.depth,
            first_depth=state.turns[0].depth,
            pointers=pointers,
            keys=self._reading.keys,
        )
        return replace(state, older=(*unread, *older))


def _before(path: LearnedPath, loaded: Loaded) -> list[UUID]:
    """Return the turns without a delta before the loaded ones, oldest first."""
    here = {turn.id for turn in loaded.turns}
    return [turn_id for turn_id in path.waiting() if str(turn_id) not in here]


def _waiting_depth(path: LearnedPath) -> int | None:
    """Return the depth of the oldest turn that memory has not learned; None when it has all.

    Where that lies before the walked turns it is not known, and all that a window can hold is
    read.
    """
    if path.start is not None and path.start.waiting:
        return 0
    waiting = set(path.waiting())
    return min((place.depth for place in path.places if place.turn_id in waiting), default=None)


def _chosen(result: dict[str, Any] | None) -> tuple[Previous | None, Before]:
    """Return what the plan of the turn before chose, and what it came to."""
    previous = previous_of(result)
    if previous is None or result is None:
        return None, NOTHING_BEFORE
    return previous, Before(previous.tier, result.get("planned_tokens"))


def previous_of(document: Mapping[str, Any] | None) -> Previous | None:
    """Return what a plan chose from its stored form, which may say more; None for none."""
    return None if document is None else previous_in(document)
