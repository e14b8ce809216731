"""What all views share: who is signed in, what they may see, how a refusal looks."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render, resolve_url
from django.urls import reverse

from chatapp import broadcast
from chatapp.access import Access, Owner, conversation_for, owner_of
from chatapp.presenters.refusals import present_refusal
from chatapp.runtime.pool import in_pool
from chatapp.services.transitions import ConversationGone
from chatapp.web.htmx import HtmxHttpRequest

BRANCH_HEADER = "Glassbox-Branch"
PAGE_HEADER = "Glassbox-Page"
_PAGE_CHARACTERS = 64

View = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def signed_in(view: View) -> View:
    """Send people who are not signed in to the sign-in page."""

    @wraps(view)
    async def wrapper(
        request: HtmxHttpRequest, *args: object, **kwargs: object
    ) -> HttpResponseBase:
        user = await request.auser()
        if user.is_authenticated:
            request.user = user
            return await _found(view, request, *args, **kwargs)
        if request.htmx:
            # A fragment must not be replaced by a sign-in page.
            return HttpResponse(
                status=401, headers={"HX-Redirect": resolve_url(settings.LOGIN_URL)}
            )
        return redirect_to_login(request.get_full_path())

    return wrapper


async def _found(
    view: View, request: HttpRequest, *args: object, **kwargs: object
) -> HttpResponseBase:
    try:
        return await view(request, *args, **kwargs)
    except ConversationGone:
        msg = "The conversation was deleted at the same moment."
        raise Http404(msg) from None


async def person(request: HttpRequest) -> Owner:
    """Return the signed-in owner."""
    return await in_pool(owner_of, user_of(request))


async def load(request: HttpRequest, conversation_id: UUID) -> Access:
    """Return a conversation of the signed-in person as the page shows it, else 404."""
    branch_id = branch_of(request)
    return await in_pool(conversation_for, user_of(request), conversation_id, branch_id)


def branch_of(request: HttpRequest) -> UUID | None:
    """Return the branch that a page shows: it says so with everything that it asks for.

    Raises:
        Http404: when that is no id.
    """
    named = request.headers.get(BRANCH_HEADER) or request.GET.get("branch")
    try:
        return UUID(named) if named else None
    except ValueError:
        msg = "The conversation has no such branch."
        raise Http404(msg) from None


async def go_to(
    request: HttpRequest, access: Access, branch_id: UUID, turn_id: UUID | None = None
) -> HttpResponse:
    """Send the page to a branch that was selected for its reader, and tell their other pages.

    Args:
        request: from the page.
        access: the conversation.
        branch_id: where it goes.
        turn_id: a turn that it shows; None for the newest.
    """
    conversation_id = access.conversation.id
    page = request.headers.get(PAGE_HEADER, "")[:_PAGE_CHARACTERS]
    await broadcast.conversation_changed(conversation_id, "branches")
    await broadcast.branch_selected(access.owner.user_id, conversation_id, branch_id, page)
    return led_to(conversation_id, branch_id, turn_id)


def led_to(conversation_id: UUID, branch_id: UUID, turn_id: UUID | None = None) -> HttpResponse:
    """Return the answer that leads a page to a branch; arguments as `go_to`."""
    address = reverse("conversation", args=[conversation_id])
    place = "" if turn_id is None else f"&turn={turn_id}#turn-{turn_id}"
    return HttpResponse(status=204, headers={"HX-Redirect": f"{address}?branch={branch_id}{place}"})


def user_of(request: HttpRequest) -> User:
    """Return the signed-in user of a view behind `signed_in`."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101  # `signed_in` has made sure
    return user


def refusal(
    request: HttpRequest,
    code: str,
    *,
    status: int,
    sentence: str = "",
    aside: dict[str, object] | None = None,
) -> HttpResponse:
    """Return one clear sentence that says why nothing was done; nothing typed is lost by it.

    Args:
        request: that is refused.
        code: why.
        status: of the answer.
        sentence: says it more exactly than the code can; empty for the standing sentence.
        aside: branch, version and head at which the same can be sent as an alternative.
    """
    context = {**present_refusal(code, sentence), "aside": aside}
    return render(request, "chat/_refusal.html", context, status=status)
