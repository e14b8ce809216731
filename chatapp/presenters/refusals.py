"""Why nothing was done, in one sentence."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_SENTENCES: dict[str, str | Promise] = {
    "moved_on": _(
        "The conversation moved on in another window. Your text is kept: look at what is new, "
        "then send it again."
    ),
    "answered_meanwhile": _(
        "An answer is being written there. Wait until it is complete, or stop it."
    ),
    "archived": _("This branch is archived. Restore it to write on it. Your text is kept."),
    "no_such_turn": _("There is no such turn in this conversation."),
    "model_not_ready": _("The model is not ready yet. Your text is kept."),
    "draining": _("The server is restarting. Your text is kept; send it again in a moment."),
    "bad_before": _("There is nothing before this."),
    "changed_meanwhile": _("It was changed meanwhile. Look at what it says now; yours is kept."),
    "not_there": _("It is not there any more: it was deleted or taken back meanwhile."),
    "state_not_empty": _(
        "A state can be imported into an empty conversation only. Begin a new one and import it "
        "there."
    ),
    "invalid": _("That cannot be sent as it is."),
}


def present_refusal(code: str, sentence: str = "") -> dict[str, object]:
    """Return the context of `chat/_refusal.html`.

    Args:
        code: What refused.
        sentence: Says it more exactly than the code can; empty for the standing sentence.
    """
    return {"code": code, "sentence": sentence or _SENTENCES.get(code, _SENTENCES["invalid"])}
