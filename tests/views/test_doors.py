"""Who is let in: the same rules at every address."""

import re
from uuid import UUID, uuid4

import pytest
from django.test import AsyncClient
from django.urls import get_resolver, reverse

from chatapp.models import Attempt, Conversation, Transition
from chatapp.runtime.pool import in_pool
from chatapp.services.transitions import ConversationGone
from tests.support.people import branch_of, say
from tests.support.visitors import HTMX

INSIDE = {
    "conversation": "GET",
    "turns": "GET POST",
    "turn_retry": "POST",
    "turn_stop": "POST",
    "turn_attempts": "GET",
    "turn_edit": "POST",
    "turn_regenerate": "POST",
    "turn_select": "POST",
    "turn_fork": "POST",
    "turn_roll_back": "POST",
    "branch_redo": "POST",
    "branch_select": "POST",
    "branch_name": "POST",
    "branch_archive": "POST",
    "panel_branches": "GET",
    "conversation_branches_json": "GET",
    "conversation_tree": "GET POST",
    "conversation_raw": "GET",
    "conversation_raw_json": "GET",
    "conversation_raw_text": "GET",
    "turn_feedback": "POST",
    "turn_provenance": "GET",
    "turn_provenance_json": "GET",
    "conversation_rename": "POST",
    "conversation_model": "POST",
    "heads": "GET",
    "panel_context": "GET",
    "panel_summary": "GET",
    "panel_session": "GET",
    "panel_selected": "GET",
    "panel_attempts": "GET",
    "panel_log": "GET",
    "memory_add": "POST",
    "memory_edit": "POST",
    "memory_pin": "POST",
    "memory_delete": "POST",
    "memory_undo": "POST",
    "memory_again": "POST",
    "field_set": "POST",
    "field_remove": "POST",
    "conversation_state": "GET POST",
    "conversation_page_json": "GET",
    "attempt_request": "GET",
    "attempt_wire": "GET",
    "preview": "POST",
    "compare": "GET POST",
    "conversation_delete": "POST",
}
"""Addresses of one conversation, with the methods that they answer."""
OF_A_BRANCH = ("branch_select", "branch_name", "branch_archive")
OUTSIDE = {
    "home": "GET",
    "conversation_create": "POST",
    "conversation_list": "GET",
    "replays": "GET POST",
    "model_status": "GET",
    "account": "GET",
    "password": "GET POST",
    "logout_everywhere": "POST",
}
OF_A_RUN = {"replay", "replay_json", "replay_cancel"}
"""Addresses of one replay, which `test_replays.py` visits as everybody."""
OPEN = {"healthz": "GET", "login": "GET POST", "logout": "POST", "signup": "GET POST"}
"""Addresses for everybody."""
FIELDS = {
    "conversation_rename": {"title": "Rivers"},
    "conversation_model": {"model": "second"},
    "memory_add": {"kind": "rule", "words": "Metric units only."},
    "memory_edit": {"entry": "nobody:0-1", "words": "No"},
    "memory_pin": {"entry": "nobody:0-1", "pinned": "on"},
    "memory_delete": {"entry": "nobody:0-1"},
    "memory_undo": {"seq": "9999"},
    "field_set": {"key": "mood", "value": "calm", "expiry": "day", "visible": "on"},
    "field_remove": {"key": "mood"},
}
TOKEN = re.compile("[A-Za-z0-9]{64}")
"""A token against forms of other sites: every page has another."""
METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture
async def urls(visitors, runtime):
    """Address by name, with a turn and an attempt that are really alice's."""
    turn_id = await in_pool(
        say, visitors.people.access, "One river?", "The Volga.", runtime.process_id
    )
    attempt_id = await in_pool(lambda: Attempt.objects.get(turn_id=turn_id).id)
    branch_id = (await in_pool(branch_of, visitors.people.access)).id
    more = {name: {"turn_id": turn_id} for name in INSIDE if name.startswith("turn_")}
    more |= {name: {"branch_id": branch_id} for name in OF_A_BRANCH}
    more |= {name: {"attempt_id": attempt_id} for name in ("attempt_request", "attempt_wire")}
    inside = {name: visitors.url(name, **more.get(name, {})) for name in INSIDE}
    return {**inside, **{name: reverse(name) for name in {**OUTSIDE, **OPEN}}}


def calls(names, verbs):
    """Return every (name, method) that is answered, or with other verbs those that are not."""
    return [(name, verb) for name in names for verb in verbs if verb.upper() in names[name].split()]


