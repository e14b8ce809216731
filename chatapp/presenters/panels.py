"""The inspector's panels: their names, what each is, and the figure in its head."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from chatapp.presenters import units
from chatapp.presenters.context import newest_attempt
from chatapp.presenters.reasons import Words
from chatapp.presenters.session import live_fields
from chatapp.selectors.inspector import LookedAt
from chatapp.selectors.memory import MemoryPage

Panel = Literal["context", "summary", "session", "selected", "branches", "attempts", "log"]


@dataclass(frozen=True, slots=True)
class PanelHead:
    """One foldable panel."""

    name: Panel
    title: Words
    line: Words
    """What it is, in one line."""
    is_open: bool
    """Until a person folds or opens it."""

    @property
    def url_name(self) -> str:
        """The name of its route."""
        return f"panel_{self.name}"


PANELS = (
    PanelHead("context", _("Context"), _("What the model was told, part by part."), True),
    PanelHead(
        "summary",
        _("Summary"),
        _("What this conversation taught, in its own sentences. Yours to change."),
        True,
    ),
    PanelHead(
        "session",
        _("Session state"),
        _("Temporary notes of this conversation, each with its end."),
        False,
    ),
    PanelHead(
        "selected",
        _("Previously selected"),
        _("What memory gave back to the model this turn, and why."),
        False,
    ),
    PanelHead(
        "branches",
        _("Branches"),
        _("Every way that this conversation has taken. Nothing is lost by switching."),
        False,
    ),
    PanelHead("attempts", _("Attempts"), _("Every call of a model, and what came of it."), False),
    PanelHead(
        "log",
        _("Log"),
        _("Everything that happened here, and every message as it was said."),
        False,
    ),
)


@dataclass(frozen=True, slots=True)
class Figure:
    """What a head says while its panel is folded."""

    name: Panel
    text: str


def present_heads(
    looked: LookedAt | None, page: MemoryPage, last_seq: int, branches: int
) -> dict[str, object]:
    """Return the context of `inspector/_heads.html`: one figure for each panel.

    Args:
        looked: The turn that panels speak of; None before the first.
        page: What memory holds.
        last_seq: Number of the newest transition.
        branches: How many there are; one is no choice and says nothing.
    """
    attempt = newest_attempt(looked.turn) if looked else None
    sent = attempt.rho_sent if attempt else None
    selected = len(attempt.selected) if attempt else 0
    texts: Mapping[Panel, str] = {
        "context": units.percent(sent) if sent is not None else "",
        "summary": _summary(page),
        "session": _number(live_fields(page)),
        "selected": _number(selected),
        "branches": _number(branches) if branches > 1 else "",
        "attempts": _attempts(looked),
        "log": _number(last_seq),
    }
    return {"figures": tuple(Figure(panel.name, texts[panel.name]) for panel in PANELS)}


def _summary(page: MemoryPage) -> str:
    count, waiting = len(page.memory.active()), len(page.waiting)
    texts = []
    if count:
        words = ngettext("%(count)s entry", "%(count)s entries", count)
        texts.append(words % {"count": count})
    if waiting:
        words = ngettext("%(count)s turn waits", "%(count)s turns wait", waiting)
        texts.append(words % {"count": waiting})
    return " · ".join(texts)


def _attempts(looked: LookedAt | None) -> str:
    if looked is None:
        return ""
    failed = sum(row.status in {"failed", "interrupted"} for row in looked.turn.attempts)
    if failed:
        return gettext("%(count)s failed") % {"count": failed}
    return _number(len(looked.turn.attempts))


def _number(count: int) -> str:
    return number_format(count, use_l10n=True, force_grouping=True) if count else ""
