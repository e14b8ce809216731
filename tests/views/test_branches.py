"""The tree over HTTP: who may do what, where a page is led, and what its other pages are told."""

import re
from urllib.parse import parse_qs, urlsplit
from uuid import UUID, uuid4

import pytest
from django.urls import reverse

from chatapp import broadcast
from chatapp.ids import new_id
from chatapp.models import Branch, Transition, Turn
from chatapp.runtime.pool import in_pool
from chatapp.selectors.branches import selected_branch
from tests.support.lengthen import lengthen
from tests.support.people import branch_of
from tests.support.scripted_provider import replies
from tests.support.versions import fork, on, talk
from tests.support.visitors import HTMX, ended

QUESTION = re.compile(r'<div class="question" dir="auto">(.*?)</div>')


class Talked:
    """Alice's conversation of three turns, and what her page does to it."""

    def __init__(self, visitors, turns) -> None:
        self.visitors, self.turns = visitors, turns
        self.main = turns[0].branch_id

    async def post(self, name, fields=(), *, page=None, **more):
        """Post something from the page of a branch."""
        headers = {**HTMX, "Glassbox-Branch": str(page or self.main), "Glassbox-Page": "p1"}
        return await self.visitors.alice.post(
            self.visitors.url(name, **more), dict(fields), headers=headers
        )

    async def questions(self, branch=None):
        """Return what the page of a branch shows, or the page as it is opened anew."""
        query = {"branch": str(branch)} if branch else {}
        page = await self.visitors.alice.get(self.visitors.url("conversation"), query)
        return QUESTION.findall(page.text)

    async def selected(self):
        return await in_pool(selected_branch, self.visitors.people.access)


@pytest.fixture
async def talked(visitors, runtime) -> Talked:
    access = visitors.people.access
    turns = [
        await in_pool(talk, access, text, runtime.process_id)
        for text in ("First", "Second", "Third")
    ]
    return Talked(visitors, turns)


@pytest.fixture
def told(monkeypatch):
    """What the other pages of the reader are told."""
    found = []

    async def tell(group, message):
        found.append((group, message))

    monkeypatch.setattr(broadcast, "_tell", tell)
    return found


def led_to(answer) -> tuple[UUID, str]:
    """Return the branch that an answer leads to, and the place on its page."""
    assert answer.status_code == 204, answer.text
    address = urlsplit(answer.headers["HX-Redirect"])
    return UUID(parse_qs(address.query)["branch"][0]), address.fragment


def key() -> dict[str, str]:
    return {"key": new_id().hex}


# Versions.


async def test_an_edit_leads_to_a_branch_where_the_new_message_is_answered(talked, provider):
    answer = await talked.post("turn_edit", {"text": "Другое", **key()}, turn_id=talked.turns[1].id)

    branch_id, _ = led_to(answer)
    new = await in_pool(Turn.objects.get, branch_id=branch_id)
    await ended(new.id)
    assert await talked.questions(branch_id) == ["First", "Другое"]
    assert await talked.questions(talked.main) == ["First", "Second", "Third"]
    assert await talked.selected() == branch_id
    assert (await talked.visitors.row(new.id)).answer_text == "You said: Другое"


async def test_a_doubled_edit_is_one_branch(talked, provider):
    fields = {"text": "Other", **key()}

    first = await talked.post("turn_edit", fields, turn_id=talked.turns[1].id)
    again = await talked.post("turn_edit", fields, turn_id=talked.turns[1].id)

    assert led_to(first) == led_to(again)
    assert await in_pool(Branch.objects.count) == 2
    await ended((await in_pool(Turn.objects.get, branch_id=led_to(first)[0])).id)


async def test_another_answer_shares_the_message_on_a_branch_of_its_own(talked, provider):
    provider.enqueue(replies.answer("Otherwise."))

    answer = await talked.post("turn_regenerate", key(), turn_id=talked.turns[1].id)

    branch_id, _ = led_to(answer)
    new = await in_pool(Turn.objects.get, branch_id=branch_id)
    await ended(new.id)
    assert new.input_message_id == talked.turns[1].input_message_id
    assert (await talked.visitors.row(new.id)).answer_text == "Otherwise."


async def test_an_answer_that_is_being_written_is_not_asked_for_again(talked, provider):
    provider.enqueue(replies.held("Wait ", "for it."))
    running = await talked.visitors.ask("Fourth")

    answer = await talked.post("turn_regenerate", key(), turn_id=running)

    assert (answer.status_code, "being written" in answer.text) == (409, True)
    provider.release()
    await ended(running)


