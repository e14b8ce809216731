"""The strategies side by side: what each would send of the same path and input."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chatapp.presenters import missing as lacking
from chatapp.presenters import reasons, units
from chatapp.presenters.gauges import window_sentence
from chatapp.presenters.leftovers import Leftover, present_leftovers
from chatapp.presenters.overflow import overflow_sentence
from chatapp.presenters.reasons import Words
from chatapp.presenters.remembered import Remembered, SelectedView
from chatapp.presenters.told import told_of_plan, wire_sources
from chatapp.selectors.inspector import Places
from chatapp.selectors.rows import ModelChoice
from chatapp.services.comparing import Compared, Comparison
from statecore.context.strategies import Strategy, StrategyName

NAMES: dict[StrategyName, Words] = {
    "full": _("Full history"),
    "sliding": _("Sliding window"),
    "summary": _("Summary only"),
    "elastic": _("Elastic"),
}
MEANINGS: dict[StrategyName, Words] = {
    "full": _("Everything that was said, or nothing."),
    "sliding": _("The newest messages, without memory."),
    "summary": _("Notes of what was learned and the input, without history."),
    "elastic": _("The four tiers: as mild as the window allows. This is what Glassbox sends."),
}
_SCALE = 1000


@dataclass(frozen=True, slots=True)
class CompareFigure:
    """One labelled number."""

    label: Words
    value: str


@dataclass(frozen=True, slots=True)
class Column:
    """One strategy."""

    name: Words
    code: StrategyName
    meaning: Words
    setting: str
    """How a sliding window was cut; empty for others."""
    tokens: str
    quality: Words
    share: str
    width: int
    """Thousandths of the window."""
    against_full: str
    """Compared with the full history; empty for the full history itself."""
    overflow: str
    """Why it does not fit; empty where it does."""
    figures: tuple[CompareFigure, ...]
    missing: tuple[SelectedView, ...]
    """What holds and would not be sent."""
    leftovers: tuple[Leftover, ...]
    unread: str = ""
    """How many turns nobody has read yet; empty when all are read."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What stands in the form."""

    text: str = ""
    turn_id: UUID | None = None
    """Whose input is planned again where no text is typed."""
    last_messages: int | None = None
    last_tokens: int | None = None
    error: str = ""


def present_comparison(
    comparison: Comparison | None,
    places: Places,
    models: Sequence[ModelChoice],
    asked: Asked,
    conversation_id: UUID,
) -> dict[str, object]:
    """Return the context of `inspector/compare.html`.

    Args:
        comparison: All strategies; None when there is nothing to compare.
        places: Where messages and turns stand.
        models: All models, the one that is planned for selected.
        asked: What stands in the form.
        conversation_id: Whose it is.
    """
    return {
        "conversation_id": conversation_id,
        "models": models,
        "asked": asked,
        "columns": tuple(_columns(comparison, places)) if comparison else (),
        "input": units.excerpt(comparison.input_text, 200) if comparison else "",
        "is_typed": comparison is not None and comparison.turn_id is None,
        "is_chosen": comparison is not None and comparison.turn_id == asked.turn_id,
        "window": units.tokens(comparison.model.window_tokens) if comparison else "",
        "window_note": window_sentence(comparison.window) if comparison else "",
        "unread": comparison.unread_turns if comparison else 0,
    }


def comparison_sources(comparison: Comparison) -> Iterator[str]:
    """Yield the ids of the messages and turns that a comparison links to."""
    for row in comparison.rows:
        if row.plan is not None:
            yield from wire_sources(told_of_plan(row.plan, comparison.memory))


def _columns(comparison: Comparison, places: Places) -> Iterator[Column]:
    full = next((row for row in comparison.rows if row.strategy.name == "full"), None)
    remembered = Remembered(comparison.memory, places)
    for row in comparison.rows:
        name = row.strategy.name
        told = None if row.plan is None else told_of_plan(row.plan, comparison.memory)
        yield Column(
            name=NAMES[name],
            code=name,
            meaning=MEANINGS[name],
            setting=_setting(row.strategy),
            tokens=units.tokens(row.prompt_tokens, row.quality),
            quality=reasons.QUALITIES[row.quality],
            share=units.percent(row.rho),
            width=min(_SCALE, round(row.rho * _SCALE)),
            against_full="" if full in {None, row} else _against(row, full),
            overflow=overflow_sentence(row.overflow) if row.overflow else "",
            figures=tuple(_figures(row)),
            missing=tuple(
                remembered.view(found.entry_id, lacking.KINDS[found.kind])
                for found in row.missing
                if found.is_active and found.kind != "unread"
            ),
            unread=lacking.unread_words(
                sum(found.turns for found in row.missing if found.kind == "unread")
            ),
            leftovers=()
            if told is None
            else present_leftovers(told.segments, told.left_out, remembered, places),
        )


def _setting(strategy: Strategy) -> str:
    if strategy.last_messages is not None:
        return gettext("the last %(count)s messages") % {
            "count": units.tokens(strategy.last_messages)
        }
    if strategy.last_tokens is not None:
        return gettext("the last %(count)s tokens of the history") % {
            "count": units.tokens(strategy.last_tokens)
        }
    if strategy.prompt_tokens is not None:
        return gettext("at most %(count)s tokens in all, as many as elastic sends") % {
            "count": units.tokens(strategy.prompt_tokens)
        }
    return ""


def _against(row: Compared, full: Compared | None) -> str:
    if full is None or not full.prompt_tokens:
        return ""
    share = row.prompt_tokens / full.prompt_tokens - 1
    if share < 0:
        return gettext("%(share)s fewer than the full history") % {"share": units.percent(-share)}
    if share > 0:
        return gettext("%(share)s more than the full history") % {"share": units.percent(share)}
    return gettext("as many as the full history")


def _figures(row: Compared) -> Iterator[CompareFigure]:
    if row.plan is None:
        return
    kinds: Counter[str] = Counter(found.kind for found in row.missing if found.is_active)
    yield CompareFigure(_("Tier"), str(row.plan.tier) if row.strategy.name == "elastic" else "–")
    yield CompareFigure(_("Turns sent"), units.tokens(row.turns_sent))
    yield CompareFigure(_("Messages sent"), units.tokens(row.messages_sent))
    yield CompareFigure(_("Messages left out"), units.tokens(row.messages_left_out))
    yield CompareFigure(_("Things in the notes"), units.tokens(row.entries))
    for kind, label in lacking.KINDS.items():
        if kind != lacking.UNREAD:
            words = gettext("%(kind)s missing") % {"kind": label}
            yield CompareFigure(words, units.tokens(kinds.get(kind, 0)))
