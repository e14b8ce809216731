"""What was sent: the panel beside the chat, and the exact request of an attempt."""

import json
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from chatapp.presenters.sent import present_request, present_sent, present_sent_turn
from chatapp.presenters.state import present_state
from chatapp.runtime.pool import in_pool
from chatapp.selectors.conversations import conversation_page, newest_page
from chatapp.selectors.requests import sent_request
from chatapp.selectors.turns import turn_row
from chatapp.views.doors import load, signed_in


@require_GET
@signed_in
async def sent(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Show for each attempt what was sent and what came of it."""
    access = await load(request, conversation_id)
    turns = await in_pool(newest_page, access)
    return render(request, "inspector/_sent.html", present_sent(turns, conversation_id))


@require_GET
@signed_in
async def state(request: HttpRequest, conversation_id: UUID) -> JsonResponse:
    """Give the newest turns with everything that the page and the panel show of them."""
    access = await load(request, conversation_id)
    page = await in_pool(conversation_page, access)
    return JsonResponse(present_state(page), json_dumps_params={"ensure_ascii": False})


@require_GET
@signed_in
async def turn_sent(request: HttpRequest, conversation_id: UUID, turn_id: UUID) -> HttpResponse:
    """Show the same for one turn, however old."""
    access = await load(request, conversation_id)
    row = await in_pool(turn_row, access, turn_id)
    if row is None:
        msg = "No such turn."
        raise Http404(msg)
    context = present_sent_turn(row, conversation_id)
    return render(request, "inspector/_sent_turn.html", context)


@require_GET
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
    context = present_request(
        json.dumps(found.body, ensure_ascii=False, indent=2), proven=found.proven
    )
    return render(request, "inspector/_request.html", context)