async def statuses(client, urls, wanted, **more):
    found = {}
    for name, verb in wanted:
        fields = FIELDS.get(name, {}) if verb == "post" else {}
        answer = await getattr(client, verb)(urls[name], fields, **more)
        found[name, verb] = answer.status_code
    return found


def test_the_table_names_every_address():
    named = {name for name in get_resolver().reverse_dict if isinstance(name, str)}

    assert named == {*INSIDE, *OUTSIDE, *OPEN, *OF_A_RUN}


async def test_the_owner_is_served(visitors, urls):
    found = await statuses(visitors.alice, urls, calls({**INSIDE, **OUTSIDE}, METHODS))

    assert found == {
        ("conversation", "get"): 200,
        ("turns", "get"): 422,  # asks for older ones before nothing
        ("turns", "post"): 422,  # without a text
        ("turn_retry", "post"): 409,  # the turn is answered
        ("turn_stop", "post"): 204,
        ("turn_attempts", "get"): 200,
        ("turn_edit", "post"): 422,  # without a text
        ("turn_regenerate", "post"): 422,  # without a key
        ("turn_select", "post"): 204,
        ("turn_fork", "post"): 422,  # without a name
        ("turn_roll_back", "post"): 204,
        ("branch_redo", "post"): 204,
        ("branch_select", "post"): 204,
        ("branch_name", "post"): 422,  # without a name
        ("branch_archive", "post"): 404,  # the main line stays
        ("panel_branches", "get"): 200,
        ("conversation_branches_json", "get"): 200,
        ("conversation_tree", "get"): 200,
        ("conversation_tree", "post"): 422,  # without a file
        ("conversation_raw", "get"): 200,
        ("conversation_raw_json", "get"): 200,
        ("conversation_raw_text", "get"): 200,
        ("turn_feedback", "post"): 422,  # without a thumb
        ("turn_provenance", "get"): 200,
        ("turn_provenance_json", "get"): 200,
        ("conversation_rename", "post"): 204,
        ("conversation_model", "post"): 204,
        ("heads", "get"): 200,
        ("panel_context", "get"): 200,
        ("panel_summary", "get"): 200,
        ("panel_session", "get"): 200,
        ("panel_selected", "get"): 200,
        ("panel_attempts", "get"): 200,
        ("panel_log", "get"): 200,
        ("memory_add", "post"): 204,
        ("memory_edit", "post"): 409,  # there is no such entry
        ("memory_pin", "post"): 409,
        ("memory_delete", "post"): 409,
        ("memory_undo", "post"): 409,
        ("memory_again", "post"): 204,
        ("field_set", "post"): 204,
        ("field_remove", "post"): 204,
        ("conversation_state", "get"): 200,
        ("conversation_state", "post"): 422,  # without a file
        ("conversation_page_json", "get"): 200,
        ("attempt_request", "get"): 200,
        ("attempt_wire", "get"): 200,
        ("preview", "post"): 422,  # without a branch
        ("compare", "get"): 200,
        ("compare", "post"): 200,
        ("conversation_delete", "post"): 204,
        ("home", "get"): 200,  # nothing is left to be sent on to
        ("conversation_create", "post"): 302,
        ("conversation_list", "get"): 200,
        ("replays", "get"): 200,
        ("replays", "post"): 422,  # without a conversation
        ("model_status", "get"): 200,
        ("account", "get"): 200,
        ("password", "get"): 200,
        ("password", "post"): 422,  # without a password
        ("logout_everywhere", "post"): 302,
    }


async def test_a_stranger_finds_nothing_and_changes_nothing(visitors, urls):
    before = await in_pool(Transition.objects.count)
    wanted = calls(INSIDE, METHODS)

    found = await statuses(visitors.mallory, urls, wanted)

    assert found == dict.fromkeys(wanted, 404)
    assert await in_pool(Transition.objects.count) == before


async def test_what_is_not_there_looks_the_same_as_what_is_hidden(visitors, urls):
    hidden = await visitors.mallory.get(urls["conversation"])
    missing = await visitors.mallory.get(
        reverse("conversation", kwargs={"conversation_id": uuid4()})
    )

    assert (missing.status_code, TOKEN.sub("", missing.text)) == (404, TOKEN.sub("", hidden.text))


