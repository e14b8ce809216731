"""A replay in words: what turns would have been told, beside what they were told."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args
from uuid import UUID

from django.utils.translation import gettext, gettext_lazy, ngettext

from chatapp.presenters import units
from chatapp.presenters.logs import Moment, moment
from chatapp.selectors.replays import Replayable, ReplayRow
from chatapp.services.replaying import ReplayedTurn
from statecore.context.strategies import StrategyName
from statecore.replay.comparing import Difference, Totals, TurnReplay, Verdict, totals

ANSWER_CHARS = 400

VERDICTS: Mapping[Verdict, Any] = {
    "same": gettext_lazy("the same bytes"),
    "differs": gettext_lazy("differs"),
    "erased": gettext_lazy("the same, with parts erased since"),
    "planner_changed": gettext_lazy("differs: planner changed"),
    "does_not_fit": gettext_lazy("would not fit"),
    "not_planned": gettext_lazy("no request was made"),
    "unproven": gettext_lazy("what is stored is not what was sent"),
}


def line(turn: ReplayedTurn) -> str:
    """Return one turn in one line."""
    found = turn.found
    parts = [
        gettext("turn %(depth)s") % {"depth": found.depth},
        str(VERDICTS[found.verdict]),
        gettext("tokens %(change)s") % {"change": change(found.tokens_before, found.tokens_after)},
        gettext("tier %(change)s") % {"change": change(found.tier_before, found.tier_after)},
    ]
    if found.unseen:
        parts.append(
            gettext("no longer seen: %(what)s") % {"what": units.messages(len(found.unseen))}
        )
    if found.seen_more:
        more = units.messages(len(found.seen_more))
        parts.append(gettext("seen in addition: %(what)s") % {"what": more})
    if found.difference is not None:
        parts.append(place(found.difference))
    return "; ".join(parts)


def answers(before: str, after: str) -> str:
    """Return what was answered and what is answered now, one under the other."""
    return gettext("  answered: %(before)s\n  answers now: %(after)s") % {
        "before": units.excerpt(before, ANSWER_CHARS),
        "after": units.excerpt(after, ANSWER_CHARS),
    }


def change(before: int | None, after: int | None) -> str:
    """Return a figure before and after; one figure where it stays."""
    figures = (before, after)
    words = ["–" if figure is None else units.tokens(figure) for figure in figures]
    return words[0] if before == after else " → ".join(words)


def place(difference: Difference) -> str:
    """Return where two requests part, with what stands there on both sides."""
    where = gettext("from message %(number)s, character %(offset)s on") % {
        "number": difference.message,
        "offset": difference.offset + 1,
    }
    if not difference.message:
        where = gettext("in what surrounds the messages")
    return f"{where}: {units.excerpt(difference.before)!r} → {units.excerpt(difference.after)!r}"


def summary(found: Totals, *, is_own: bool) -> str:
    """Return what a replay comes to, in a few sentences.

    Args:
        found: the totals.
        is_own: whether each turn was planned as it was.
    """
    turns = ngettext("%(count)s turn", "%(count)s turns", found.turns) % {"count": found.turns}
    if is_own:
        same = gettext("%(turns)s planned again: %(same)s the same bytes") % {
            "turns": turns,
            "same": found.same,
        }
        erased = gettext(", %(count)s with erased parts") % {"count": found.erased}
        other = gettext(", %(count)s otherwise") % {"count": found.differing}
        return f"{same}{erased if found.erased else ''}{other if found.differing else ''}."
    told = gettext(
        "%(turns)s planned again: %(less)s would have been told less, "
        "%(unseen)s no longer seen; tokens %(change)s."
    )
    return told % {
        "turns": turns,
        "less": found.less_told,
        "unseen": units.messages(found.unseen),
        "change": change(found.tokens_before, found.tokens_after),
    }


def document(turns: Sequence[TurnReplay]) -> dict[str, Any]:
    """Return a replay as plain JSON data."""
    return {"totals": asdict(totals(turns)), "turns": [asdict(turn) for turn in turns]}


STATUSES: Mapping[str, Any] = {
    "waiting": gettext_lazy("Waiting for a worker"),
    "running": gettext_lazy("Running"),
    "done": gettext_lazy("Done"),
    "cancelled": gettext_lazy("Cancelled"),
    "failed": gettext_lazy("Broke off"),
}

OPINIONS: Mapping[str, Any] = {
    "down": gettext_lazy("thumb down"),
    "replaced": gettext_lazy("edited or regenerated"),
    "up": gettext_lazy("thumb up"),
    "none": gettext_lazy("no opinion"),
}
"""In the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class RunView:
    """One replay in a list."""

    id: UUID
    name: str
    status: str
    """Its code, for the look of it."""
    status_text: str
    is_open: bool
    """Whether it goes on."""
    is_cancelling: bool
    done: int
    total: int
    percent: int
    at: Moment
    settings: str
    detail: str


