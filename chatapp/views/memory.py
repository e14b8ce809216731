"""What people do to memory: correct, pin, delete, add, take back, read again, set fields.

An answer says only that it was done: the panels fetch themselves, here and in every other tab.
"""

from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from chatapp import broadcast
from chatapp.forms.memory import (
    EXPIRIES,
    AddForm,
    AgainForm,
    EditForm,
    EntryForm,
    FieldForm,
    KeyForm,
    PinForm,
    UndoForm,
    first_error,
)
from chatapp.runtime.pool import in_pool
from chatapp.runtime.runtime import current
from chatapp.services.memory import (
    field_remove,
    field_set,
    memory_add,
    memory_delete,
    memory_edit,
    memory_pin,
    memory_undo,
)
from chatapp.services.outcomes import Changed, Missing, Overtaken, Queued, Unchanged
from chatapp.services.relabelling import memory_again
from chatapp.views.doors import load, refusal, signed_in
from statecore.state.operations import FieldSet

Outcome = Changed | Missing | Overtaken | Unchanged


@require_POST
@signed_in
async def add(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Add an entry of one's own."""
    access = await load(request, conversation_id)
    form = AddForm(request.POST)
    if not form.is_valid():
        return _invalid(request, form)
    kind, text = form.cleaned_data["kind"], form.cleaned_data["words"]
    return await _done(request, conversation_id, await in_pool(memory_add, access, kind, text))


@require_POST
@signed_in
async def edit(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Change the words of an entry, unless it was changed meanwhile."""
    access = await load(request, conversation_id)
    form = EditForm(request.POST)
    if not form.is_valid():
        return _invalid(request, form)
    new = form.cleaned_data
    if new["as_new"]:
        added = await in_pool(memory_add, access, new["kind"], new["words"])
        return await _done(request, conversation_id, added)
    seen = None if new["over"] else new["seen"]
    outcome = await in_pool(memory_edit, access, new["entry"], new["words"], seen=seen)
    return await _done(request, conversation_id, outcome)


@require_POST
@signed_in
async def pin(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Pin an entry, or unpin it."""
    access = await load(request, conversation_id)
    form = PinForm(request.POST)
    if not form.is_valid():
        return _invalid(request, form)
    entry, pinned = form.cleaned_data["entry"], form.cleaned_data["pinned"]
    outcome = await in_pool(memory_pin, access, entry, pinned=pinned)
    return await _done(request, conversation_id, outcome)


@require_POST
@signed_in
async def delete(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Delete an entry: it is used no more."""
    access = await load(request, conversation_id)
    form = EntryForm(request.POST)
    if not form.is_valid():
        return _invalid(request, form)
    outcome = await in_pool(memory_delete, access, form.cleaned_data["entry"])
    return await _done(request, conversation_id, outcome)


@require_POST
@signed_in
async def undo(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Take an act back."""
    access = await load(request, conversation_id)
    form = UndoForm(request.POST)
    if not form.is_valid():
        return _invalid(request, form)
    outcome = await in_pool(memory_undo, access, form.cleaned_data["seq"])
    return await _done(request, conversation_id, outcome)


@require_POST
@signed_in
async def again(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Let one turn be read again, or all of the path; the reading itself comes later."""
    access = await load(request, conversation_id)
    form = AgainForm(request.POST)
    if not form.is_valid():
        return _invalid(request, form)
    outcome = await in_pool(memory_again, access, form.cleaned_data["turn"])
    if isinstance(outcome, Missing):
        msg = "No such turn."
        raise Http404(msg)
    if isinstance(outcome, Queued):
        await broadcast.memory_changed(conversation_id)
        await current().learn_soon()
    return HttpResponse(status=204)


@require_POST
@signed_in
async def set_field(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Set a session field, unless it was set anew meanwhile."""
    access = await load(request, conversation_id)
    form = FieldForm(request.POST)
    if not form.is_valid():
        return _invalid(request, form)
    new = form.cleaned_data
    seen = None if new["over"] else new["seen"]
    field = FieldSet(
        new["key"], new["value"], expiry=EXPIRIES[new["expiry"]], visible=new["visible"]
    )
    outcome = await in_pool(field_set, access, field, seen=seen)
    return await _done(request, conversation_id, outcome)


@require_POST
@signed_in
async def remove_field(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Remove a session field."""
    access = await load(request, conversation_id)
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _invalid(request, form)
    outcome = await in_pool(field_remove, access, form.cleaned_data["key"])
    return await _done(request, conversation_id, outcome)


def _invalid(request: HttpRequest, form: forms.Form) -> HttpResponse:
    return refusal(request, "invalid", status=422, sentence=first_error(form))


async def _done(request: HttpRequest, conversation_id: UUID, outcome: Outcome) -> HttpResponse:
    if isinstance(outcome, Missing):
        return refusal(request, "not_there", status=409)
    if isinstance(outcome, Overtaken):
        return refusal(request, "changed_meanwhile", status=409)
    if isinstance(outcome, Changed):
        await broadcast.memory_changed(conversation_id)
    return HttpResponse(status=204)
