"""Counts the queries of views: a long conversation must cost no more of them than a short one."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.runtime.pool import in_pool
from chatapp.views import context, conversations, doors, inspector, planning, turns


@pytest.fixture
def pool_queries(monkeypatch) -> list[str]:
    """Return the list that every query of a view's work in the runtime's threads is added to."""
    found: list[str] = []

    async def counted(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return await in_pool(_captured, found, function, *args, **kwargs)

    for module in (context, conversations, doors, inspector, planning, turns):
        monkeypatch.setattr(module, "in_pool", counted)
    return found


def _captured(found: list[str], function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    with CaptureQueriesContext(connection) as queries:
        result = function(*args, **kwargs)
    found += [query["sql"] for query in queries.captured_queries]
    return result
