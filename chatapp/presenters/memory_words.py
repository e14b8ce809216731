"""Codes of memory as words: kinds, statuses, authors, reasons."""

from django.utils.translation import gettext_lazy as _

from chatapp.presenters.reasons import Words
from statecore.memory.ledger import Author, EntryKind, EntryStatus
from statecore.state.operations import RejectReason

GROUPS: dict[EntryKind, Words] = {
    "goal": _("Goals"),
    "rule": _("Rules and prohibitions"),
    "preference": _("Preferences"),
    "agreement": _("Agreements"),
    "decision": _("Decisions"),
    "fact": _("Facts"),
    "promise": _("Promises"),
    "task": _("Open tasks"),
    "question": _("Open questions"),
    "step": _("Steps"),
    "assumption": _("Assumptions, not facts"),
}
"""In the order in which the panel shows them."""

KINDS: dict[str, Words] = {
    "goal": _("goal"),
    "rule": _("rule"),
    "preference": _("preference"),
    "agreement": _("agreement"),
    "decision": _("decision"),
    "fact": _("fact"),
    "promise": _("promise"),
    "task": _("task"),
    "question": _("question"),
    "step": _("step"),
    "assumption": _("assumption"),
    "skip": _("nothing to keep"),
}

STATUSES: dict[EntryStatus, Words] = {
    "active": _("active"),
    "paused": _("paused"),
    "superseded": _("replaced"),
    "resolved": _("done"),
    "in_conflict": _("in conflict"),
    "deleted": _("deleted"),
}

AUTHORS: dict[Author, Words] = {
    "rules": _("found by a rule"),
    "model": _("labelled by the model"),
    "user": _("added by you"),
    "tool": _("from a tool"),
}

FORESEEN: Words = _("found by a rule, while the rest is being read")

SETTERS: dict[Author, Words] = {
    "rules": _("set by a rule"),
    "model": _("set by the model"),
    "user": _("set by you"),
    "tool": _("set by a tool"),
}

REJECTIONS: dict[RejectReason, Words] = {
    "secret": _("It looks like a password, a token, a card or a document; its words are not kept."),
    "not_in_message": _("The model cited a sentence that is not in the message."),
    "bad_label": _("The model gave it a label that does not exist here."),
    "too_long": _("It is a document rather than a sentence."),
    "deleted_by_user": _("You have deleted it; it stays deleted."),
    "not_asked": _("The model was not asked about it."),
}

NOTES: dict[str, Words] = {
    "no_model": _("by rules alone: no model may label here"),
    "model_unavailable": _("by rules alone: the labelling model did not answer"),
    "unreadable": _("by rules alone: the labelling model's answer could not be read"),
}
"""How a turn was read, after "turn 3 was read"; that a model read it needs no words."""

SELECTED_GROUPS: dict[str, Words] = {
    "workflow": _("Where the conversation stands"),
    "contract": _("Contract: how every model answers"),
    "fact": _("Long-term facts"),
    "goal": _("Goals"),
    "rule": _("Rules and prohibitions"),
    "agreement": _("Agreements and decisions"),
    "open": _("Open: promises, tasks, questions"),
    "other": _("Facts and preferences"),
    "assumption": _("Assumptions, said to be such"),
    "field": _("Session state"),
    "waiting": _("Not summarised yet"),
    "anchor": _("Old messages that you point at"),
}

SELECTED_REASONS: dict[str, Words] = {
    "pinned": _("You pinned it."),
    "edited": _("You changed its words."),
    "added": _("You added it."),
    "goal": _("Goals always come along."),
    "rule": _("Rules always come along."),
    "agreement": _("Agreements and decisions always come along."),
    "open": _("What is open comes along until it is done."),
    "named_by_input": _("It shares words with what you asked."),
    "exact": _("A correction, a refusal or an exact value always comes along."),
    "newest": _("One of the newest that fit."),
    "settled": _("Chosen when the window last moved; it stays until the window moves again."),
    "assumption": _("Sent as an assumption, not as a fact."),
    "field": _("A live field that the model may see."),
    "waiting": _("The turn left the window before it was read."),
    "fact": _("A long-term fact that fits this question."),
    "workflow": _("A value that the workflow holds; it is never cut."),
    "contract": _("A contract field; it travels to every model and is never cut."),
    "link": _("You point at a link."),
    "code": _("You point at a piece of code."),
    "table": _("You point at a table."),
    "list": _("You point at a list."),
    "file": _("You point at a file."),
    "step": _("You point at a step by its number."),
    "message": _("You point at a message by its place."),
    "back_reference": _("You point back at what was said."),
    "quotation": _("You quote it."),
    "named": _("You name words that only this message has."),
    "artefact": _("The newest version of what you ask to change."),
    "last_intent": _("It says what you want; nothing newer does."),
}

LEFT_OUT_REASONS: dict[str, Words] = {
    "visible": _("It stands word for word in the messages that were sent."),
    "over_limit": _("The notes were full: what ranks lower stays out whole."),
    "not_active": _("It is paused, replaced or done."),
}
