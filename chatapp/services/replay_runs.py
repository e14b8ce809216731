"""Replays of many conversations: asked for, worked off by a worker, cancelled."""

import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final
from uuid import UUID

from chatapp.access import Owner, conversation_by_id
from chatapp.clock import now_ms
from chatapp.jobs import wake_worker
from chatapp.keyring import SpaceKeys, keys_of
from chatapp.models import Conversation, ReplayRun
from chatapp.services.outcomes import Changed, Missing, Unchanged
from chatapp.services.replaying import Counter, ReplaySettings, replayed_tree
from chatapp.store import replays
from chatapp.store.feedback import Opinion, opinions_of
from chatapp.wiring import registry, template_of
from statecore.context.strategies import Strategy
from statecore.context.tuning import tuned
from statecore.errors import InvalidInput
from statecore.replay.comparing import TurnReplay, totals

logger = logging.getLogger(__name__)

KIND = "replays"
MOST_CONVERSATIONS: Final = 500
TURNS_SHOWN: Final = 200
"""Of one conversation so many turns that differ are kept; the totals count all."""
BEAT_MS: Final = 1_000


@dataclass(frozen=True, slots=True)
class ReplayOrder:
    """What is asked for."""

    conversations: tuple[UUID, ...]
    template: str = ""
    """Text of a TOML document; empty for the template of each turn."""
    strategy: str = ""
    model: str = ""
    tuning: tuple[str, ...] = ()
    """Bounds of the planner, as in `tier1=0.6`."""
    name: str = ""
    """What the person calls the run."""

    def settings(self) -> ReplaySettings:
        """Return what turns are planned with.

        Raises:
            InvalidInput: naming what is wrong with the template or a bound, or a model that went.
        """
        model = registry().get(self.model) if self.model else None
        if self.model and model is None:
            raise InvalidInput(f"there is no model {self.model}")
        return ReplaySettings(
            template=template_of(self.template) if self.template else None,
            strategy=Strategy(self.strategy) if self.strategy else None,  # type: ignore[arg-type]  # the form has checked it
            model=model,
            tuning=tuned(self.tuning),
        )


def replay_order(owner: Owner, order: ReplayOrder) -> UUID:
    """Ask for a replay and return its id; it is worked off by a worker.

    Args:
        owner: whose conversations they are; others are left out.
        order: what is asked for.
    """
    own = Conversation.objects.filter(key_space_id=owner.keys.id, deleted_ms=None)
    rows = own.filter(pk__in=order.conversations).order_by("updated_ms", "id")
    found = [str(name) for name in rows.values_list("id", flat=True)]
    document = asdict(order) | {"conversations": found}
    run_id = replays.insert_run(owner.keys, document, len(found), now_ms())
    wake_worker(KIND, run_id)
    return run_id


def replay_cancel(owner: Owner, run_id: UUID) -> Changed | Unchanged | Missing:
    """Cancel a replay; what was found so far stays."""
    rows = ReplayRun.objects.filter(pk=run_id, key_space_id=owner.keys.id)
    if not rows.exists():
        return Missing()
    if not rows.filter(status__in=("waiting", "running")).update(cancel_requested=True):
        return Unchanged()
    # Nobody works on it: it ends here.
    rows.filter(status="waiting").update(status="cancelled", ended_ms=now_ms())
    return Changed(0)


def replay_work(run_id: UUID, counter: Counter) -> bool:
    """Work off a replay, or what is left of it; return whether it was this worker's.

    Args:
        run_id: the run.
        counter: counts what only a server can count.
    """
    run = replays.claim_run(run_id, now_ms())
    if run is None:
        return False
    keys = keys_of(run.key_space_id)
    try:
        _Work(run, keys, counter).do()
    except Exception:
        logger.exception("Replay %s broke off", run_id)
        replays.end_run(run_id, "failed", now_ms(), "It broke off; the log of the server says why.")
    return True


def replays_due() -> list[UUID]:
    """Return the replays that nobody works on, the oldest first."""
    return replays.runs_due(now_ms())


class _Cancelled(Exception):
    """Raised when the work is not wanted any more."""


class _Work:
    """One worker's work on one run."""

    def __init__(self, run: ReplayRun, keys: SpaceKeys, counter: Counter) -> None:
        self._run = run
        self._keys = keys
        self._counter = counter
        self._beat_ms = run.heartbeat_ms
        document = replays.order_of(run, keys)
        names = tuple(UUID(name) for name in document.pop("conversations"))
        self._order = ReplayOrder(names, **document)
        self._report = replays.report_of(run, keys)

    def do(self) -> None:
        """Go through the conversations that are left."""
        settings = self._order.settings()
        try:
            for conversation_id in self._order.conversations[len(self._report) :]:
                self._report.append(self._one(conversation_id, settings))
                self._keep()
        except _Cancelled:
            replays.end_run(self._run.id, "cancelled", now_ms())
        else:
            replays.end_run(self._run.id, "done", now_ms())

    def _one(self, conversation_id: UUID, settings: ReplaySettings) -> dict[str, Any]:
        access = conversation_by_id(conversation_id)
        if access is None or access.keys.id != self._keys.id:
            return {"conversation": str(conversation_id), "gone": True}
        turns = []
        for turn in replayed_tree(access, settings, self._counter):
            turns.append(turn.found)
            self._beat()
        return account(conversation_id, turns, opinions_of(conversation_id))

    def _beat(self) -> None:
        now = now_ms()
        if now - self._beat_ms < BEAT_MS:
            return
        if not replays.beat(self._run.id, self._beat_ms, now):
            raise _Cancelled
        self._beat_ms = now

    def _keep(self) -> None:
        now = now_ms()
        if not replays.keep_report(self._run.id, self._beat_ms, self._report, self._keys, now):
            raise _Cancelled
        self._beat_ms = now


def account(
    conversation_id: UUID, turns: Sequence[TurnReplay], opinions: dict[UUID, Opinion]
) -> dict[str, Any]:
    """Return what was found in one conversation as plain JSON data.

    Args:
        conversation_id: the conversation.
        turns: all its turns.
        opinions: what people thought of them.
    """
    by_opinion: dict[Opinion, list[TurnReplay]] = {}
    for turn in turns:
        by_opinion.setdefault(opinions.get(UUID(turn.turn_id), "none"), []).append(turn)
    differing = [turn for turn in turns if turn.verdict != "same"]
    return {
        "conversation": str(conversation_id),
        "totals": asdict(totals(turns)),
        "by_opinion": {name: asdict(totals(some)) for name, some in by_opinion.items()},
        "turns": [
            asdict(turn) | {"opinion": opinions.get(UUID(turn.turn_id), "none")}
            for turn in differing[:TURNS_SHOWN]
        ],
        "differing": len(differing),
    }