async def test_a_version_needs_a_text_and_a_key(talked):
    edit = {"text": " ", **key()}, {"text": "Other"}, {"text": "x" * 400_001, **key()}
    for fields in edit:
        answer = await talked.post("turn_edit", fields, turn_id=talked.turns[0].id)
        assert (answer.status_code, answer.text.count("<p ")) == (422, 1)
    assert (await talked.post("turn_regenerate", turn_id=talked.turns[0].id)).status_code == 422
    assert await in_pool(Branch.objects.count) == 1


async def test_a_refused_message_is_sent_as_an_alternative_where_it_was_typed(talked, provider):
    stale = {**await talked.visitors.draft("blue"), "head": str(talked.turns[2].id)}
    await talked.visitors.talk("red")
    refused = await talked.post("turns", stale)
    assert refused.status_code == 409
    assert f'data-head="{stale["head"]}"' in refused.text
    assert f'data-version="{stale["version"]}"' in refused.text

    answer = await talked.post("turns", {**stale, "aside": "on"})
    again = await talked.post("turns", {**stale, "aside": "on"})

    branch_id, _ = led_to(answer)
    assert led_to(again)[0] == branch_id
    new = await in_pool(Turn.objects.get, branch_id=branch_id)
    await ended(new.id)
    assert await talked.questions(branch_id) == ["First", "Second", "Third", "blue"]
    assert await talked.questions(talked.main) == ["First", "Second", "Third", "red"]


async def test_nothing_is_said_on_a_branch_that_was_put_away(talked):
    branch_id = await in_pool(fork, talked.visitors.people.access, talked.turns[0], "Side")
    await talked.post("branch_archive", {"archived": "on"}, branch_id=branch_id)
    draft = {"text": "Hi", **key(), "branch": str(branch_id), "version": "0"}

    answer = await talked.post("turns", draft, page=branch_id)

    assert (answer.status_code, "archived" in answer.text) == (409, True)
    page = await talked.visitors.alice.get(
        talked.visitors.url("conversation"), {"branch": str(branch_id)}
    )
    assert "This branch is archived." in page.text


# Ways from one branch to another.


async def test_a_fork_goes_on_after_a_turn_or_before_its_message(talked):
    after = await talked.post("turn_fork", {"name": "Поездка"}, turn_id=talked.turns[1].id)
    before = await talked.post(
        "turn_fork", {"name": "旅行", "before": "on"}, turn_id=talked.turns[1].id
    )

    assert await talked.questions(led_to(after)[0]) == ["First", "Second"]
    assert await talked.questions(led_to(before)[0]) == ["First"]
    assert await talked.questions() == ["First"]


async def test_a_fork_needs_a_name_that_is_not_too_long(talked):
    for name, sentence in (("", "at least one"), (" ", "at least one"), ("n" * 201, "at most 200")):
        answer = await talked.post("turn_fork", {"name": name}, turn_id=talked.turns[0].id)

        assert (answer.status_code, sentence in answer.text) == (422, True)
    assert await in_pool(Branch.objects.count) == 1


async def test_a_fork_that_would_be_nested_too_deep_is_refused_in_one_sentence(talked, settings):
    settings.GLASSBOX_NAMED_FORK_DEPTH = 1
    branch_id, _ = led_to(await talked.post("turn_fork", {"name": "1"}, turn_id=talked.turns[0].id))

    answer = await talked.post(
        "turn_fork", {"name": "2"}, turn_id=talked.turns[0].id, page=branch_id
    )

    assert answer.status_code == 409
    assert "Named branches may be nested 1 deep here." in answer.text
    page = await talked.visitors.alice.get(talked.visitors.url("conversation"))
    assert 'data-fork-limit="Named branches may be nested 1 deep here."' in page.text


async def test_stepping_leads_to_the_branch_that_shows_the_turn_and_to_its_place(talked, provider):
    edited = led_to(
        await talked.post("turn_edit", {"text": "Other", **key()}, turn_id=talked.turns[1].id)
    )[0]
    await ended((await in_pool(Turn.objects.get, branch_id=edited)).id)

    answer = await talked.post("turn_select", turn_id=talked.turns[1].id, page=edited)

    assert led_to(answer) == (talked.main, f"turn-{talked.turns[1].id}")
    assert await talked.selected() == talked.main


