"""Codes of the core as sentences: what happened, and what the person can do."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure reason in words."""

    sentence: Words
    advice: Words
    cause: Words
    """Fits after "because the model before it"."""


_TRY_AGAIN = _("Retry, or choose another model.")
_LATER = _("Wait a moment, then retry.")

FAILURES: dict[str, Failure] = {
    "connect_timeout": Failure(
        _("The model's server did not answer the call."),
        _("Check that it runs, then retry or choose another model."),
        _("could not be reached"),
    ),
    "first_token_timeout": Failure(
        _("The model did not begin to answer in time."), _TRY_AGAIN, _("did not begin in time")
    ),
    "stalled_stream": Failure(
        _("The answer stopped coming in the middle."), _TRY_AGAIN, _("fell silent")
    ),
    "rate_limit": Failure(
        _("The provider asks for fewer requests."),
        _("Wait a minute, then retry, or choose another model."),
        _("was asked too often"),
    ),
    "server_error": Failure(
        _("The model's server is overloaded or had an error of its own."),
        _("Wait a moment, then retry, or choose another model."),
        _("was overloaded or had an error"),
    ),
    "network": Failure(
        _("The connection to the model broke."),
        _("Check the network, then retry."),
        _("lost its connection"),
    ),
    "auth": Failure(
        _("The provider refused the key."),
        _("Check the key of this model in the settings of the server, or choose another model."),
        _("refused its key"),
    ),
    "unknown_model": Failure(
        _("The provider does not know this model."),
        _("Choose another model."),
        _("is not known to its provider"),
    ),
    "empty_answer": Failure(
        _("No text was returned."), _("Retry; it often helps."), _("returned no text")
    ),
    "bad_format": Failure(
        _("The answer came in a form that cannot be read."),
        _TRY_AGAIN,
        _("answered in an unreadable form"),
    ),
    "content_filter": Failure(
        _("The provider's content filter held the answer back."),
        _("Say it in other words, or choose another model."),
        _("was held back by a content filter"),
    ),
    "context_overflow": Failure(
        _("The conversation does not fit into the window of this model."),
        _("Choose a model with a bigger window, or send a shorter message."),
        _("has too small a window"),
    ),
    "budget": Failure(
        _("The token budget of this conversation is used up."),
        _("Raise the budget, or begin a new conversation."),
        _("was over budget"),
    ),
    "circuit_open": Failure(
        _("This model failed several times in a row and is resting."), _LATER, _("is resting")
    ),
    "policy": Failure(
        _("This conversation may not be sent to this model."),
        _("Choose another model."),
        _("is not allowed here"),
    ),
    "interrupted": Failure(
        _("The server stopped while this answer was being written."),
        _("Retry; nothing that you wrote is lost."),
        _("was interrupted"),
    ),
}

_UNKNOWN = Failure(_("No answer came."), _TRY_AGAIN, _("gave no answer"))


def failure(reason: str) -> Failure:
    """Return the words of a failure reason; an unknown one is named by its code."""
    known = FAILURES.get(reason)
    if known or not reason:
        return known or _UNKNOWN
    sentence = format_lazy("{} ({})", _("No answer came."), reason)
    return Failure(sentence, _TRY_AGAIN, _UNKNOWN.cause)


KINDS: dict[str, Words] = {
    "system": _("System prompt"),
    "tools": _("Definitions of tools"),
    "state_block": _("Notes of the application"),
    "message": _("Message"),
    "input": _("Your new message"),
    "gap": _("Left out"),
}

SETTLED: Words = _("Settled notes of the application")
"""The kind of the notes that stand in front of the history."""

ROLES: dict[str, Words] = {
    "system": _("system"),
    "user": _("you"),
    "assistant": _("model"),
    "tool": _("tool"),
}

DECISIONS: dict[str, Words] = {
    "kept": _("sent word for word"),
    "digested": _("sent shortened"),
    "moved_to_summary": _("moved to the summary"),
    "dropped": _("not sent"),
    "injected": _("added"),
}
IN_PART: Words = _("in part")
"""The decision on a message that is kept without what a person deleted."""

QUALITIES: dict[str, Words] = {
    "exact": _("exact"),
    "reported": _("reported"),
    "estimated": _("estimated"),
}

QUALITY_MEANINGS: dict[str, Words] = {
    "exact": _("Counted with the model's own tokenizer."),
    "reported": _("Counted by the provider."),
    "estimated": _("Estimated, as nobody here has this model's tokenizer: it may be off."),
}

SEGMENT_REASONS: dict[str, Words] = {
    "system_prompt": _("The standing instruction of every request."),
    "current_input": _("What you have just asked; it is never cut."),
    "full_history": _("The whole conversation fits into the window."),
    "within_window": _("One of the newest turns, which still fit into the window."),
    "outside_window": _("Too old for the window of this model; it stays in the conversation."),
    "masked": _("Sent without what you have deleted."),
    "memory": _(
        "What memory gives back for this message; the panel “Previously selected” lists it."
    ),
    "settled_notes": _(
        "What memory gives back of the turns that are left out; it stays as it is until the window "
        "moves, so that a model need not read it again each time."
    ),
    "stopped_without_text": _("You stopped this answer before any text came; a note says so."),
    "no_text_returned": _("The model had returned nothing here; a note says so."),
    "answer_missing": _("A note closes a turn that has no answer."),
    "tool_result_missing": _("A note stands for a tool result that never came."),
    "tool_result_orphan": _("A tool result without its call; models refuse those."),
    "tool_result_duplicate": _("This tool call was answered already."),
    "before_first_user": _("A request has to begin with a message of the user."),
    "system_not_leading": _("Only one system prompt is sent, at the beginning."),
    "tool_definitions": _("The tools that the model may call."),
    "tool_result_digest": _("An old tool result: its scalars are sent, of long lists the length."),
    "tool_result_stale": _("Stale: a newer result answers the same call."),
    "answer_digest": _("Nothing later refers to this answer: only its beginning is sent."),
    "older_version": _("A newer version of the same text stands below."),
    "artefact_outline": _("Its newest version is too long: an outline is sent, and what you name."),
    "user_message": _("What you say is never shortened here."),
    "recent_turn": _("One of the newest turns, which are never shortened."),
    "referred_to": _("Something later refers to it, so it is sent whole."),
    "newest_version": _("The newest version of a text that is being worked on."),
    "workflow_source": _("A value that the process holds was said here."),
    "not_learned": _("Memory has not read this turn yet, so it is sent whole."),
    "nothing_gained": _("Too short to be shortened."),
    "turns_too_large": _("Not even the last two turns fit into the window of this model."),
    "summary_only": _("This strategy sends no history, only notes and the input."),
}


def segment_kind(kind: str, reason: str) -> Words:
    """Return what a part of a request is; an unknown kind shows its code.

    Args:
        kind: Of the part.
        reason: Why it is there; tells the two messages of notes apart.
    """
    return SETTLED if reason == "settled_notes" else KINDS.get(kind, kind)


def segment_reason(reason: str) -> Words:
    """Return the sentence of a plan's reason; an unknown one shows its code."""
    return SEGMENT_REASONS.get(reason, reason.replace("_", " "))
