"""The tree of a conversation: its branches, and the ways from one to another."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from chatapp import broadcast
from chatapp.access import Access
from chatapp.forms.branches import ArchiveForm, BranchesForm, BranchNameForm, ForkForm
from chatapp.forms.turns import first_error
from chatapp.presenters.branches import limit_sentence, present_branches, present_branches_json
from chatapp.runtime.pool import in_pool
from chatapp.selectors.branches import (
    BRANCHES_PAGE,
    branch_list,
    every_branch,
    selected_branch,
    shown_branch,
)
from chatapp.services.branching import (
    branch_archive,
    branch_fork,
    branch_name,
    branch_redo,
    branch_roll_back,
    branch_select,
    turn_select,
)
from chatapp.services.outcomes import Busy, DepthReached, Missing, Unchanged
from chatapp.views.doors import go_to, led_to, load, refusal, signed_in


@require_safe
@signed_in
async def panel(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """List the branches."""
    access = await load(request, conversation_id)
    form = BranchesForm(request.GET)
    if not form.is_valid():
        return refusal(request, "invalid", status=422, sentence=first_error(form))
    return await in_pool(_panel, request, access, form)


def _panel(request: HttpRequest, access: Access, form: BranchesForm) -> HttpResponse:
    asked = form.cleaned_data
    found = branch_list(
        access, shown=asked["shown"] or BRANCHES_PAGE, with_archived=asked["archived"]
    )
    editing = str(asked["edit"] or "")
    shown = present_branches(found, access.conversation.id, editing=editing)
    return render(request, "inspector/_branches.html", shown)


@require_safe
@signed_in
async def tree_json(request: HttpRequest, conversation_id: UUID) -> JsonResponse:
    """Give all branches as data."""
    access = await load(request, conversation_id)
    rows = await in_pool(every_branch, access)
    selected = await in_pool(selected_branch, access)
    found = present_branches_json(rows, conversation_id, selected)
    return JsonResponse(found, json_dumps_params={"ensure_ascii": False})


@require_POST
@signed_in
async def fork(request: HttpRequest, conversation_id: UUID, turn_id: UUID) -> HttpResponse:
    """Make a named branch that goes on after a turn, or before what was asked in it."""
    access = await load(request, conversation_id)
    form = ForkForm(request.POST)
    if not form.is_valid():
        return refusal(request, "invalid", status=422, sentence=first_error(form))
    name, before = form.cleaned_data["name"], form.cleaned_data["before"]
    outcome = await in_pool(branch_fork, access, turn_id, name, before=before)
    if isinstance(outcome, Missing):
        raise _no_turn()
    if isinstance(outcome, DepthReached):
        sentence = limit_sentence(outcome.limit)
        return refusal(request, "depth_reached", status=409, sentence=sentence)
    return await go_to(request, access, outcome.branch_id)


@require_POST
@signed_in
async def step(request: HttpRequest, conversation_id: UUID, turn_id: UUID) -> HttpResponse:
    """Go to a branch that shows another version of a message or an answer."""
    access = await load(request, conversation_id)
    outcome = await in_pool(turn_select, access, turn_id)
    if isinstance(outcome, Missing):
        raise _no_turn()
    if isinstance(outcome, Unchanged):
        branch = await in_pool(shown_branch, access)
        return led_to(conversation_id, branch.id, turn_id)
    return await go_to(request, access, outcome.branch_id, turn_id)


@require_POST
@signed_in
async def select(request: HttpRequest, conversation_id: UUID, branch_id: UUID) -> HttpResponse:
    """Go to a branch."""
    access = await load(request, conversation_id)
    outcome = await in_pool(branch_select, access, branch_id)
    if isinstance(outcome, Missing):
        raise _no_branch()
    if isinstance(outcome, Unchanged):
        return led_to(conversation_id, branch_id)
    return await go_to(request, access, outcome.branch_id)


@require_POST
@signed_in
async def name(request: HttpRequest, conversation_id: UUID, branch_id: UUID) -> HttpResponse:
    """Give a branch another name."""
    access = await load(request, conversation_id)
    form = BranchNameForm(request.POST)
    if not form.is_valid():
        return refusal(request, "invalid", status=422, sentence=first_error(form))
    outcome = await in_pool(branch_name, access, branch_id, form.cleaned_data["name"])
    if isinstance(outcome, Missing):
        raise _no_branch()
    if isinstance(outcome, DepthReached):
        sentence = limit_sentence(outcome.limit)
        return refusal(request, "depth_reached", status=409, sentence=sentence)
    return await _changed(conversation_id)


@require_POST
@signed_in
async def archive(request: HttpRequest, conversation_id: UUID, branch_id: UUID) -> HttpResponse:
    """Put a branch away, or bring it back; a page that shows it goes on to where its reader is."""
    access = await load(request, conversation_id)
    form = ArchiveForm(request.POST)
    archived = form.is_valid() and form.cleaned_data["archived"]
    outcome = await in_pool(branch_archive, access, branch_id, archived=archived)
    if isinstance(outcome, Missing):
        raise _no_branch()
    if isinstance(outcome, Busy):
        return refusal(request, "answered_meanwhile", status=409)
    shown = await in_pool(shown_branch, access)
    answer = await _changed(conversation_id)
    if shown.id != branch_id:
        return answer
    # A page that stood on it shows it as it is now, or where its reader stands instead.
    gone_to = await in_pool(selected_branch, access) if archived else branch_id
    main = access.branch_id if gone_to is None else gone_to
    return led_to(conversation_id, main or branch_id)


@require_POST
@signed_in
async def roll_back(request: HttpRequest, conversation_id: UUID, turn_id: UUID) -> HttpResponse:
    """Make a turn the newest of its branch; what came after it is kept."""
    access = await load(request, conversation_id)
    outcome = await in_pool(branch_roll_back, access, turn_id)
    if isinstance(outcome, Missing):
        raise _no_turn()
    if isinstance(outcome, Busy):
        return refusal(request, "answered_meanwhile", status=409)
    return await _here(access)


@require_POST
@signed_in
async def redo(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Bring back what a rollback has left behind."""
    access = await load(request, conversation_id)
    outcome = await in_pool(branch_redo, access)
    if isinstance(outcome, Busy):
        return refusal(request, "answered_meanwhile", status=409)
    return await _here(access)


async def _here(access: Access) -> HttpResponse:
    """Lead the page to its branch as it is now."""
    branch = await in_pool(shown_branch, access)
    await broadcast.conversation_changed(access.conversation.id, "branches")
    return led_to(access.conversation.id, branch.id)


async def _changed(conversation_id: UUID) -> HttpResponse:
    await broadcast.conversation_changed(conversation_id, "branches")
    return HttpResponse(status=204)


def _no_turn() -> Http404:
    return Http404("No such turn.")


def _no_branch() -> Http404:
    return Http404("The conversation has no such branch.")
