"""Pages of replays: what recorded turns would have been told with other settings."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chatapp.access import Owner
from chatapp.forms.replays import ReplayForm
from chatapp.forms.turns import first_error
from chatapp.presenters.replays import present_replays, present_run
from chatapp.runtime.pool import in_pool
from chatapp.selectors.models import model_choices
from chatapp.selectors.replays import (
    ReplayRow,
    replay_row,
    replay_rows,
    replayable_rows,
    titles,
)
from chatapp.services.outcomes import Missing
from chatapp.services.replay_runs import ReplayOrder, replay_cancel, replay_order
from chatapp.views.doors import person, signed_in
from statecore.errors import InvalidInput


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
async def listing(request: HttpRequest) -> HttpResponseBase:
    """Show all replays, or begin one."""
    owner = await person(request)
    return await in_pool(_begin if request.method == "POST" else _list, request, owner)


def _list(request: HttpRequest, owner: Owner, error: str = "") -> HttpResponse:
    models = [model.name for model in model_choices("")]
    shown = present_replays(replay_rows(owner), replayable_rows(owner), models, error)
    return render(request, "replay/list.html", shown, status=422 if error else 200)


def _begin(request: HttpRequest, owner: Owner) -> HttpResponseBase:
    names = frozenset(model.name for model in model_choices(""))
    form = ReplayForm(request.POST, request.FILES, names=names)
    try:
        order = _order(form, owner)
    except InvalidInput as error:
        return _list(request, owner, str(error))
    return redirect("replay", run_id=replay_order(owner, order))


def _order(form: ReplayForm, owner: Owner) -> ReplayOrder:
    if not form.is_valid():
        raise InvalidInput(first_error(form))
    data = form.cleaned_data
    chosen = form.conversations()
    if data["everything"]:
        chosen = tuple(row.id for row in replayable_rows(owner))
    order = ReplayOrder(
        chosen,
        template=data["template"],
        strategy=data["strategy"],
        model=data["model"],
        tuning=tuple(data["tuning"].split()),
        name=data["name"],
    )
    # Whatever is wrong with it is said before anybody works on it.
    order.settings()
    return order


@require_safe
@signed_in
async def run(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Show one replay, with what it found so far."""
    owner, row = await _found(request, run_id)
    known = await in_pool(titles, owner, [one["conversation"] for one in row.report])
    return render(request, "replay/run.html", present_run(row, known))


@require_safe
@signed_in
async def run_json(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Give one replay as JSON."""
    _, row = await _found(request, run_id)
    return JsonResponse(
        {
            "id": str(row.id),
            "name": row.name,
            "status": row.status,
            "done": row.done,
            "total": row.total,
            "strategy": row.strategy,
            "model": row.model,
            "template": row.template,
            "tuning": row.tuning,
            "conversations": row.report,
        },
        json_dumps_params={"ensure_ascii": False, "indent": 1},
    )


@require_POST
@signed_in
async def cancel(request: HttpRequest, run_id: UUID) -> HttpResponseBase:
    """Cancel a replay; what was found so far stays."""
    owner = await person(request)
    if isinstance(await in_pool(replay_cancel, owner, run_id), Missing):
        msg = "No such replay."
        raise Http404(msg)
    return redirect("replay", run_id=run_id)


async def _found(request: HttpRequest, run_id: UUID) -> tuple[Owner, ReplayRow]:
    owner = await person(request)
    row = await in_pool(replay_row, owner, run_id)
    if row is None:
        msg = "No such replay."
        raise Http404(msg)
    return owner, row
