"""Posts turns, retries and stops them, and lists older ones."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from chatapp import broadcast
from chatapp.access import Access
from chatapp.forms.turns import TurnForm, first_error
from chatapp.presenters.frames import opening_frame
from chatapp.presenters.turns import present_older, present_turn
from chatapp.runtime.pool import in_pool
from chatapp.runtime.runtime import Draining, current
from chatapp.selectors.conversations import older_turns
from chatapp.selectors.models import NotReady, model_for
from chatapp.selectors.turns import turn_model, turn_row
from chatapp.services.outcomes import Accepted, MovedOn
from chatapp.services.turns import NewInput, turn_accept, turn_retry, turn_stop
from chatapp.views.doors import load, refusal, signed_in
from statecore.models import ModelSpec


@require_http_methods(["GET", "POST"])
@signed_in
async def turns(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """List older turns, or accept an input and start its answer."""
    access = await load(request, conversation_id)
    if request.method == "POST":
        return await _post(request, access)
    return await _older(request, access)


async def _older(request: HttpRequest, access: Access) -> HttpResponse:
    try:
        before = UUID(request.GET.get("before", ""))
    except ValueError:
        return refusal(request, "bad_before", status=422)
    rows, older_before = await in_pool(older_turns, access, before)
    context = present_older(rows, access.conversation.id, older_before)
    return render(request, "chat/_older.html", context)


async def _post(request: HttpRequest, access: Access) -> HttpResponse:
    form = TurnForm(request.POST)
    if not form.is_valid():
        return refusal(request, "invalid", status=422, sentence=first_error(form))
    data = form.cleaned_data
    model = await in_pool(model_for, data["model"] or access.conversation.model_name)
    if isinstance(model, NotReady):
        return refusal(request, "model_not_ready", status=409, sentence=model.detail)
    new = NewInput(
        text=data["text"],
        key=data["key"],
        branch_id=data["branch"],
        version=data["version"],
        model_name=model.name,
    )
    try:
        owner = await _owner()
    except Draining:
        return refusal(request, "draining", status=503)
    outcome = await in_pool(turn_accept, access, new, owner=owner)
    if isinstance(outcome, MovedOn) or outcome.duplicate:
        return await _started(request, access, outcome, model)
    return await _opened(access, outcome, new, model)


async def _opened(
    access: Access, accepted: Accepted, new: NewInput, model: ModelSpec
) -> HttpResponse:
    """Start a new turn; what is shown of it needs no reading, so that its first token waits less."""
    conversation_id = access.conversation.id
    frame = opening_frame(conversation_id, new.branch_id, accepted, new.text, model.name)
    current().start_turn(accepted.turn_id, conversation_id, access.keys, model, frame)
    await broadcast.turn_changed(conversation_id, accepted.turn_id, started=True)
    return HttpResponse(frame["html"])


async def _owner() -> UUID:
    runtime = current()
    runtime.refuse_while_draining()
    await runtime.ensure_started()
    return runtime.process_id


async def _started(
    request: HttpRequest, access: Access, outcome: Accepted | MovedOn, model: ModelSpec
) -> HttpResponse:
    if isinstance(outcome, MovedOn):
        return refusal(request, "moved_on", status=409)
    conversation = access.conversation
    if not outcome.duplicate:
        current().start_turn(outcome.turn_id, conversation.id, access.keys, model)
        await broadcast.turn_changed(conversation.id, outcome.turn_id, started=True)
    row = await in_pool(turn_row, access, outcome.turn_id)
    if row is None:
        return refusal(request, "moved_on", status=409)
    return render(request, "chat/_turn.html", present_turn(row, conversation.id))


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
    return await _started(request, access, outcome, model)


@require_POST
@signed_in
async def stop(request: HttpRequest, conversation_id: UUID, turn_id: UUID) -> HttpResponse:
    """Stop a running answer; what was written stays."""
    access = await load(request, conversation_id)
    owner = await in_pool(turn_stop, access, turn_id)
    if owner is not None and not current().stop_turn(turn_id):
        await broadcast.ask_stop(owner, turn_id)
    return HttpResponse(status=204)
