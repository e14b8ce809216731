"""Compares a request that was sent with the one that is planned for the same turn now."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from statecore.requests import Request, RequestMessage

EXCERPT_CHARS = 60

Verdict = Literal[
    "same", "differs", "erased", "planner_changed", "does_not_fit", "not_planned", "unproven"
]
"""same: byte for byte; erased: the same but for parts that were erased since; planner_changed: it
differs, and another version of the planner made it; does_not_fit: there is no plan now;
not_planned: no request was stored for the turn; unproven: what is stored is not what was sent."""

EXCUSED: frozenset[Verdict] = frozenset({"same", "erased"})


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request as it is stored."""

    turn_id: str
    depth: int
    request: Request
    message_ids: tuple[str, ...]
    """Messages of the conversation in it, word for word or shortened."""
    tier: int
    prompt_tokens: int
    planner_version: int
    is_proven: bool = True
    """Whether the commitment made before it was sent is the one of what is stored."""
    has_erased: bool = False
    """Whether a part of it was erased since."""


@dataclass(frozen=True, slots=True)
class Replanned:
    """The request for the same turn as it is planned now."""

    request: Request
    message_ids: tuple[str, ...]
    tier: int
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place at which two requests differ."""

    message: int
    """Number of the message in the request, from 1 on; 0 where all messages are the same."""
    offset: int
    """In the text of that message; 0 where the text is the same."""
    before: str
    """What stood there; empty where nothing did."""
    after: str


@dataclass(frozen=True, slots=True)
class TurnReplay:
    """One turn: what was sent and what would be."""

    turn_id: str
    depth: int
    verdict: Verdict
    tier_before: int | None
    tier_after: int | None
    tokens_before: int | None
    """Of the prompt."""
    tokens_after: int | None
    unseen: tuple[str, ...] = ()
    """Ids of the messages that the model would no longer have seen."""
    seen_more: tuple[str, ...] = ()
    """Ids of the messages that it would have seen in addition."""
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """What many turns come to."""

    turns: int
    same: int
    erased: int
    differing: int
    """Verdicts that are not excused."""
    first_differing: str | None
    """Id of the first such turn."""
    tokens_before: int
    """Of the turns that have both, as the next."""
    tokens_after: int
    less_told: int
    """Turns of which the model would have seen fewer messages."""
    unseen: int
    """Messages that it would no longer have seen, turn by turn."""
    seen_more: int
    tiers_before: dict[int, int]
    """Number of turns by tier."""
    tiers_after: dict[int, int]


def compared(recorded: Recorded, now: Replanned | None, planner_version: int) -> TurnReplay:
    """Return what became of one turn.

    Args:
        recorded: what was sent.
        now: what would be sent; None when it does not fit.
        planner_version: of the planner that made `now`.
    """
    found = None if now is None else first_difference(recorded.request, now.request)
    before, after = frozenset(recorded.message_ids), frozenset(now.message_ids if now else ())
    return TurnReplay(
        turn_id=recorded.turn_id,
        depth=recorded.depth,
        verdict=_verdict(recorded, now, found, planner_version),
        tier_before=recorded.tier,
        tier_after=None if now is None else now.tier,
        tokens_before=recorded.prompt_tokens,
        tokens_after=None if now is None else now.prompt_tokens,
        unseen=tuple(dict.fromkeys(id_ for id_ in recorded.message_ids if id_ not in after)),
        seen_more=tuple(
            dict.fromkeys(id_ for id_ in (now.message_ids if now else ()) if id_ not in before)
        ),
        difference=found,
    )


def _verdict(
    recorded: Recorded, now: Replanned | None, found: Difference | None, planner_version: int
) -> Verdict:
    if now is None:
        return "does_not_fit"
    if found is not None:
        is_other = recorded.planner_version != planner_version
        return "planner_changed" if is_other else "differs"
    if recorded.is_proven:
        return "same"
    return "erased" if recorded.has_erased else "unproven"


def not_planned(turn_id: str, depth: int) -> TurnReplay:
    """Return the account of a turn that has no stored request."""
    return TurnReplay(turn_id, depth, "not_planned", None, None, None, None)


def first_difference(before: Request, after: Request) -> Difference | None:
    """Return the first place at which two requests differ, or None when they are the same."""
    pairs = zip_longest(before.messages, after.messages)
    for number, (one, other) in enumerate(pairs, start=1):
        if one != other:
            return _between(number, one, other)
    if before == after:
        return None
    return Difference(0, 0, _frame(before), _frame(after))


def _frame(request: Request) -> str:
    tools = ", ".join(tool.name for tool in request.tools)
    return f"{request.model}, {request.max_output_tokens} tokens, tools: {tools or 'none'}"


def _between(number: int, one: RequestMessage | None, other: RequestMessage | None) -> Difference:
    if one is None or other is None or one.text == other.text:
        return Difference(number, 0, _told(one), _told(other))
    offset = next(
        (at for at, (a, b) in enumerate(zip(one.text, other.text, strict=False)) if a != b),
        min(len(one.text), len(other.text)),
    )
    return Difference(number, offset, _cut(one.text, offset), _cut(other.text, offset))


def _told(message: RequestMessage | None) -> str:
    if message is None:
        return ""
    calls = "".join(f" {call.name}({call.arguments})" for call in message.tool_calls)
    return f"{message.role}:{calls} {_cut(message.text, 0)}"


def _cut(text: str, offset: int) -> str:
    return text[offset : offset + EXCERPT_CHARS]


def totals(turns: Sequence[TurnReplay]) -> Totals:
    """Return what turns come to."""
    both = [turn for turn in turns if turn.tokens_before is not None]
    both = [turn for turn in both if turn.tokens_after is not None]
    differing = [turn for turn in turns if turn.verdict not in EXCUSED]
    return Totals(
        turns=len(turns),
        same=sum(turn.verdict == "same" for turn in turns),
        erased=sum(turn.verdict == "erased" for turn in turns),
        differing=len(differing),
        first_differing=differing[0].turn_id if differing else None,
        tokens_before=sum(turn.tokens_before or 0 for turn in both),
        tokens_after=sum(turn.tokens_after or 0 for turn in both),
        less_told=sum(bool(turn.unseen) for turn in both),
        unseen=sum(len(turn.unseen) for turn in both),
        seen_more=sum(len(turn.seen_more) for turn in both),
        tiers_before=_tiers(turn.tier_before for turn in turns),
        tiers_after=_tiers(turn.tier_after for turn in turns),
    )


def _tiers(tiers: Iterable[int | None]) -> dict[int, int]:
    found: dict[int, int] = {}
    for tier in tiers:
        if tier is not None:
            found[tier] = found.get(tier, 0) + 1
    return dict(sorted(found.items()))
