"""Sockets at addresses that do not exist."""

import pytest


@pytest.mark.parametrize("path", ["/", "/ws/", "/ws/c/", "/ws/c/newest/", "/ws/elsewhere"])
async def test_an_unknown_address_is_closed_like_a_hidden_conversation(visitors, tab, path):
    page = tab(visitors.alice, path)

    assert await page.connect()
    assert await page.close_code() == 4404
