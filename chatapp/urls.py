"""HTTP routes."""

from django.urls import include, path

from chatapp.views import (
    accounts,
    context,
    contract,
    conversations,
    inspector,
    memory,
    planning,
    service,
    turns,
)

conversation = [
    path("", conversations.page, name="conversation"),
    path("turns", turns.turns, name="turns"),
    path("turns/<uuid:turn_id>/retry", turns.retry, name="turn_retry"),
    path("turns/<uuid:turn_id>/stop", turns.stop, name="turn_stop"),
    path("rename", conversations.rename, name="conversation_rename"),
    path("delete", conversations.delete, name="conversation_delete"),
    path("model", conversations.choose_model, name="conversation_model"),
    path("state.json", contract.state, name="conversation_state"),
    path("page.json", inspector.page_json, name="conversation_page_json"),
    path("inspector/heads", inspector.heads, name="heads"),
    path("inspector/context", context.context, name="panel_context"),
    path("inspector/summary", inspector.summary, name="panel_summary"),
    path("inspector/session", inspector.session, name="panel_session"),
    path("inspector/selected", inspector.selected, name="panel_selected"),
    path("inspector/attempts", inspector.attempts, name="panel_attempts"),
    path("inspector/log", inspector.log, name="panel_log"),
    path("turns/<uuid:turn_id>/attempts", inspector.turn_attempts, name="turn_attempts"),
    path("attempts/<uuid:attempt_id>", context.attempt_request, name="attempt_request"),
    path("attempts/<uuid:attempt_id>/wire", context.attempt_wire, name="attempt_wire"),
    path("preview", planning.next_request, name="preview"),
    path("compare", planning.comparison, name="compare"),
    path("memory/entries", memory.add, name="memory_add"),
    path("memory/entries/edit", memory.edit, name="memory_edit"),
    path("memory/entries/pin", memory.pin, name="memory_pin"),
    path("memory/entries/delete", memory.delete, name="memory_delete"),
    path("memory/undo", memory.undo, name="memory_undo"),
    path("memory/again", memory.again, name="memory_again"),
    path("memory/fields", memory.set_field, name="field_set"),
    path("memory/fields/remove", memory.remove_field, name="field_remove"),
]

urlpatterns = [
    path("", conversations.home, name="home"),
    path("c/", conversations.create, name="conversation_create"),
    path("c/<uuid:conversation_id>/", include(conversation)),
    path("list", conversations.listing, name="conversation_list"),
    path("models/status", service.model_status, name="model_status"),
    path("healthz", service.healthz, name="healthz"),
    path("accounts/", accounts.account, name="account"),
    path("accounts/login/", accounts.sign_in, name="login"),
    path("accounts/logout/", accounts.sign_out, name="logout"),
    path("accounts/logout/everywhere/", accounts.sign_out_everywhere, name="logout_everywhere"),
    path("accounts/password/", accounts.change_password, name="password"),
    path("accounts/signup/", accounts.sign_up, name="signup"),
]
