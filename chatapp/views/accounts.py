"""The pages of accounts: sign up, sign in and out, change the password, end sessions."""

from functools import wraps

from asgiref.sync import sync_to_async
from django import forms
from django.conf import settings
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chatapp import broadcast
from chatapp.forms.accounts import PasswordForm, SignInForm, SignUpForm, focus
from chatapp.presenters.accounts import present_account, refused_sentence
from chatapp.runtime.pool import in_pool
from chatapp.selectors.accounts import account_row
from chatapp.services.accounts import (
    Refused,
    account_change_password,
    account_create,
    account_end_sessions,
    account_prove,
)
from chatapp.views.doors import View, signed_in, user_of
from chatapp.web.addresses import address_of
from chatapp.web.htmx import HtmxHttpRequest

BACKEND = "django.contrib.auth.backends.ModelBackend"
# Hashing a password takes a third of a second, by intention: it is done in the threads of
# requests and not in those of the runtime, where every stream would wait for it.


def with_password(view: View) -> View:
    """Send people home who have no password: there is nothing for them to see or change."""

    @wraps(view)
    async def wrapper(
        request: HtmxHttpRequest, *args: object, **kwargs: object
    ) -> HttpResponseBase:
        if not user_of(request).has_usable_password():
            return redirect("home")
        return await view(request, *args, **kwargs)

    return signed_in(wrapper)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
async def sign_in(request: HttpRequest) -> HttpResponse:
    """Let somebody in by name and password."""
    user = await request.auser()
    if user.is_authenticated and (request.method != "POST" or not user.has_usable_password()):
        return HttpResponseRedirect(_way_on(request))
    if request.method != "POST":
        return _page(request, "registration/login.html", SignInForm())
    form = SignInForm(request.POST)
    if not form.is_valid():
        return _page(request, "registration/login.html", form)
    fields = form.cleaned_data
    outcome = await sync_to_async(account_prove)(
        fields["username"], fields["password"], address_of(request)
    )
    if isinstance(outcome, Refused):
        form.add_error(None, refused_sentence(outcome))
        return _page(request, "registration/login.html", form, outcome)
    await sync_to_async(_enter)(request, outcome)
    if isinstance(user, User):
        await broadcast.signed_out(user.pk)
    return HttpResponseRedirect(_way_on(request))


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
async def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account and let its owner in."""
    if (await request.auser()).is_authenticated:
        return HttpResponseRedirect(_way_on(request))
    if not _signup_is_open():
        msg = "Accounts are not made here."
        raise Http404(msg)
    if request.method != "POST":
        return _page(request, "registration/signup.html", SignUpForm())
    form = SignUpForm(request.POST)
    if not await sync_to_async(form.is_valid)():
        return _page(request, "registration/signup.html", form)
    fields = form.cleaned_data
    outcome = await sync_to_async(account_create)(fields["username"], fields["password1"])
    if isinstance(outcome, Refused):
        form.add_error("username", refused_sentence(outcome))
        return _page(request, "registration/signup.html", form, outcome)
    await sync_to_async(_enter)(request, outcome)
    return HttpResponseRedirect(_way_on(request))


@never_cache
@require_POST
async def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session of this browser; its other tabs are told."""
    user = await request.auser()
    await sync_to_async(logout)(request)
    if isinstance(user, User):
        await broadcast.signed_out(user.pk)
    return redirect(settings.LOGOUT_REDIRECT_URL)


@never_cache
@require_safe
@with_password
async def account(request: HttpRequest) -> HttpResponse:
    """Show the account of who is signed in."""
    row = await in_pool(account_row, user_of(request))
    return render(request, "accounts/account.html", present_account(row))


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@with_password
async def change_password(request: HttpRequest) -> HttpResponse:
    """Change the password; this session stays, all others of the account end."""
    user = user_of(request)
    if request.method != "POST":
        return _page(request, "accounts/password.html", PasswordForm(user=user))
    form = PasswordForm(request.POST, user=user)
    if not await sync_to_async(form.is_valid)():
        return _page(request, "accounts/password.html", form)
    fields = form.cleaned_data
    outcome = await sync_to_async(account_change_password)(
        user, fields["old"], fields["password1"], address_of(request)
    )
    if outcome is not None:
        form.add_error("old", refused_sentence(outcome, name_typed=False))
        return _page(request, "accounts/password.html", form, outcome)
    await sync_to_async(_keep_only_this_session)(request, user)
    await broadcast.signed_out(user.pk)
    return redirect("account")


@never_cache
@require_POST
@with_password
async def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """End all sessions of the account, this one too."""
    user = user_of(request)
    await in_pool(account_end_sessions, user.pk)
    await sync_to_async(logout)(request)
    await broadcast.signed_out(user.pk)
    return redirect(settings.LOGOUT_REDIRECT_URL)


def _page(
    request: HttpRequest, template: str, form: forms.Form, refused: Refused | None = None
) -> HttpResponse:
    """Show a form, with what was wrong with it."""
    focus(form)
    wrong = 429 if refused is Refused.TOO_MANY else 422
    context = {"form": form, "next": _wanted(request), "signup": _signup_is_open()}
    return render(request, template, context, status=wrong if form.errors else 200)


def _signup_is_open() -> bool:
    return settings.SIGNUP and not settings.LOCAL_USER


def _enter(request: HttpRequest, user: User) -> None:
    """Begin a session under a fresh key, whatever this browser had before."""
    request.session.flush()
    login(request, user, BACKEND)


def _keep_only_this_session(request: HttpRequest, user: User) -> None:
    update_session_auth_hash(request, user)
    account_end_sessions(user.pk, keep=request.session.session_key)


def _wanted(request: HttpRequest) -> str:
    """Return where the person was going, if that is here; else nothing."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_here = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_here else ""


def _way_on(request: HttpRequest) -> str:
    return _wanted(request) or resolve_url(settings.LOGIN_REDIRECT_URL)
