"""Requests that are planned and not sent: the preview of the next one, and all strategies."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from chatapp.access import Access
from chatapp.forms.context import CompareForm, PreviewForm
from chatapp.forms.turns import first_error
from chatapp.presenters.comparison import Asked, comparison_sources, present_comparison
from chatapp.presenters.preview import present_preview, previewed
from chatapp.presenters.told import wire_sources
from chatapp.runtime.pool import in_pool
from chatapp.selectors.branches import shown_branch
from chatapp.selectors.inspector import places
from chatapp.selectors.models import NotReady, model_choices, model_for
from chatapp.services.comparing import CompareInput, Comparison, compare
from chatapp.services.outcomes import TextNeeded
from chatapp.services.previewing import Preview, preview
from chatapp.views.doors import load, refusal, signed_in
from chatapp.wiring import count_tokens, registry
from statecore.context.plan import DoesNotFit
from statecore.models import ModelSpec
from statecore.tokens import Count, CountKey

Fresh = dict[CountKey, Count]


@require_POST
@signed_in
async def next_request(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Say how large the request would be for the text that is being typed; nothing is kept."""
    access = await load(request, conversation_id)
    form = PreviewForm(request.POST)
    if not form.is_valid():
        return refusal(request, "invalid", status=422, sentence=first_error(form))
    model = await in_pool(model_for, access.conversation.model_name)
    if isinstance(model, NotReady):
        return render(request, "chat/_preview.html", present_preview(None, conversation_id))
    text, branch = form.cleaned_data["text"], form.cleaned_data["branch"]

    def plan(fresh: Fresh) -> Any:  # noqa: ANN401  # what `preview` answers
        return preview(access, branch, text, model=model, fresh=fresh)

    outcome = await _counted(model, plan)
    return await in_pool(_preview, request, access, outcome, form.cleaned_data["whole"])


def _preview(request: HttpRequest, access: Access, outcome: object, whole: bool) -> HttpResponse:  # noqa: FBT001  # `in_pool` hands on places only
    known = outcome if isinstance(outcome, Preview | DoesNotFit) else None
    found = None
    if whole and isinstance(known, Preview):
        found = places(access, wire_sources(previewed(known)))
    shown = present_preview(known, access.conversation.id, found)
    return render(request, "chat/_preview.html", shown)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
async def comparison(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Show what each strategy would send, of the newest input or of a text."""
    access = await load(request, conversation_id)
    models = await in_pool(model_choices, access.conversation.model_name)
    names = frozenset(model.name for model in models)
    form = CompareForm(request.POST or request.GET, names=names)
    if not form.is_valid():
        error = Asked(text=request.POST.get("text", ""), error=first_error(form))
        shown = present_comparison(None, {}, models, error, conversation_id)
        return render(request, "inspector/compare.html", shown, status=422)
    data = form.cleaned_data
    name = data["model"] or next((model.name for model in models if model.selected), "")
    spec = registry().get(name)
    found = None if spec is None else await _compared(access, spec, data)
    return await in_pool(_comparison, request, access, found, name, data)


async def _compared(access: Access, model: ModelSpec, data: dict[str, Any]) -> Comparison | None:
    branch = await in_pool(shown_branch, access)
    what = CompareInput(
        model=model,
        branch_id=branch.id,
        text=data["text"],
        turn_id=data["turn"],
        last_messages=data["last_messages"],
        last_tokens=data["last_tokens"],
    )

    def plan(fresh: Fresh) -> Any:  # noqa: ANN401  # what `compare` answers
        return compare(access, what, fresh=fresh)

    outcome = await _counted(model, plan)
    return outcome if isinstance(outcome, Comparison) else None


def _comparison(
    request: HttpRequest,
    access: Access,
    found: Comparison | None,
    model_name: str,
    data: dict[str, Any],
) -> HttpResponse:
    links = places(access, comparison_sources(found)) if found else {}
    asked = Asked(data["text"], data["turn"], data["last_messages"], data["last_tokens"])
    models = model_choices(model_name)
    shown = present_comparison(found, links, models, asked, access.conversation.id)
    return render(request, "inspector/compare.html", shown)


async def _counted(model: ModelSpec, plan: Callable[[Fresh], Any]) -> object:
    """Return what a plan comes to, with the counts that only the model's own server can make."""
    fresh: Fresh = {}
    while isinstance(outcome := await in_pool(plan, fresh), TextNeeded):
        counts = await count_tokens(model, list(outcome.texts.values()))
        fresh = fresh | dict(zip(outcome.texts, counts, strict=True))
    return outcome
