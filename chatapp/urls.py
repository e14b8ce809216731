"""HTTP routes."""

urlpatterns: list[object] = []
