"""The line under the composer: how large the next request would be, and the request itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext, ngettext

from chatapp.presenters import reasons, units
from chatapp.presenters.missing import unread_words
from chatapp.presenters.overflow import overflow_sentence
from chatapp.presenters.told import Told, told_of_plan
from chatapp.presenters.wire import WireView, wire_view
from chatapp.selectors.inspector import Places
from chatapp.services.previewing import Preview
from statecore.context.plan import ContextPlan, DoesNotFit


@dataclass(frozen=True, slots=True)
class PreviewView:
    """What the line says."""

    sentence: str
    note: str
    """What is brought back and what is left out; empty where there is nothing."""
    warning: str
    """What holds and would not be sent; empty where all of it would."""
    wire: WireView | None
    """The request, where somebody has opened the line."""


def previewed(outcome: Preview) -> Told:
    """Return the request that would be sent, as the wire view takes it."""
    return told_of_plan(outcome.plan, outcome.memory)


def present_preview(
    outcome: Preview | DoesNotFit | None,
    conversation_id: UUID,
    places: Places | None = None,
) -> dict[str, object]:
    """Return the context of `chat/_preview.html`.

    Args:
        outcome: What would be sent; None where nothing can be said.
        conversation_id: Whose it is.
        places: Where messages stand; None where only the size is asked for.
    """
    return {"conversation_id": conversation_id, "preview": _view(outcome, places)}


def _view(outcome: Preview | DoesNotFit | None, places: Places | None) -> PreviewView | None:
    if outcome is None:
        return None
    if isinstance(outcome, DoesNotFit):
        return PreviewView(overflow_sentence(outcome), "", "", None)
    wire = None if places is None else wire_view(previewed(outcome), places, "next")
    return PreviewView(_sentence(outcome.plan), _note(outcome), _warning(outcome), wire)


def _sentence(plan: ContextPlan) -> str:
    return gettext("Next request: %(tokens)s tokens (%(quality)s), tier %(tier)s, %(share)s") % {
        "tokens": units.tokens(plan.prompt_tokens),
        "quality": reasons.QUALITIES[plan.quality],
        "tier": plan.tier,
        "share": units.percent(plan.rho_sent),
    }


def _note(outcome: Preview) -> str:
    notes = list(_pointers(outcome.plan))
    if outcome.is_waiting:
        notes.append(gettext("the answer that is being written counts as far as it has come"))
    if outcome.before.tier not in {None, outcome.plan.tier}:
        notes.append(gettext("tier %(tier)s before") % {"tier": outcome.before.tier})
    if outcome.plan.dropped_turns:
        count = outcome.plan.dropped_turns
        words = ngettext("%(count)s turn not sent", "%(count)s turns not sent", count)
        notes.append(words % {"count": count})
    return " · ".join(notes)


def _warning(outcome: Preview) -> str:
    count = sum(found.is_active for found in outcome.missing if found.kind != "unread")
    if not count:
        return unread_words(sum(found.turns for found in outcome.missing))
    words = ngettext(
        "%(count)s thing that holds would be missing",
        "%(count)s things that hold would be missing",
        count,
    )
    return words % {"count": count}


def _pointers(plan: ContextPlan) -> Iterator[str]:
    """Yield which phrases of the input bring back an old message."""
    text = plan.request.messages[-1].text
    for found in plan.anchors:
        if found.pointer_end > found.pointer_start:
            phrase = units.excerpt(text[found.pointer_start : found.pointer_end], 40)
            yield gettext("“%(phrase)s” → turn %(turn)s") % {"phrase": phrase, "turn": found.depth}
