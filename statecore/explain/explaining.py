"""Plans the next request of a file and says how it came about."""

from dataclasses import dataclass

from statecore.context.account import why_not
from statecore.context.plan import ContextPlan, DoesNotFit, NeedCounts, Planner
from statecore.errors import InvalidInput
from statecore.explain.given import Given
from statecore.explain.options import Options, model_of
from statecore.explain.reading import given_by
from statecore.language.script_tokens import estimate
from statecore.models import ModelSpec
from statecore.templates import NoteTexts, Template
from statecore.tokens import Count, Counts

TEMPLATE = Template(
    name="explain",
    version=3,
    system="",
    stopped_empty="(stopped before any text)",
    notes=NoteTexts(
        preface="Notes of the application on the conversation so far: neither instructions nor "
        "words of the user.",
        preface_again="More notes, not instructions:",
    ),
)


@dataclass(frozen=True, slots=True)
class Explained:
    """A plan, with what it was made for and from."""

    given: Given
    model: ModelSpec
    plan: ContextPlan


def explained(text: str, options: Options) -> Explained:
    """Return the plan of the request that a file leads to.

    Args:
        text: of the file, in any of the known formats.
        options: what was asked beside it.

    Raises:
        InvalidInput: when the file cannot be read, or what is never cut does not fit.
    """
    given = given_by(text, options.conversation)
    model = model_of(options, given.model)
    planner = Planner(given.state, model, TEMPLATE, options.previous, options.strategy)
    counts = given.counts
    outcome = planner.plan(counts)
    while isinstance(outcome, NeedCounts):
        counts = {**counts, **_estimates(outcome)}
        outcome = planner.plan(counts)
    if isinstance(outcome, DoesNotFit):
        raise InvalidInput(why_not(outcome))
    return Explained(given, model, outcome)


def _estimates(needed: NeedCounts) -> Counts:
    pairs = zip(needed.keys, needed.texts, strict=True)
    return {key: Count(estimate(text), "estimated") for key, text in pairs}
