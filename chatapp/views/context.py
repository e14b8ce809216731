"""What the model was told: the panel, the exact request, the request in its colours."""

import json
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from chatapp.access import Access
from chatapp.presenters import context as contexts
from chatapp.presenters.attempts import present_request
from chatapp.presenters.told import told_of, wire_sources
from chatapp.presenters.wire import present_wire
from chatapp.runtime.pool import in_pool
from chatapp.selectors.inspector import LookedAt, looked_at, places
from chatapp.selectors.memory import attempt_memory
from chatapp.selectors.requests import sent_request
from chatapp.selectors.wire import wire_row
from chatapp.views.doors import load, signed_in
from chatapp.web.htmx import HtmxHttpRequest


@require_safe
@signed_in
async def context(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Show what the model was told in a turn, the newest or the one that is asked for."""
    access = await load(request, conversation_id)
    return await in_pool(_context, request, access)


def _context(request: HttpRequest, access: Access) -> HttpResponse:
    looked = asked_turn(request, access)
    attempt = contexts.newest_attempt(looked.turn) if looked else None
    memory = attempt_memory(access, attempt.id) if attempt and attempt.missing else None
    found = places(access, contexts.sources_of(looked, memory))
    shown = contexts.present_context(looked, found, access.conversation.id, memory)
    return render(request, "inspector/_context.html", shown)


@require_safe
@signed_in
async def attempt_request(
    request: HttpRequest, conversation_id: UUID, attempt_id: UUID
) -> HttpResponse:
    """Show the exact request of one attempt, and whether its commitment proves it."""
    access = await load(request, conversation_id)
    found = await in_pool(sent_request, access, attempt_id)
    if found is None:
        msg = "No such attempt."
        raise Http404(msg)
    shown = present_request(
        json.dumps(found.body, ensure_ascii=False, indent=2), proven=found.proven
    )
    return render(request, "inspector/_request.html", shown)


@require_safe
@signed_in
async def attempt_wire(
    request: HtmxHttpRequest, conversation_id: UUID, attempt_id: UUID
) -> HttpResponse:
    """Show the request of one attempt coloured by origin, in a panel or as a page."""
    access = await load(request, conversation_id)
    return await in_pool(_attempt_wire, request, access, attempt_id)


def _attempt_wire(request: HtmxHttpRequest, access: Access, attempt_id: UUID) -> HttpResponse:
    row = wire_row(access, attempt_id)
    if row is None:
        msg = "No such attempt."
        raise Http404(msg)
    named = [*wire_sources(told_of(row)), *contexts.sources_of(row.looked)]
    shown = present_wire(row, places(access, named), access.conversation.id)
    template = "inspector/_wire.html" if request.htmx else "inspector/wire.html"
    return render(request, template, shown)


def asked_turn(request: HttpRequest, access: Access) -> LookedAt | None:
    """Return the turn that a panel is asked about; the newest where none is named.

    Raises:
        Http404: when there is no such turn.
    """
    name = request.GET.get("turn", "")
    try:
        looked = looked_at(access, UUID(name) if name else None)
    except ValueError:
        looked = None
    if looked is None and name:
        msg = "No such turn."
        raise Http404(msg)
    return looked
