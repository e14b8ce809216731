"""Posts turns and other versions of them, retries and stops them, and lists older ones."""

import asyncio
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from chatapp import broadcast
from chatapp.access import Access, conversation_for
from chatapp.forms.turns import KeyForm, TextForm, TurnForm, first_error
from chatapp.presenters.frames import opening_frame
from chatapp.presenters.turns import present_older, present_stretch, present_turn
from chatapp.runtime.pool import in_pool
from chatapp.runtime.runtime import Draining, current
from chatapp.selectors.branches import shown_branch
from chatapp.selectors.conversations import branch_state, older_turns, turns_after
from chatapp.selectors.models import NotReady, model_for, model_names
from chatapp.selectors.turns import turn_model, turn_row
from chatapp.services.attempts import Prepared
from chatapp.services.beginnings import (
    Begun,
    BegunVersion,
    edit_begin,
    regenerate_begin,
    turn_begin,
)
from chatapp.services.outcomes import Accepted, Archived, Busy, Missing, MovedOn
from chatapp.services.turns import NewInput, turn_retry, turn_stop
from chatapp.views.doors import branch_of, go_to, led_to, load, refusal, signed_in, user_of
from statecore.models import ModelSpec


@dataclass(frozen=True, slots=True)
class _Posted:
    """What came of a post, read and written in one go."""

    access: Access
    model: ModelSpec | NotReady
    new: NewInput | None = None
    begun: Begun | None = None


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
async def turns(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """List older turns, or accept an input and start its answer."""
    if request.method == "POST":
        return await _post(request, conversation_id)
    return await _older(request, conversation_id)


async def _older(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    access = await load(request, conversation_id)
    try:
        before = UUID(request.GET.get("before", ""))
        after = UUID(request.GET["after"]) if "after" in request.GET else None
    except ValueError:
        return refusal(request, "bad_before", status=422)
    if after is not None:
        stretch = await in_pool(turns_after, access, after, before)
        shown = present_stretch(stretch, conversation_id, before)
        return render(request, "chat/_newer.html", shown)
    rows, older_before = await in_pool(older_turns, access, before)
    context = present_older(rows, conversation_id, older_before)
    return render(request, "chat/_older.html", context)


async def _post(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    # The page names no model: the path to the first token is spared the look into the registry.
    names = await in_pool(model_names) if request.POST.get("model") else frozenset()
    form = TurnForm(request.POST, names=names)
    if not form.is_valid():
        # Only the owner is told what is wrong: to anybody else there is nothing here.
        await load(request, conversation_id)
        return refusal(request, "invalid", status=422, sentence=first_error(form))
    try:
        owner = await _owner()
    except Draining:
        return refusal(request, "draining", status=503)
    data = {**form.cleaned_data, "page": branch_of(request)}
    posted = await in_pool(_accept, user_of(request), conversation_id, data, owner)
    if isinstance(posted.model, NotReady):
        return refusal(request, "model_not_ready", status=409, sentence=posted.model.detail)
    return await _answered(request, posted, posted.model, data)


async def _answered(
    request: HttpRequest, posted: _Posted, model: ModelSpec, data: dict[str, Any]
) -> HttpResponse:
    begun, new, access = posted.begun, posted.new, posted.access
    if begun is None or new is None or isinstance(begun.outcome, MovedOn):
        return refusal(request, "moved_on", status=409, aside=_aside(data))
    if isinstance(begun.outcome, Archived):
        return refusal(request, "archived", status=409)
    if new.aside:
        return await _led_aside(request, access, begun.outcome, begun.prepared, model)
    if begun.outcome.duplicate:
        return await _shown(request, access, begun.outcome.turn_id)
    return await _opened(access, begun.outcome, begun.prepared, new, model)


def _aside(data: dict[str, Any]) -> dict[str, object]:
    """Return where the same text can be sent as an alternative: where it was typed."""
    return {
        "branch": data["branch"],
        "version": data["version"],
        "head": data["head"] or "",
    }


def _accept(user: User, conversation_id: UUID, data: dict[str, Any], owner: UUID) -> _Posted:
    # One trip to the threads instead of three: the first token waits for all of it.
    access = conversation_for(user, conversation_id, data["page"])
    model = model_for(data["model"] or access.conversation.model_name)
    if isinstance(model, NotReady):
        return _Posted(access, model)
    new = NewInput(
        text=data["text"],
        key=data["key"],
        branch_id=data["branch"],
        version=data["version"],
        model_name=model.name,
        head=data["head"],
        aside=data["aside"],
    )
    return _Posted(access, model, new, turn_begin(access, new, owner=owner, model=model))


async def _led_aside(
    request: HttpRequest,
    access: Access,
    accepted: Accepted,
    prepared: Prepared | None,
    model: ModelSpec,
) -> HttpResponse:
    """Start a turn that was accepted on a branch of its own, and lead the page there."""
    conversation_id, turn_id = access.conversation.id, accepted.turn_id
    branch_id = accepted.branch_id or (await in_pool(branch_state, turn_id))[0]
    if accepted.duplicate:
        return led_to(conversation_id, branch_id)
    current().start_turn(turn_id, conversation_id, access.keys, model, prepared=prepared)
    await broadcast.turn_changed(conversation_id, turn_id, started=True)
    return await go_to(request, access, branch_id)


async def _opened(
    access: Access,
    accepted: Accepted,
    prepared: Prepared | None,
    new: NewInput,
    model: ModelSpec,
) -> HttpResponse:
    """Start a new turn; what is shown of it needs no reading, so its first token waits less."""
    conversation_id = access.conversation.id
    turn_id, runtime = accepted.turn_id, current()
    runtime.start_turn(turn_id, conversation_id, access.keys, model, prepared=prepared)
    # The request goes out before anything is drawn.
    await asyncio.sleep(0)
    frame = opening_frame(conversation_id, new.branch_id, accepted, new.text, model.name)
    runtime.hub.announce(turn_id, frame)
    await broadcast.turn_changed(conversation_id, turn_id, started=True)
    return HttpResponse(frame["html"])


async def _owner() -> UUID:
    runtime = current()
    runtime.refuse_while_draining()
    await runtime.ensure_started()
    return runtime.process_id


async def _shown(request: HttpRequest, access: Access, turn_id: UUID) -> HttpResponse:
    row = await in_pool(turn_row, access, turn_id)
    if row is None:
        return refusal(request, "moved_on", status=409)
    return render(request, "chat/_turn.html", present_turn(row, access.conversation.id))


@require_POST
@signed_in
async def edit(request: HttpRequest, conversation_id: UUID, turn_id: UUID) -> HttpResponse:
    """Say something else in the place of an input, on a branch of its own."""
    access = await load(request, conversation_id)
    form = TextForm(request.POST)
    if not form.is_valid():
        return refusal(request, "invalid", status=422, sentence=first_error(form))
    model = await in_pool(model_for, access.conversation.model_name)
    if isinstance(model, NotReady):
        return refusal(request, "model_not_ready", status=409, sentence=model.detail)
    try:
        owner = await _owner()
    except Draining:
        return refusal(request, "draining", status=503)
    branch = await in_pool(shown_branch, access)
    data = form.cleaned_data
    new = NewInput(data["text"], data["key"], branch.id, branch.version, model.name)
    begun = await in_pool(edit_begin, access, turn_id, new, owner=owner, model=model)
    return await _version(request, access, begun, model)


@require_POST
@signed_in
async def regenerate(request: HttpRequest, conversation_id: UUID, turn_id: UUID) -> HttpResponse:
    """Ask for another answer to the same input, on a branch of its own."""
    access = await load(request, conversation_id)
    form = KeyForm(request.POST)
    if not form.is_valid():
        return refusal(request, "invalid", status=422, sentence=first_error(form))
    name = await in_pool(turn_model, access, turn_id)
    model = await in_pool(model_for, access.conversation.model_name or name)
    if isinstance(model, NotReady):
        return refusal(request, "model_not_ready", status=409, sentence=model.detail)
    try:
        owner = await _owner()
    except Draining:
        return refusal(request, "draining", status=503)
    key = form.cleaned_data["key"]
    begun = await in_pool(regenerate_begin, access, turn_id, key=key, owner=owner, model=model)
    return await _version(request, access, begun, model)


async def _version(
    request: HttpRequest, access: Access, begun: BegunVersion, model: ModelSpec
) -> HttpResponse:
    outcome = begun.outcome
    match outcome:
        case Missing():
            msg = "No such turn."
            raise Http404(msg)
        case Busy():
            return refusal(request, "answered_meanwhile", status=409)
        case MovedOn():
            return refusal(request, "moved_on", status=409)
        case Accepted():
            return await _led_aside(request, access, outcome, begun.prepared, model)


@require_POST
@signed_in
async def retry(request: HttpRequest, conversation_id: UUID, turn_id: UUID) -> HttpResponse:
    """Run a turn again that broke off."""
    access = await load(request, conversation_id)
    name = await in_pool(turn_model, access, turn_id)
    model = await in_pool(model_for, access.conversation.model_name or name)
    if isinstance(model, NotReady):
        return refusal(request, "model_not_ready", status=409, sentence=model.detail)
    try:
        owner = await _owner()
    except Draining:
        return refusal(request, "draining", status=503)
    outcome = await in_pool(turn_retry, access, turn_id, owner=owner, model_name=model.name)
    if isinstance(outcome, MovedOn):
        return refusal(request, "moved_on", status=409)
    current().start_turn(turn_id, conversation_id, access.keys, model)
    await broadcast.turn_changed(conversation_id, turn_id, started=True)
    return await _shown(request, access, turn_id)


@require_POST
@signed_in
async def stop(request: HttpRequest, conversation_id: UUID, turn_id: UUID) -> HttpResponse:
    """Stop a running answer; what was written stays."""
    access = await load(request, conversation_id)
    owner = await in_pool(turn_stop, access, turn_id)
    if owner is not None and not current().stop_turn(turn_id):
        await broadcast.ask_stop(owner, turn_id)
    return HttpResponse(status=204)
