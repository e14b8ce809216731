"""Everything that was ever said in a conversation: to read, for machines, to keep."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from chatapp.access import Access
from chatapp.presenters.raw_messages import present_raw, raw_document, raw_text
from chatapp.runtime.pool import in_pool
from chatapp.selectors.raw_messages import raw_messages, raw_page
from chatapp.views.doors import load, signed_in

_SEQ_DIGITS = 18
"""What every integer column holds."""


@require_safe
@signed_in
async def page(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Show a page of what was said, on all branches, word for word."""
    access = await load(request, conversation_id)
    return await in_pool(_page, request, access, _after(request))


def _page(request: HttpRequest, access: Access, after: int) -> HttpResponse:
    shown = present_raw(raw_page(access, after), access.conversation.id, after)
    return render(request, "inspector/raw.html", shown)


@require_safe
@signed_in
async def as_json(request: HttpRequest, conversation_id: UUID) -> JsonResponse:
    """Give the same page as JSON."""
    access = await load(request, conversation_id)
    found = await in_pool(raw_page, access, _after(request))
    told = raw_document(found, conversation_id)
    return JsonResponse(told, json_dumps_params={"ensure_ascii": False})


@require_safe
@signed_in
async def as_text(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Give all that was said as one file of plain text."""
    access = await load(request, conversation_id)
    text = await in_pool(_text, access)
    answer = HttpResponse(text, content_type="text/plain; charset=utf-8")
    name = f"conversation-{conversation_id}.txt"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _text(access: Access) -> str:
    return "".join(raw_text(raw_messages(access)))


def _after(request: HttpRequest) -> int:
    """Return the seq after which a page begins; 0 where none is named.

    Raises:
        Http404: when that is no seq.
    """
    named = request.GET.get("after", "") or "0"
    if named.isascii() and named.isdigit() and len(named) <= _SEQ_DIGITS:
        return int(named)
    msg = "There is no such seq."
    raise Http404(msg)
