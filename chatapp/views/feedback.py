"""What people think of answers, and what answers were made from."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from chatapp.access import Access
from chatapp.forms.feedback import ThumbForm
from chatapp.presenters.feedback import present_feedback
from chatapp.presenters.provenance import (
    present_provenance,
    provenance_document,
    sources_of,
)
from chatapp.runtime.pool import in_pool
from chatapp.selectors.feedback import thumb_of
from chatapp.selectors.inspector import places
from chatapp.selectors.provenance import Provenance, provenance_of
from chatapp.services.feedback import feedback_give
from chatapp.services.outcomes import Missing
from chatapp.views.doors import load, refusal, signed_in


@require_POST
@signed_in
async def give(request: HttpRequest, conversation_id: UUID, turn_id: UUID) -> HttpResponse:
    """Give the answer of a turn a thumb, or take it back; the answer is the thumbs as they are."""
    access = await load(request, conversation_id)
    form = ThumbForm(request.POST)
    if not form.is_valid():
        return refusal(request, "invalid", status=422)
    return await in_pool(_give, request, access, turn_id, form.cleaned_data["thumb"])


def _give(request: HttpRequest, access: Access, turn_id: UUID, thumb: int) -> HttpResponse:
    if isinstance(feedback_give(access, turn_id, thumb), Missing):
        msg = "The turn has no answer."
        raise Http404(msg)
    stands = thumb_of(access, turn_id) or 0
    shown = present_feedback(access.conversation.id, turn_id, stands)
    return render(request, "chat/_feedback.html", shown)


@require_safe
@signed_in
async def provenance(request: HttpRequest, conversation_id: UUID, turn_id: UUID) -> HttpResponse:
    """Show what the answer of a turn was made from."""
    access = await load(request, conversation_id)
    return await in_pool(_provenance, request, access, turn_id)


def _provenance(request: HttpRequest, access: Access, turn_id: UUID) -> HttpResponse:
    found = _found(access, turn_id)
    shown = present_provenance(found, places(access, sources_of(found)), access.conversation.id)
    return render(request, "inspector/_provenance.html", shown)


@require_safe
@signed_in
async def provenance_json(
    request: HttpRequest, conversation_id: UUID, turn_id: UUID
) -> JsonResponse:
    """Give the same as JSON, with the codes and ids behind the words."""
    access = await load(request, conversation_id)
    told = await in_pool(_document, access, turn_id)
    return JsonResponse(told, json_dumps_params={"ensure_ascii": False})


def _document(access: Access, turn_id: UUID) -> dict[str, object]:
    found = _found(access, turn_id)
    return provenance_document(found, places(access, sources_of(found)))


def _found(access: Access, turn_id: UUID) -> Provenance:
    found = provenance_of(access, turn_id)
    if found is None:
        msg = "No such turn."
        raise Http404(msg)
    return found