async def test_a_page_that_is_led_to_a_turn_far_from_the_end_shows_it(talked, runtime):
    access = talked.visitors.people.access
    await in_pool(lengthen, access, 100)
    away = await talked.post("turn_regenerate", key(), turn_id=talked.turns[1].id, page=talked.main)
    side, _ = led_to(away)

    answer = await talked.post("turn_select", turn_id=talked.turns[1].id, page=side)

    page = await talked.visitors.alice.get(answer.headers["HX-Redirect"].split("#")[0])
    depths = [int(depth) for depth in re.findall(r'data-depth="(\d+)"', page.text)]
    assert f'id="turn-{talked.turns[1].id}"' in page.text
    assert depths == [*range(2, 32), *range(71, 101)]
    assert page.text.count('id="older"') == page.text.count('id="gap"') == 1
    address = re.search(r'id="gap">\s*<button[^>]*hx-get="([^"]*)"', page.text)[1]
    newer = await talked.visitors.alice.get(address.replace("&amp;", "&"))
    assert [int(found) for found in re.findall(r'data-depth="(\d+)"', newer.text)] == list(
        range(32, 62)
    )
    await ended((await in_pool(Turn.objects.get, branch_id=side)).id)


async def test_a_branch_is_gone_to_and_a_page_opened_anew_shows_it(talked):
    side = await in_pool(fork, talked.visitors.people.access, talked.turns[0], "Side")
    await talked.post("branch_select", branch_id=talked.main)
    assert await talked.questions() == ["First", "Second", "Third"]

    answer = await talked.post("branch_select", branch_id=side)

    assert led_to(answer) == (side, "")
    assert await talked.questions() == ["First"]
    assert await talked.questions(talked.main) == ["First", "Second", "Third"]


async def test_a_rollback_and_a_redo_stay_on_the_branch_of_the_page(talked):
    side = await in_pool(fork, talked.visitors.people.access, talked.turns[2], "Side")

    rolled = await talked.post("turn_roll_back", turn_id=talked.turns[0].id, page=talked.main)

    assert led_to(rolled) == (talked.main, "")
    assert await talked.questions(talked.main) == ["First"]
    assert await talked.questions(side) == ["First", "Second", "Third"]
    page = await talked.visitors.alice.get(
        talked.visitors.url("conversation"), {"branch": str(talked.main)}
    )
    assert "Rolled back to turn 1. 2 turns are kept." in page.text
    assert led_to(await talked.post("branch_redo", page=talked.main)) == (talked.main, "")
    assert await talked.questions(talked.main) == ["First", "Second", "Third"]


async def test_nothing_is_rolled_back_while_an_answer_is_being_written(talked, provider):
    provider.enqueue(replies.held("Wait ", "for it."))
    running = await talked.visitors.ask("Fourth")

    answer = await talked.post("turn_roll_back", turn_id=talked.turns[0].id)

    assert (answer.status_code, "being written" in answer.text) == (409, True)
    provider.release()
    await ended(running)


async def test_who_archives_the_branch_of_the_page_is_led_to_where_it_left(talked):
    side = await in_pool(fork, talked.visitors.people.access, talked.turns[0], "Side")

    away = await talked.post("branch_archive", {"archived": "on"}, branch_id=side, page=side)
    elsewhere = await talked.post("branch_archive", {"archived": ""}, branch_id=side)

    assert led_to(away) == (talked.main, "")
    assert (elsewhere.status_code, "HX-Redirect" in elsewhere.headers) == (204, False)


async def test_a_branch_gets_another_name(talked):
    side = await in_pool(fork, talked.visitors.people.access, talked.turns[0], "Side")

    answer = await talked.post("branch_name", {"name": "更短"}, branch_id=side)

    assert answer.status_code == 204
    page = await talked.visitors.alice.get(talked.visitors.url("conversation"))
    assert '<span class="line-name" dir="auto">更短</span>' in page.text


# What the panel and the data say.


async def test_the_panel_lists_branches_with_what_can_be_done(talked):
    side = await in_pool(fork, talked.visitors.people.access, talked.turns[0], "<b>Side</b>")

    page = await talked.visitors.alice.get(talked.visitors.url("panel_branches"))
    naming = await talked.visitors.alice.get(
        talked.visitors.url("panel_branches"), {"edit": str(side)}
    )

    assert "&lt;b&gt;Side&lt;/b&gt;" in page.text
    assert "after turn 1: First" in page.text
    assert 'value="&lt;b&gt;Side&lt;/b&gt;"' in naming.text


@pytest.mark.parametrize("query", [{"shown": "0"}, {"shown": "many"}, {"edit": "x"}])
async def test_a_panel_that_makes_no_sense_is_refused(talked, query):
    answer = await talked.visitors.alice.get(talked.visitors.url("panel_branches"), query)

    assert answer.status_code == 422


