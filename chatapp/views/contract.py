"""A conversation as one document: given out, and taken in by an empty one."""

from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render, resolve_url
from django.views.decorators.http import require_http_methods

from chatapp import broadcast
from chatapp.access import Access
from chatapp.forms.contract import StateFileForm, is_too_large
from chatapp.forms.turns import first_error
from chatapp.presenters.refusals import present_refusal
from chatapp.presenters.states import (
    present_file,
    present_invalid,
    present_too_large,
    present_too_long,
)
from chatapp.runtime.pool import in_pool
from chatapp.runtime.runtime import current
from chatapp.selectors.contract import TooLong, contract_of
from chatapp.selectors.contract_tree import tree_of
from chatapp.services.importing_files import FileImported, file_import
from chatapp.services.outcomes import NotEmpty
from chatapp.views.doors import load, refusal, signed_in
from chatapp.web.htmx import HtmxHttpRequest
from statecore.contract.document import decoded, dump
from statecore.contract.hashing import state_hash
from statecore.contract.tree_document import dump_tree
from statecore.contract.tree_hashing import tree_hash
from statecore.errors import InvalidInput

HASH_HEADER = "Glassbox-State-Hash"
TREE_HASH_HEADER = "Glassbox-Tree-Hash"


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
async def state(request: HtmxHttpRequest, conversation_id: UUID) -> HttpResponseBase:
    """Give the state of the branch that is looked at as JSON, or take a file into an empty one."""
    access = await load(request, conversation_id)
    if request.method == "POST":
        return await _take(request, access)
    return await in_pool(_give_state, request, access)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
async def tree(request: HtmxHttpRequest, conversation_id: UUID) -> HttpResponseBase:
    """Give the conversation with all its branches as JSON, or take a file into an empty one."""
    access = await load(request, conversation_id)
    if request.method == "POST":
        return await _take(request, access)
    return await in_pool(_give_tree, request, access)


def _give_state(request: HttpRequest, access: Access) -> HttpResponse:
    found = contract_of(access)
    if isinstance(found, TooLong):
        return _too_long(request, found)
    answer = _document(request, dump(found), f"conversation-{access.conversation.id}.json")
    answer[HASH_HEADER] = state_hash(found)
    return answer


def _give_tree(request: HttpRequest, access: Access) -> HttpResponse:
    found = tree_of(access)
    if isinstance(found, TooLong):
        return _too_long(request, found)
    answer = _document(
        request, dump_tree(found), f"conversation-{access.conversation.id}-tree.json"
    )
    answer[TREE_HASH_HEADER] = tree_hash(found)
    return answer


def _document(request: HttpRequest, text: str, name: str) -> HttpResponse:
    answer = HttpResponse(text, content_type="application/json")
    if "download" in request.GET:
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _too_long(request: HttpRequest, found: TooLong) -> HttpResponse:
    sentence = present_too_long(found.turns, found.limit)
    return refusal(request, "state_too_long", status=413, sentence=sentence)


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
    if outcome.conversations:
        await broadcast.conversation_changed(access.conversation.id, "header")
        await broadcast.memory_changed(access.conversation.id)
        await current().learn_soon()
    return _done(request, outcome)


def _imported(access: Access, body: bytes) -> FileImported | NotEmpty:
    return file_import(access.owner, decoded(body), into=access)


def _done(request: HtmxHttpRequest, outcome: FileImported) -> HttpResponseBase:
    status = 201 if outcome.conversations else 422
    report = present_file(outcome)
    if _is_json(request):
        told = {
            "turns": outcome.turns,
            "messages": outcome.messages,
            "conversations": [str(made) for made in outcome.conversations],
            "notes": report.notes,
        }
        return JsonResponse(told, status=status)
    page = ""
    if outcome.conversations:
        page = resolve_url("conversation", conversation_id=outcome.conversations[0])
    if report.notes:
        # What did not come in must be read before the page gives way to what did.
        context = {"report": report, "page": page}
        return render(request, "chat/_imported.html", context, status=status)
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
