"""Multiplies estimated counts by what providers have reported before, script by script."""

from collections.abc import Mapping

from chatapp.store.calibrations import Calibration
from chatapp.store.contexts import PathContext
from statecore.context.plan import ContextPlan
from statecore.language.script_tokens import script_of, tokens_by_script
from statecore.models import ModelSpec
from statecore.tokens import Count, CountKey, Counts, calibrated


class Scales:
    """The factors that hold for one plan."""

    def __init__(self, context: PathContext, model: ModelSpec) -> None:
        """Context: what is planned from; model: whose estimates were off."""
        self._name = model.name
        self._by_model = dict(context.factors)
        self._factors = self._by_model.get(model.name, {})
        self._scripts: dict[str, str] = {}
        self._texts = _texts(context) if self._factors else {}

    def counts(self, counts: Mapping[CountKey, Count]) -> Counts:
        """Return counts in which the estimated ones are multiplied."""
        if not self._factors:
            return counts
        return {
            key: calibrated(count, self._factor(key.message_id))
            if count.quality == "estimated"
            else count
            for key, count in counts.items()
        }

    def of(self, plan: ContextPlan) -> Calibration:
        """Return what a request was counted with."""
        texts = (message.text for message in plan.request.messages)
        by_script = tokens_by_script(texts) if plan.quality == "estimated" else {}
        # The model that is asked goes to the end: the oldest ones are forgotten.
        rest = {name: found for name, found in self._by_model.items() if name != self._name}
        return Calibration(self._name, rest | {self._name: self._factors}, by_script)

    def _factor(self, message_id: str) -> float:
        script = self._scripts.get(message_id)
        if script is None:
            text = self._texts.get(message_id)
            if text is None:
                # A text of the template or the notes: the most that anything needs is safe.
                return max(1.0, *self._factors.values())
            script = self._scripts[message_id] = script_of(text)
        return self._factors.get(script, 1.0)


def _texts(context: PathContext) -> dict[str, str]:
    state = context.state
    messages = [message for turn in state.turns for message in turn.messages]
    messages += [found for found in (state.system, state.input) if found is not None]
    return {message.id: message.text for message in messages}
