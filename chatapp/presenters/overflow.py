"""What is said of a request that does not fit into the window, whatever is left out."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chatapp.presenters import units
from chatapp.presenters.reasons import Words
from statecore.context.plan import DoesNotFit

PARTS: dict[str, Words] = {
    "system_prompt": _("system prompt"),
    "contract_fields": _("contract fields"),
    "tool_definitions": _("definitions of tools"),
    "workflow_values": _("values of the workflow"),
    "current_input": _("your message"),
    "history": _("history"),
    "reply_reserve": _("kept free for the answer"),
}


def overflow_sentence(found: DoesNotFit) -> str:
    """Return that a request does not fit, and its largest parts."""
    parts = ", ".join(
        f"{PARTS.get(name, name)} {units.tokens(tokens)}" for name, tokens in found.largest
    )
    return gettext(
        "Does not fit: what is never cut takes %(needed)s of %(window)s tokens (%(parts)s)."
    ) % {
        "needed": units.tokens(found.needed_tokens),
        "window": units.tokens(found.window_tokens),
        "parts": parts,
    }
