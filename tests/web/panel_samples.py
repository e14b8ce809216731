"""The panels of the inspector with sample rows, drawn."""

import re

from django.template.loader import render_to_string

from chatapp.presenters.attempts import present_attempts
from chatapp.presenters.branches import present_branches
from chatapp.presenters.context import present_context
from chatapp.presenters.logs import present_log
from chatapp.presenters.panels import present_heads
from chatapp.presenters.selected import present_selected
from chatapp.presenters.session import present_session
from chatapp.presenters.summary import Editing, present_summary
from chatapp.presenters.wire import present_wire
from tests.web import branch_samples, memory_samples, samples, wire_samples


def panels():
    """Return the panels of the inspector that each picture shows open, as HTML by name."""
    page, places, looked = (
        memory_samples.page(),
        memory_samples.places(),
        memory_samples.looked_at(),
    )
    conversation, now_ms = samples.sample_id(900), memory_samples.NOW_MS
    calm, changed = Editing(), Editing(page.memory.entries[2].id, 4)
    gone = Editing("mood", 6)

    def drawn(name, context):
        return {name: render_to_string(f"inspector/_{name}.html", context)}

    def summary(page, editing=calm, **more):
        rest = {"editing": editing, "now_ms": now_ms, **more}
        return drawn("summary", present_summary(page, places, conversation, **rest))

    def session(editing=calm):
        context = present_session(page, places, conversation, editing=editing, now_ms=now_ms)
        return drawn("session", context)

    heads = present_heads(looked, page, 118, 4)
    bodies = {
        "context": drawn("context", present_context(looked, places, conversation)),
        "tiers": drawn("context", _tiers(places, conversation)),
        "wire": _wired(drawn("context", _tiers(places, conversation)), places, conversation),
        "summary": summary(page),
        "editing": summary(page, changed),
        "again": summary(memory_samples.REREAD_PAGE, again=memory_samples.rereading()),
        "session": session(),
        "field": session(gone),
        "selected": drawn("selected", present_selected(looked, page.memory, places, conversation)),
        "branches": drawn("branches", present_branches(branch_samples.listed(), conversation)),
        "naming": drawn("branches", _naming(conversation)),
        "attempts": drawn(
            "attempts", present_attempts(samples.TURNS, samples.TURNS[3], conversation)
        ),
        "log": drawn("log", present_log(memory_samples.log(), conversation)),
        "empty": {
            **summary(memory_samples.EMPTY_PAGE),
            **drawn("context", present_context(None, {}, conversation)),
        },
    }
    bodies["folded"] = {}
    return {name: (heads, shown) for name, shown in bodies.items()}


def _naming(conversation):
    """Return the branches, some of many, with one that is being named."""
    some = branch_samples.listed(branch_samples.ROWS[:3], with_archived=False, more=80)
    editing = str(branch_samples.FORK.branch_id)
    return present_branches(some, conversation, editing=editing)


def _tiers(places, conversation):
    memory = memory_samples.memory()
    return present_context(wire_samples.looked_at(), places, conversation, memory)


def _wired(bodies, places, conversation):
    """Return the context panel with its wire view open."""
    shown = present_wire(wire_samples.wire_row(), places, conversation)
    html = render_to_string("inspector/_wire.html", shown)
    place = re.compile(
        r'(<details class="fold" id="context-wire")(.*?<div id="context-wire.*?>)<p.*?</p>',
        re.DOTALL,
    )
    return {"context": place.sub(lambda m: f"{m[1]} open{m[2]}{html}", bodies["context"])}
