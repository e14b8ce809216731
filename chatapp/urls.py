"""HTTP routes."""

from django.contrib.auth import views as auth_views
from django.urls import include, path

from chatapp.views import conversations, inspector, service, turns

conversation = [
    path("", conversations.page, name="conversation"),
    path("turns", turns.turns, name="turns"),
    path("turns/<uuid:turn_id>/retry", turns.retry, name="turn_retry"),
    path("turns/<uuid:turn_id>/stop", turns.stop, name="turn_stop"),
    path("rename", conversations.rename, name="conversation_rename"),
    path("delete", conversations.delete, name="conversation_delete"),
    path("model", conversations.choose_model, name="conversation_model"),
    path("sent", inspector.sent, name="sent"),
    path("state.json", inspector.state, name="conversation_state"),
    path("turns/<uuid:turn_id>/sent", inspector.turn_sent, name="turn_sent"),
    path("attempts/<uuid:attempt_id>", inspector.attempt_request, name="attempt_request"),
]

urlpatterns = [
    path("", conversations.home, name="home"),
    path("c/", conversations.create, name="conversation_create"),
    path("c/<uuid:conversation_id>/", include(conversation)),
    path("list", conversations.listing, name="conversation_list"),
    path("models/status", service.model_status, name="model_status"),
    path("healthz", service.healthz, name="healthz"),
    path("accounts/login/", auth_views.LoginView.as_view(), name="login"),
    path("accounts/logout/", auth_views.LogoutView.as_view(), name="logout"),
]