async def test_all_branches_are_there_as_data(talked):
    side = await in_pool(fork, talked.visitors.people.access, talked.turns[0], "Side")

    found = (
        await talked.visitors.alice.get(
            talked.visitors.url("conversation_branches_json"), {"branch": str(talked.main)}
        )
    ).json()

    main, other = found["branches"]
    assert (found["schema"], found["selected"]) == ("glassbox.branches.1", str(side))
    assert (main["label"], main["viewed"], main["left_after"]) == ("Main line", True, None)
    assert (other["name"], other["origin"], other["turns"]) == ("Side", "fork", 0)
    assert other["left_after"]["text"] == "First"


# What other pages are told.


async def test_the_other_pages_of_a_reader_are_told_with_ids_only(talked, told):
    side = await in_pool(fork, talked.visitors.people.access, talked.turns[0], "Secret name")

    await talked.post("branch_select", branch_id=talked.main)

    user_id = talked.visitors.people.alice.pk
    assert (
        f"user.{user_id}",
        {
            "type": "branch.selected",
            "conversation": str(talked.visitors.conversation_id),
            "branch": str(talked.main),
            "page": "p1",
        },
    ) in told
    assert side
    assert "Secret" not in str(told)


async def test_everybody_at_the_conversation_is_told_that_the_tree_changed(talked, told):
    group = broadcast.conversation_group(talked.visitors.conversation_id)
    message = {"type": "conversation.changed", "what": "branches"}

    for name, fields, more in (
        ("turn_fork", {"name": "Side"}, {"turn_id": talked.turns[0].id}),
        ("turn_roll_back", {}, {"turn_id": talked.turns[0].id}),
        ("branch_redo", {}, {}),
        ("branch_select", {}, {"branch_id": talked.main}),
    ):
        told.clear()
        await talked.post(name, fields, **more)
        assert (group, message) in told, name


# What is not there.


async def test_what_is_not_of_the_conversation_is_not_found(talked):
    created = await talked.visitors.mallory.post(reverse("conversation_create"))
    own = UUID(created.url.strip("/").split("/")[-1])
    foreign = await in_pool(Branch.objects.get, conversation_id=own)
    before = await in_pool(Transition.objects.count)
    turn_id, branch_id = talked.turns[0].id, talked.main

    for name, fields in (
        ("turn_edit", {"text": "Other", **key()}),
        ("turn_regenerate", key()),
        ("turn_select", {}),
        ("turn_fork", {"name": "Side"}),
        ("turn_roll_back", {}),
    ):
        unknown = await talked.post(name, fields, turn_id=uuid4())
        theirs = await talked.visitors.mallory.post(
            reverse(name, kwargs={"conversation_id": own, "turn_id": turn_id}), fields
        )
        assert (name, unknown.status_code, theirs.status_code) == (name, 404, 404)
    for name, fields in (
        ("branch_select", {}),
        ("branch_name", {"name": "Mine"}),
        ("branch_archive", {"archived": "on"}),
    ):
        unknown = await talked.post(name, fields, branch_id=foreign.id)
        theirs = await talked.visitors.mallory.post(
            reverse(name, kwargs={"conversation_id": own, "branch_id": branch_id}), fields
        )
        assert (name, unknown.status_code, theirs.status_code) == (name, 404, 404)
    assert await in_pool(Transition.objects.count) == before


@pytest.mark.parametrize("branch", ["main", str(uuid4())])
async def test_a_page_of_no_branch_is_not_found(talked, branch):
    page = await talked.visitors.alice.get(talked.visitors.url("conversation"), {"branch": branch})

    assert page.status_code == 404


async def test_a_page_shows_thirty_turns_of_a_branch_and_older_ones_when_asked(talked, runtime):
    access = talked.visitors.people.access
    side = await in_pool(fork, access, talked.turns[2], "Side")
    for number in range(30):
        await in_pool(talk, on(access, side), f"Turn {number}", runtime.process_id)

    newest = await talked.questions(side)
    first = await in_pool(lambda: Turn.objects.filter(branch_id=side).order_by("depth").first())
    older = await talked.visitors.alice.get(
        talked.visitors.url("turns"), {"before": str(first.id), "branch": str(side)}
    )

    assert len(newest) == 30
    assert QUESTION.findall(older.text) == ["First", "Second", "Third"]
    assert (await in_pool(branch_of, access)).id == talked.main