async def test_a_deleted_conversation_is_not_found_by_its_owner(visitors, urls):
    await visitors.alice.post(urls["conversation_delete"])
    wanted = calls(INSIDE, METHODS)

    assert await statuses(visitors.alice, urls, wanted) == dict.fromkeys(wanted, 404)


async def test_what_was_deleted_at_the_same_moment_is_not_found(visitors, urls, monkeypatch):
    def too_late(*_):
        raise ConversationGone

    monkeypatch.setattr("chatapp.views.conversations.conversation_rename", too_late)

    answer = await visitors.alice.post(urls["conversation_rename"], {"title": "Rivers"})

    assert answer.status_code == 404


async def test_who_is_not_signed_in_is_sent_to_the_sign_in_page_and_back(visitors, urls):
    for name, verb in calls({**INSIDE, **OUTSIDE}, METHODS):
        answer = await getattr(visitors.anonymous, verb)(urls[name])

        assert (name, answer.status_code) == (name, 302)
        assert answer.url == f"{reverse('login')}?next={urls[name]}"


async def test_a_fragment_is_not_replaced_by_the_sign_in_page(visitors, urls):
    for name, verb in calls({**INSIDE, **OUTSIDE}, METHODS):
        answer = await getattr(visitors.anonymous, verb)(urls[name], headers=HTMX)

        assert (name, answer.status_code, answer.content) == (name, 401, b"")
        assert answer.headers["HX-Redirect"] == reverse("login")


async def test_another_method_is_refused(visitors, urls):
    answered = calls({**INSIDE, **OUTSIDE}, METHODS)
    others = [
        (name, verb)
        for name in {**INSIDE, **OUTSIDE, "healthz": "GET"}
        for verb in METHODS
        if (name, verb) not in [*answered, ("healthz", "get")]
    ]

    assert await statuses(visitors.alice, urls, others) == dict.fromkeys(others, 405)


async def test_head_is_answered_wherever_get_is(visitors, urls):
    for client, names in ((visitors.alice, {**INSIDE, **OUTSIDE}), (visitors.anonymous, OPEN)):
        read = calls(names, ["get"])
        got = await statuses(client, urls, read)

        heads = await statuses(client, urls, [(name, "head") for name in names])

        refused = dict.fromkeys(((name, "head") for name in names), 405)
        assert heads == {**refused, **{(name, "head"): got[name, "get"] for name, _ in read}}


async def test_a_form_of_another_site_changes_nothing(visitors, urls):
    guarded = AsyncClient(enforce_csrf_checks=True)
    await guarded.aforce_login(visitors.people.alice)
    before = await in_pool(Transition.objects.count)
    wanted = calls({**INSIDE, **OUTSIDE, **OPEN}, ["post"])

    assert await statuses(guarded, urls, wanted) == dict.fromkeys(wanted, 403)
    assert await in_pool(Transition.objects.count) == before
    assert await in_pool(Conversation.objects.count) == 1


async def test_the_token_of_the_page_lets_a_form_pass(visitors, urls):
    guarded = AsyncClient(enforce_csrf_checks=True)
    await guarded.aforce_login(visitors.people.alice)
    page = await guarded.get(urls["conversation"])
    token = page.context["csrf_token"]

    answer = await guarded.post(
        urls["conversation_rename"], {"title": "Rivers"}, headers={"X-CSRFToken": str(token)}
    )

    assert answer.status_code == 204


async def test_a_stranger_gets_nothing_by_naming_foreign_rows_in_an_own_conversation(
    visitors, urls
):
    created = await visitors.mallory.post(urls["conversation_create"])
    own = UUID(created.url.strip("/").split("/")[-1])
    attempt = await in_pool(Attempt.objects.get)

    request = await visitors.mallory.get(
        reverse("attempt_request", kwargs={"conversation_id": own, "attempt_id": attempt.id})
    )
    older = await visitors.mallory.get(
        reverse("turns", kwargs={"conversation_id": own}), {"before": str(attempt.turn_id)}
    )
    stopped = await visitors.mallory.post(
        reverse("turn_stop", kwargs={"conversation_id": own, "turn_id": attempt.turn_id})
    )
    retried = await visitors.mallory.post(
        reverse("turn_retry", kwargs={"conversation_id": own, "turn_id": attempt.turn_id})
    )

    assert [request.status_code, older.status_code] == [404, 200]
    assert "river" not in older.text
    assert [stopped.status_code, retried.status_code] == [204, 409]
