"""The inspector: its panels but the one of the context, and the page as JSON."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.presenters import selected as selections
from chatapp.presenters.attempts import present_attempts, present_attempts_turn
from chatapp.presenters.context import newest_attempt
from chatapp.presenters.logs import present_log
from chatapp.presenters.panels import present_heads
from chatapp.presenters.session import present_session
from chatapp.presenters.state import present_state
from chatapp.presenters.summary import Editing, present_summary, sources_of
from chatapp.runtime.pool import in_pool
from chatapp.selectors.branches import branch_count
from chatapp.selectors.conversations import conversation_page, newest_page
from chatapp.selectors.inspector import Places, last_seq, looked_at, places
from chatapp.selectors.log import log_page
from chatapp.selectors.memory import MemoryPage, attempt_memory, memory_page
from chatapp.selectors.rereading import rereading
from chatapp.selectors.turns import turn_row
from chatapp.views.context import asked_turn
from chatapp.views.doors import load, refusal, signed_in

_SEARCH_CHARACTERS = 200


@require_safe
@signed_in
async def heads(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Give the figure in the head of each panel."""
    access = await load(request, conversation_id)
    return await in_pool(_heads, request, access)


def _heads(request: HttpRequest, access: Access) -> HttpResponse:
    branches = branch_count(access)
    shown = present_heads(looked_at(access), memory_page(access), last_seq(access), branches)
    return render(request, "inspector/_heads.html", shown)


@require_safe
@signed_in
async def summary(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Show what the conversation has taught."""
    access = await load(request, conversation_id)
    return await in_pool(_summary, request, access)


def _summary(request: HttpRequest, access: Access) -> HttpResponse:
    page, found = _memory(access)
    shown = present_summary(
        page,
        found,
        access.conversation.id,
        editing=_editing(request),
        now_ms=now_ms(),
        again=rereading(access),
    )
    return render(request, "inspector/_summary.html", shown)


@require_safe
@signed_in
async def session(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Show the session fields."""
    access = await load(request, conversation_id)
    return await in_pool(_session, request, access)


def _session(request: HttpRequest, access: Access) -> HttpResponse:
    page, found = _memory(access)
    shown = present_session(
        page, found, access.conversation.id, editing=_editing(request), now_ms=now_ms()
    )
    return render(request, "inspector/_session.html", shown)


@require_safe
@signed_in
async def selected(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Show what memory gave back to the model in a turn."""
    access = await load(request, conversation_id)
    return await in_pool(_selected, request, access)


def _selected(request: HttpRequest, access: Access) -> HttpResponse:
    looked = asked_turn(request, access)
    attempt = newest_attempt(looked.turn) if looked else None
    memory = attempt_memory(access, attempt.id) if attempt else None
    found = places(access, selections.sources_of(looked, memory))
    shown = selections.present_selected(looked, memory, found, access.conversation.id)
    return render(request, "inspector/_selected.html", shown)


@require_safe
@signed_in
async def attempts(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Show for each turn which models were called and what came of it."""
    access = await load(request, conversation_id)
    return await in_pool(_attempts, request, access)


def _attempts(request: HttpRequest, access: Access) -> HttpResponse:
    looked = asked_turn(request, access)
    chosen = looked.turn if looked else None
    shown = present_attempts(newest_page(access), chosen, access.conversation.id)
    return render(request, "inspector/_attempts.html", shown)


@require_safe
@signed_in
async def turn_attempts(request: HttpRequest, conversation_id: UUID, turn_id: UUID) -> HttpResponse:
    """Show the attempts of one turn, however old."""
    access = await load(request, conversation_id)
    row = await in_pool(turn_row, access, turn_id)
    if row is None:
        msg = "No such turn."
        raise Http404(msg)
    shown = present_attempts_turn(row, conversation_id)
    return render(request, "inspector/_attempts_turn.html", shown)


@require_safe
@signed_in
async def log(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Show what happened, and the messages as they were said."""
    access = await load(request, conversation_id)
    before = request.GET.get("before", "")
    if before and not _is_seq(before):
        return refusal(request, "bad_before", status=422)
    return await in_pool(_log, request, access, int(before) if before else None)


def _log(request: HttpRequest, access: Access, before: int | None) -> HttpResponse:
    query = request.GET.get("q", "").strip()[:_SEARCH_CHARACTERS]
    page = log_page(access, query=query, before=before)
    shown = present_log(page, access.conversation.id, before=before, branch_id=access.branch_id)
    return render(request, "inspector/_log.html", shown)


@require_safe
@signed_in
async def page_json(request: HttpRequest, conversation_id: UUID) -> JsonResponse:
    """Give the newest turns and all of memory, with everything that the panels show of them."""
    access = await load(request, conversation_id)
    found = await in_pool(_state, access)
    return JsonResponse(found, json_dumps_params={"ensure_ascii": False})


def _state(access: Access) -> dict[str, Any]:
    shown = conversation_page(access, with_segments=True)
    return present_state(shown, memory_page(access), rereading(access))


def _memory(access: Access) -> tuple[MemoryPage, Places]:
    page = memory_page(access)
    return page, places(access, sources_of(page))


def _editing(request: HttpRequest) -> Editing:
    seen = request.GET.get("seen", "")
    return Editing(request.GET.get("edit", ""), int(seen) if _is_seq(seen) else 0)


def _is_seq(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19  # noqa: PLR2004  # what a BIGINT holds
