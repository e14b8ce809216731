"""The pages of conversations and what can be done to one as a whole."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from chatapp import broadcast
from chatapp.access import Access
from chatapp.forms.turns import ModelForm, TitleForm, first_error
from chatapp.presenters.conversations import present_empty, present_list, present_page
from chatapp.runtime.pool import in_pool
from chatapp.runtime.runtime import current
from chatapp.selectors.conversations import (
    Stretch,
    conversation_list,
    conversation_page,
    newest_conversation,
    turns_from,
)
from chatapp.selectors.models import model_choices, model_names
from chatapp.selectors.rows import ConversationPage
from chatapp.services.conversations import (
    conversation_choose_model,
    conversation_create,
    conversation_delete,
    conversation_rename,
)
from chatapp.views.doors import load, person, refusal, signed_in


@require_safe
@signed_in
async def home(request: HttpRequest) -> HttpResponseBase:
    """Show the conversation written in last, or an invitation to begin one."""
    owner = await person(request)
    newest = await in_pool(newest_conversation, owner)
    if newest is not None:
        return redirect("conversation", conversation_id=newest)
    models = await in_pool(model_choices, "")
    return render(request, "chat/page.html", present_empty(models))


@require_POST
@signed_in
async def create(request: HttpRequest) -> HttpResponseBase:
    """Begin a conversation, with a model chosen for it or the first of the registry."""
    owner = await person(request)
    name = ""
    if "model" in request.POST:
        form = await in_pool(_model_form, request)
        if not form.is_valid():
            return refusal(request, "invalid", status=422, sentence=first_error(form))
        name = form.cleaned_data["model"]
    conversation = await in_pool(conversation_create, owner, model_name=name)
    return redirect("conversation", conversation_id=conversation.id)


@require_safe
@signed_in
async def page(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Show one conversation."""
    access = await load(request, conversation_id)
    shown = await in_pool(conversation_page, access)
    around = await in_pool(_around, access, shown, request.GET.get("turn", ""))
    models = await in_pool(model_choices, shown.model_name)
    rows, older = await in_pool(conversation_list, access.owner)
    context = present_page(shown, models, rows, older, around)
    return await in_pool(render, request, "chat/page.html", context)


def _around(access: Access, shown: ConversationPage, wanted: str) -> Stretch:
    """Return what the page shows before its newest turns, where it is led to an older one."""
    try:
        first = UUID(wanted)
    except ValueError:
        return Stretch()
    is_there = any(turn.id == first for turn in shown.turns)
    if is_there or shown.older_before is None:
        return Stretch()
    return turns_from(access, first, shown.older_before)


@require_safe
@signed_in
async def listing(request: HttpRequest) -> HttpResponse:
    """List conversations by recency."""
    owner = await person(request)
    try:
        before = UUID(request.GET["before"]) if request.GET.get("before") else None
        current = UUID(request.GET["current"]) if request.GET.get("current") else None
    except ValueError:
        return refusal(request, "bad_before", status=422)
    rows, older = await in_pool(conversation_list, owner, before=before)
    return render(request, "chat/_list.html", present_list(rows, older, current))


@require_POST
@signed_in
async def rename(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Give a conversation another title."""
    access = await load(request, conversation_id)
    form = TitleForm(request.POST)
    if not form.is_valid():
        return refusal(request, "invalid", status=422, sentence=first_error(form))
    await in_pool(conversation_rename, access, form.cleaned_data["title"])
    await broadcast.conversation_changed(conversation_id, "header")
    return HttpResponse(status=204)


@require_POST
@signed_in
async def delete(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Delete a conversation and erase what was said in it."""
    access = await load(request, conversation_id)
    for turn_id in await in_pool(conversation_delete, access):
        current().stop_turn(turn_id)
    await broadcast.conversation_changed(conversation_id, "gone")
    return HttpResponse(status=204, headers={"HX-Redirect": "/"})


@require_POST
@signed_in
async def choose_model(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Choose the model for the turns to come."""
    access = await load(request, conversation_id)
    form = await in_pool(_model_form, request)
    if not form.is_valid():
        return refusal(request, "invalid", status=422, sentence=first_error(form))
    await in_pool(conversation_choose_model, access, form.cleaned_data["model"])
    await broadcast.conversation_changed(conversation_id, "header")
    return HttpResponse(status=204)


def _model_form(request: HttpRequest) -> ModelForm:
    return ModelForm(request.POST, names=model_names())
