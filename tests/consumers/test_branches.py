"""The socket of a page that stays on its branch, whatever happens on others."""

from uuid import uuid4

import pytest

from chatapp import broadcast
from chatapp.runtime.pool import in_pool
from chatapp.services.branching import branch_select
from tests.support.people import branch_of
from tests.support.scripted_provider import replies
from tests.support.versions import draft, fork, on, talk
from tests.support.visitors import ended


@pytest.fixture
async def side(visitors, runtime):
    """A named branch beside the main line, which is chosen again."""
    access = visitors.people.access
    first = await in_pool(talk, access, "First", runtime.process_id)
    side_id = await in_pool(fork, access, first, "Поездка")
    await in_pool(branch_select, access, first.branch_id)
    return side_id


@pytest.fixture
def open_on(visitors, address, tab):
    """Open alice's page of a branch and take its hello."""

    async def open_one(branch_id=None):
        query = f"?branch={branch_id}" if branch_id else ""
        page = tab(visitors.alice, f"{address}{query}")
        assert await page.connect()
        return page, await page.frame()

    return open_one


async def ask(visitors, text):
    """Send a message on the branch that alice has chosen last."""
    new = await in_pool(draft, visitors.people.access, text)
    fields = {"text": text, "key": new.key, "branch": new.branch_id, "version": new.version}
    answer = await visitors.post(fields)
    assert answer.status_code == 200
    return answer


@pytest.mark.parametrize("named", ["no-id", str(uuid4())])
async def test_a_page_of_no_branch_is_not_let_in(visitors, address, tab, named):
    page = tab(visitors.alice, f"{address}?branch={named}")

    assert await page.connect()
    assert await page.close_code() == 4404


async def test_hello_speaks_of_the_branch_that_the_page_names(visitors, side, open_on, provider):
    provider.enqueue(replies.held("Wait ", "for it."))
    running = await visitors.ask("On the main line")

    _, main = await open_on((await in_pool(branch_of, visitors.people.access)).id)
    _, other = await open_on(side)

    assert (main["running"], other["running"]) == ([str(running)], [])
    assert (other["branch"], other["version"]) == (str(side), 0)
    provider.release()
    await ended(running)


async def test_a_turn_of_another_branch_is_not_told(visitors, side, open_on, provider):
    page, _ = await open_on(side)

    turn = await visitors.talk("On the main line")

    assert turn.status == "committed"
    assert await page.is_silent()


async def test_a_turn_of_the_branch_is_told_with_its_text(visitors, side, open_on, provider):
    await in_pool(branch_select, visitors.people.access, side)
    page, _ = await open_on(side)
    other, _ = await open_on((await in_pool(branch_of, visitors.people.access)).id)

    await ask(visitors, "On the side")
    last = await page.until("turn", status="committed")

    assert last["branch"] == str(side)
    assert "You said: On the side" in last["html"]
    assert await other.is_silent()


async def test_a_page_that_names_no_branch_stays_on_the_one_it_began_with(
    visitors, side, open_on, provider
):
    page, hello = await open_on()
    assert hello["branch"] == str((await in_pool(branch_of, visitors.people.access)).id)

    await in_pool(branch_select, visitors.people.access, side)
    await ask(visitors, "On the side")

    assert await page.is_silent()


async def test_a_turn_in_another_process_is_told_only_where_it_belongs(
    visitors, side, open_on, runtime
):
    conversation_id = visitors.conversation_id
    page, _ = await open_on(side)
    turn = await in_pool(talk, on(visitors.people.access, side), "Elsewhere", runtime.process_id)
    main = await in_pool(branch_of, visitors.people.access)
    other = await in_pool(
        talk, on(visitors.people.access, main.id), "On the main line", runtime.process_id
    )

    await broadcast.turn_changed(conversation_id, other.id)
    await broadcast.turn_changed(conversation_id, turn.id)

    assert (await page.until("turn"))["turn"] == str(turn.id)


async def test_a_change_of_the_tree_lets_every_page_look_again(visitors, side, open_on):
    page, _ = await open_on(side)

    await broadcast.conversation_changed(visitors.conversation_id, "branches")

    assert (await page.frame())["kind"] == "tree"
    assert (await page.frame())["targets"] == ["branches"]


async def test_where_the_reader_went_elsewhere_is_told_by_name(visitors, side, open_on):
    page, hello = await open_on()
    user_id = visitors.people.alice.pk

    await broadcast.branch_selected(user_id, visitors.conversation_id, side, "other-page")
    told = await page.frame()

    assert (told["kind"], told["branch"], told["page"]) == ("selected", str(side), "other-page")
    assert "Поездка" in told["html"]
    assert f"?branch={side}" in told["html"]
    assert hello["branch"] != told["branch"]


async def test_what_is_selected_in_another_conversation_or_by_nobody_is_not_told(
    visitors, side, open_on
):
    page, _ = await open_on()
    user_id = visitors.people.alice.pk

    await broadcast.branch_selected(user_id, uuid4(), side, "p")
    await broadcast.branch_selected(user_id, visitors.conversation_id, uuid4(), "p")
    await broadcast.branch_selected(user_id + 1, visitors.conversation_id, side, "p")

    assert await page.is_silent()
