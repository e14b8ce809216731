"""The state of a conversation as one document: given out, and taken in by an empty one."""

from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, resolve_url
from django.views.decorators.http import require_http_methods

from chatapp import broadcast
from chatapp.access import Access
from chatapp.forms.contract import StateFileForm, is_too_large
from chatapp.forms.turns import first_error
from chatapp.presenters.refusals import present_refusal
from chatapp.presenters.states import present_invalid, present_too_large, present_too_long
from chatapp.runtime.pool import in_pool
from chatapp.runtime.runtime import current
from chatapp.selectors.contract import TooLong, contract_of
from chatapp.services.importing import state_import
from chatapp.services.outcomes import Imported, NotEmpty
from chatapp.views.doors import load, refusal, signed_in
from chatapp.web.htmx import HtmxHttpRequest
from statecore.contract.document import decoded, dump, parse
from statecore.contract.hashing import state_hash
from statecore.errors import InvalidInput

HASH_HEADER = "Glassbox-State-Hash"


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
async def state(request: HtmxHttpRequest, conversation_id: UUID) -> HttpResponseBase:
    """Give the whole state of a conversation as JSON, or take one into an empty conversation."""
    access = await load(request, conversation_id)
    if request.method == "POST":
        return await _take(request, access)
    return await in_pool(_give, request, access)


def _give(request: HttpRequest, access: Access) -> HttpResponse:
    found = contract_of(access)
    if isinstance(found, TooLong):
        sentence = present_too_long(found.turns, found.limit)
        return refusal(request, "state_too_long", status=413, sentence=sentence)
    answer = HttpResponse(dump(found), content_type="application/json")
    answer[HASH_HEADER] = state_hash(found)
    if "download" in request.GET:
        name = f"conversation-{access.conversation.id}.json"
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


async def _take(request: HtmxHttpRequest, access: Access) -> HttpResponseBase:
    if is_too_large(int(request.META.get("CONTENT_LENGTH") or 0)):
        return _too_large(request)
    if _is_json(request):
        body = request.read()
    else:
        form = StateFileForm(request.POST, request.FILES)
        if not form.is_valid():
            return _refused(request, "invalid", 422, first_error(form))
        body = form.cleaned_data["file"].read()
    if is_too_large(len(body)):
        return _too_large(request)
    try:
        outcome = await in_pool(_imported, access, body)
    except InvalidInput as error:
        return _refused(request, "state_invalid", 422, present_invalid(str(error)))
    if isinstance(outcome, NotEmpty):
        return _refused(request, "state_not_empty", 409)
    await broadcast.conversation_changed(access.conversation.id, "header")
    await broadcast.memory_changed(access.conversation.id)
    await current().learn_soon()
    return _done(request, access, outcome)


def _imported(access: Access, body: bytes) -> Imported | NotEmpty:
    return state_import(access, parse(decoded(body)))


def _done(request: HtmxHttpRequest, access: Access, outcome: Imported) -> HttpResponseBase:
    if _is_json(request):
        told = {"turns": outcome.turns, "messages": outcome.messages}
        return JsonResponse(told, status=201)
    page = resolve_url("conversation", conversation_id=access.conversation.id)
    if request.htmx:
        return HttpResponse(status=204, headers={"HX-Redirect": page})
    return redirect(page)


def _too_large(request: HttpRequest) -> HttpResponse:
    sentence = present_too_large(settings.STATE_FILE_BYTES)
    return _refused(request, "state_too_large", 413, sentence)


def _refused(request: HttpRequest, code: str, status: int, sentence: str = "") -> HttpResponse:
    if not _is_json(request):
        return refusal(request, code, status=status, sentence=sentence)
    said = present_refusal(code, sentence)
    return JsonResponse({"code": code, "sentence": str(said["sentence"])}, status=status)


def _is_json(request: HttpRequest) -> bool:
    return request.content_type == "application/json"
