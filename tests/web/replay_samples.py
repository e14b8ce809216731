"""Sample replays for pictures."""

from dataclasses import asdict
from datetime import UTC, datetime

from chatapp.selectors.replays import Replayable, ReplayRow
from statecore.replay.comparing import Difference, TurnReplay, totals
from tests.web import samples

AT_MS = int(datetime(2026, 11, 30, 9, 0, tzinfo=UTC).timestamp() * 1000)
MODELS = ("qwen2.5-coder-1.5b", "gpt-4.1-mini")

CONVERSATIONS = (
    Replayable(samples.sample_id(901), "Где мой заказ 48371?", 64),
    Replayable(samples.sample_id(902), "杭州三日游", 12),
    Replayable(samples.sample_id(903), "How HTTP caching works, and what goes wrong with it", 140),
)


def run(**changes) -> ReplayRow:
    """Return a replay; changes are fields of it."""
    fields = {
        "id": samples.sample_id(990),
        "name": "Shorter system prompt",
        "status": "done",
        "done": 2,
        "total": 2,
        "is_cancelling": False,
        "created_ms": AT_MS,
        "ended_ms": AT_MS + 9_000,
        "detail": "",
        "template": 'name = "tried"',
        "strategy": "",
        "model": "",
        "tuning": (),
        "report": (_found(901, 64), _found(902, 0)),
    }
    return ReplayRow(**(fields | changes))


def titles() -> dict[str, str]:
    """Return the titles of the conversations."""
    return {str(row.id): row.title for row in CONVERSATIONS}


def _found(number: int, turns: int) -> dict[str, object]:
    found = [_turn(depth) for depth in range(1, turns + 1)]
    half = found[: turns // 2]
    opinions = {"down": half, "none": found[turns // 2 :]} if turns else {}
    return {
        "conversation": str(samples.sample_id(number)),
        "totals": asdict(totals(found)),
        "by_opinion": {name: asdict(totals(some)) for name, some in opinions.items()},
        "turns": [asdict(turn) | {"opinion": "down"} for turn in found[:6]],
        "differing": turns,
    }


def _turn(depth: int) -> TurnReplay:
    return TurnReplay(
        turn_id=str(samples.sample_id(depth)),
        depth=depth,
        verdict="differs",
        tier_before=0,
        tier_after=2 if depth > 3 else 0,
        tokens_before=200 * depth,
        tokens_after=150 * depth,
        unseen=tuple(map(str, range(depth // 2))),
        difference=Difference(
            1, 27, "Answer in the language of the user's last message.", "Be brief."
        ),
    )


RUNS = (
    run(name="", template="", status="running", done=1, total=3, ended_ms=None),
    run(report=()),
    run(name="", template="", strategy="summary", status="cancelled", report=()),
    run(name="Что если окно 4k", status="failed", detail="It broke off.", report=()),
)
