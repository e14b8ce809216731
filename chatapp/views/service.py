"""What the service says about itself: alive, and the state of its models."""

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from chatapp.presenters.models import present_models
from chatapp.runtime.pool import in_pool
from chatapp.runtime.runtime import current
from chatapp.selectors.models import model_choices
from chatapp.selectors.service import database_answers
from chatapp.views.doors import signed_in


@require_safe
async def healthz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001  # Django's signature
    """Say whether this process serves: the database answers and new turns are welcome."""
    try:
        await in_pool(database_answers)
    except DatabaseError:
        return JsonResponse({"status": "database unavailable"}, status=503)
    if current().draining:
        return JsonResponse({"status": "draining"}, status=503)
    return JsonResponse({"status": "ok"})


@require_safe
@signed_in
async def model_status(request: HttpRequest) -> HttpResponse:
    """Show the state of the models; the fragment asks again by itself until they are ready."""
    models = await in_pool(model_choices, request.GET.get("selected", ""))
    return render(request, "models/_status.html", present_models(models))