@dataclass(frozen=True, slots=True)
class OpinionView:
    """The turns of one opinion."""

    name: str
    turns: int
    less: int
    tokens: str


@dataclass(frozen=True, slots=True)
class DifferingTurn:
    """One turn that would be told otherwise."""

    turn_id: str
    depth: int
    verdict: str
    tokens: str
    tier: str
    unseen: int
    seen_more: int
    opinion: str
    difference: str


@dataclass(frozen=True, slots=True)
class ConversationReplay:
    """What was found in one conversation."""

    id: str
    title: str
    is_gone: bool
    sentence: str
    turns: tuple[DifferingTurn, ...]
    more: int
    """Turns that differ and are not listed."""


def present_replays(
    runs: Sequence[ReplayRow],
    conversations: Sequence[Replayable],
    models: Sequence[str],
    error: str = "",
) -> dict[str, object]:
    """Return the context of `replay/list.html`.

    Args:
        runs: the newest first.
        conversations: that can be chosen, the newest first.
        models: names of all models.
        error: why the last order was not taken; empty when it was.
    """
    return {
        "runs": tuple(map(run_view, runs)),
        "conversations": conversations,
        "models": models,
        "strategies": get_args(StrategyName),
        "error": error,
        "turns": sum(row.turns for row in conversations),
    }


def run_view(run: ReplayRow) -> RunView:
    """Return one replay in words."""
    parts = (
        gettext("strategy %(name)s") % {"name": run.strategy} if run.strategy else "",
        gettext("model %(name)s") % {"name": run.model} if run.model else "",
        gettext("another template") if run.template else "",
        *run.tuning,
    )
    asked = ", ".join(part for part in parts if part)
    return RunView(
        id=run.id,
        name=run.name or asked or gettext("As it was"),
        status=run.status,
        status_text=str(STATUSES[run.status]),
        is_open=run.ended_ms is None,
        is_cancelling=run.is_cancelling,
        done=run.done,
        total=run.total,
        percent=100 * run.done // run.total if run.total else 100,
        at=moment(run.created_ms),
        settings=asked or gettext("Every turn as it was"),
        detail=run.detail,
    )


def present_run(run: ReplayRow, titles: Mapping[str, str]) -> dict[str, object]:
    """Return the context of `replay/run.html`.

    Args:
        run: with what it found so far.
        titles: of its conversations, by id.
    """
    found = [one for one in run.report if not one.get("gone")]
    total = _added([one["totals"] for one in found])
    is_own = not (run.template or run.strategy or run.model or run.tuning)
    return {
        "run": run_view(run),
        "sentence": summary(total, is_own=is_own) if found else "",
        "opinions": tuple(_opinions(found)) if not is_own else (),
        "conversations": tuple(_conversation(one, titles, is_own=is_own) for one in run.report),
    }


def _conversation(
    one: Mapping[str, Any], titles: Mapping[str, str], *, is_own: bool
) -> ConversationReplay:
    name = one["conversation"]
    title = titles.get(name, "") or gettext("New conversation")
    if one.get("gone"):
        return ConversationReplay(name, title, is_gone=True, sentence="", turns=(), more=0)
    turns = tuple(_turn(turn) for turn in one["turns"])
    return ConversationReplay(
        id=name,
        title=title,
        is_gone=name not in titles,
        sentence=summary(Totals(**one["totals"]), is_own=is_own),
        turns=turns,
        more=one["differing"] - len(turns),
    )


def _turn(turn: Mapping[str, Any]) -> DifferingTurn:
    difference = turn["difference"]
    return DifferingTurn(
        turn_id=turn["turn_id"],
        depth=turn["depth"],
        verdict=str(VERDICTS[turn["verdict"]]),
        tokens=change(turn["tokens_before"], turn["tokens_after"]),
        tier=change(turn["tier_before"], turn["tier_after"]),
        unseen=len(turn["unseen"]),
        seen_more=len(turn["seen_more"]),
        opinion="" if turn["opinion"] == "none" else str(OPINIONS[turn["opinion"]]),
        difference="" if difference is None else place(Difference(**difference)),
    )


def _opinions(found: Sequence[Mapping[str, Any]]) -> Iterator[OpinionView]:
    for name, words in OPINIONS.items():
        some = [one["by_opinion"][name] for one in found if name in one["by_opinion"]]
        if some:
            total = _added(some)
            tokens = change(total.tokens_before, total.tokens_after)
            yield OpinionView(str(words), total.turns, total.less_told, tokens)


def _added(found: Sequence[Mapping[str, Any]]) -> Totals:
    """Return what the totals of several conversations come to."""
    first = next((one["first_differing"] for one in found if one["first_differing"]), None)
    numbers = {
        name: sum(one[name] for one in found)
        for name in Totals.__dataclass_fields__
        if name not in {"first_differing", "tiers_before", "tiers_after"}
    }
    return Totals(**numbers, first_differing=first, tiers_before={}, tiers_after={})
