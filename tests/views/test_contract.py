"""The state of a conversation over HTTP: given out, taken in, refused with a sentence."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from chatapp.access import conversation_for, owner_of
from chatapp.models import Branch, Turn
from chatapp.runtime.pool import in_pool
from chatapp.selectors.contract import contract_of
from chatapp.services.conversations import conversation_create
from statecore.contract.document import parse
from statecore.contract.hashing import state_hash
from statecore.contract.tree_document import dump_tree, parse_tree
from statecore.contract.tree_hashing import tree_hash
from statecore.contract.tree_paths import path_of
from tests.statecore.contract_builders import SAMPLES, sample
from tests.statecore.export_builders import chat
from tests.statecore.tree_builders import forked
from tests.support.people import MODEL, say
from tests.support.remembering import learn
from tests.support.visitors import HTMX, ended

JSON = "application/json"


@pytest.fixture
async def taught(visitors, runtime):
    """The visitors of a conversation that was said and learned something."""
    access = visitors.people.access
    turn = await in_pool(say, access, "不要海鲜。", "好的。", runtime.process_id)
    await in_pool(learn, access, turn, "rule")
    return visitors


@pytest.fixture
async def elsewhere(visitors):
    """The address of another, empty conversation of alice."""

    def create():
        return conversation_create(visitors.people.owner, model_name=MODEL.name).id

    conversation_id = await in_pool(create)
    return reverse("conversation_state", kwargs={"conversation_id": conversation_id})


def upload(text):
    return {"file": SimpleUploadedFile("state.json", text.encode(), content_type=JSON)}


async def state_of(visitors):
    answer = await visitors.alice.get(visitors.url("conversation_state"))
    assert answer.status_code == 200
    return answer


async def test_the_state_is_a_contract_with_its_hash(taught):
    answer = await state_of(taught)
    contract = parse(answer.text)
    assert contract.turns[0].messages[0].text == "不要海鲜。"
    assert [entry["text"] for entry in answer.json()["memory"]["summary"]] == ["不要海鲜。"]
    assert answer["Glassbox-State-Hash"] == state_hash(contract)
    assert "Content-Disposition" not in answer


async def test_a_download_has_the_name_of_its_conversation(taught):
    answer = await taught.alice.get(taught.url("conversation_state") + "?download")
    name = f"conversation-{taught.conversation_id}.json"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'


async def test_a_file_fills_an_empty_conversation(taught, elsewhere):
    before = await state_of(taught)
    answer = await taught.alice.post(elsewhere, upload(before.text), headers=HTMX)
    assert (answer.status_code, answer["HX-Redirect"]) == (
        204,
        elsewhere.removesuffix("state.json"),
    )
    after = await taught.alice.get(elsewhere)
    assert after["Glassbox-State-Hash"] == before["Glassbox-State-Hash"]
    page = await taught.alice.get(elsewhere.removesuffix("state.json"))
    assert "不要海鲜。" in page.text


async def test_without_the_script_the_page_is_shown_next(taught, elsewhere):
    before = await state_of(taught)
    answer = await taught.alice.post(elsewhere, upload(before.text))
    assert (answer.status_code, answer["Location"]) == (302, elsewhere.removesuffix("state.json"))


async def test_programs_post_the_state_itself(taught, elsewhere):
    before = await state_of(taught)
    answer = await taught.alice.post(elsewhere, before.text, content_type=JSON)
    own = elsewhere.split("/")[2]
    told = {"turns": 1, "messages": 3, "conversations": [own], "notes": []}
    assert (answer.status_code, answer.json()) == (201, told)
    again = await taught.alice.post(elsewhere, before.text, content_type=JSON)
    assert (again.status_code, again.json()["code"]) == (409, "state_not_empty")


async def test_a_conversation_that_has_begun_takes_no_state(taught):
    before = await state_of(taught)
    answer = await taught.alice.post(
        taught.url("conversation_state"), upload(before.text), headers=HTMX
    )
    assert answer.status_code == 409
    assert "empty conversation only" in answer.text
    assert (await state_of(taught)).content == before.content


async def test_a_wrong_file_is_refused_with_its_place_and_changes_nothing(taught, elsewhere):
    document = (await state_of(taught)).json()
    document["turns"][0]["messages"][1]["role"] = "robot"
    before = (await taught.alice.get(elsewhere)).content
    answer = await taught.alice.post(elsewhere, upload(json.dumps(document)), headers=HTMX)
    assert answer.status_code == 422
    assert "turns 1 → messages 2 → role" in answer.text
    assert (await taught.alice.get(elsewhere)).content == before


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"", "The file is empty."),
        (b"{", "not JSON"),
        (b"\xff\xfe", "not UTF-8 text at byte 1"),
        (b"[1]", "no state or tree of Glassbox"),
        (b'{"schema_version": "<b>"}', "&lt;b&gt; is not known"),
        (b'{"schema_version": "glassbox.<b>"}', "glassbox.&lt;b&gt; is not known"),
    ],
)
async def test_what_is_no_state_is_refused_in_a_sentence(visitors, elsewhere, body, sentence):
    file = SimpleUploadedFile("state.json", body)
    answer = await visitors.alice.post(elsewhere, {"file": file}, headers=HTMX)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert "<b>" not in answer.text


async def test_a_file_that_is_too_large_is_refused(visitors, elsewhere, settings):
    settings.STATE_FILE_BYTES = 1024 * 1024
    answer = await visitors.alice.post(elsewhere, upload(" " * (1024 * 1024 + 1)), headers=HTMX)
    assert answer.status_code == 413
    assert "larger than 1 MB" in answer.text


async def test_a_path_that_is_too_long_is_not_given_out(taught, monkeypatch):
    monkeypatch.setattr("chatapp.selectors.contract.MAX_TURNS", 0)
    answer = await taught.alice.get(taught.url("conversation_state"))
    assert answer.status_code == 413
    assert "has 1 turns" in answer.text


async def test_strangers_neither_read_nor_write(taught, elsewhere):
    before = await state_of(taught)
    for address in (elsewhere, taught.url("conversation_state"), taught.url("conversation_tree")):
        assert (await taught.mallory.get(address)).status_code == 404
        posted = await taught.mallory.post(address, upload(before.text), headers=HTMX)
        assert posted.status_code == 404
        assert (await taught.anonymous.get(address)).status_code == 302
        refused = await taught.anonymous.post(address, upload(before.text), headers=HTMX)
        assert refused.status_code == 401
    assert await in_pool(Turn.objects.count) == 1


async def test_another_person_may_import_what_was_given_to_them(taught):
    before = await state_of(taught)

    def create():
        people = taught.people
        made = conversation_create(owner_of(people.mallory), model_name=MODEL.name)
        return made.id

    conversation_id = await in_pool(create)
    address = reverse("conversation_state", kwargs={"conversation_id": conversation_id})
    answer = await taught.mallory.post(address, before.text, content_type=JSON)
    assert answer.status_code == 201
    access = await in_pool(conversation_for, taught.people.mallory, conversation_id)
    contract = await in_pool(contract_of, access)
    assert state_hash(contract) == before["Glassbox-State-Hash"]


async def test_an_empty_conversation_offers_the_import_and_the_log_the_download(taught, elsewhere):
    empty = await taught.alice.get(elsewhere.removesuffix("state.json"))
    assert f'hx-post="{elsewhere.replace("state.json", "tree.json")}"' in empty.text
    assert "Import a file" in empty.text
    begun = await taught.alice.get(taught.url("conversation"))
    assert "Import a file" not in begun.text
    log = await taught.alice.get(taught.url("panel_log"))
    assert f'href="{taught.url("conversation_state")}?download"' in log.text
    assert f'href="{taught.url("conversation_tree")}?download"' in log.text


async def test_what_the_log_offers_to_download_is_the_branch_that_its_page_shows(taught):
    branch = await in_pool(Branch.objects.get, conversation_id=taught.conversation_id)
    log = await taught.alice.get(
        taught.url("panel_log"), headers={"Glassbox-Branch": str(branch.id)}
    )
    for name in ("conversation_state", "conversation_tree"):
        address = f"{taught.url(name)}?download&amp;branch={branch.id}"
        assert f'href="{address}"' in log.text
        assert (await taught.alice.get(address.replace("&amp;", "&"))).status_code == 200


async def test_the_tree_is_a_document_with_its_hash(taught):
    answer = await taught.alice.get(taught.url("conversation_tree") + "?download")
    found = parse_tree(answer.text)
    assert [one.messages[0].text for one in found.turns] == ["不要海鲜。"]
    assert answer["Glassbox-Tree-Hash"] == tree_hash(found)
    name = f"conversation-{taught.conversation_id}-tree.json"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    head = await taught.alice.head(taught.url("conversation_tree"))
    assert (head.status_code, head["Glassbox-Tree-Hash"]) == (200, tree_hash(found))


async def test_a_tree_that_is_too_long_is_not_given_out(taught, monkeypatch):
    monkeypatch.setattr("chatapp.store.whole_path.MAX_TURNS", 0)
    answer = await taught.alice.get(taught.url("conversation_tree"))
    assert answer.status_code == 413
    assert "has 1 turns" in answer.text


async def test_a_tree_fills_an_empty_conversation_with_all_its_branches(visitors):
    given = dump_tree(forked())
    address = visitors.url("conversation_tree")
    answer = await visitors.alice.post(address, upload(given), headers=HTMX)
    page = visitors.url("conversation")
    assert (answer.status_code, answer["HX-Redirect"]) == (204, page)
    found = parse_tree((await visitors.alice.get(address)).text)
    for before, after in zip(forked().branches, found.branches, strict=True):
        named = f"{visitors.url('conversation_state')}?branch={after.id}"
        state = parse((await visitors.alice.get(named)).text)
        bare = state.model_copy(update={"system": None})
        assert state_hash(bare) == state_hash(path_of(forked(), before.id))
    assert "Answer 4." in (await visitors.alice.get(page)).text


async def test_each_conversation_of_an_export_becomes_one_and_the_page_shows_the_first(visitors):
    given = json.dumps([chat("One", "Yes"), chat("Два", "Да", title="Второй")])
    answer = await visitors.alice.post(
        visitors.url("conversation_tree"), upload(given), headers=HTMX
    )
    assert (answer.status_code, answer["HX-Redirect"]) == (204, visitors.url("conversation"))
    page = await visitors.alice.get(visitors.url("conversation"))
    assert "One" in page.text
    assert "Второй" in page.text


async def test_what_did_not_come_in_is_told_before_the_page_gives_way(visitors):
    wrong = chat("Two")
    wrong["current_node"] = "<gone>"
    given = json.dumps([wrong, chat("One", "Yes")])
    answer = await visitors.alice.post(
        visitors.url("conversation_tree"), upload(given), headers=HTMX
    )
    assert answer.status_code == 201
    assert "1 conversation imported." in answer.text
    assert "Not imported: conversation 1: mapping: current_node is" in answer.text
    assert "<gone>" not in answer.text
    assert f'href="{visitors.url("conversation")}"' in answer.text


async def test_a_file_without_one_good_conversation_changes_nothing(visitors):
    given = json.dumps([chat(), chat()])
    address = visitors.url("conversation_tree")
    before = (await visitors.alice.get(address)).content
    answer = await visitors.alice.post(address, upload(given), headers=HTMX)
    assert answer.status_code == 422
    assert "conversation 2: holds no message of a user" in answer.text
    assert (await visitors.alice.get(address)).content == before
    told = await visitors.alice.post(address, given, content_type=JSON)
    assert (told.status_code, told.json()["conversations"]) == (422, [])


PANELS = ("heads", "panel_context", "panel_summary", "panel_session", "panel_selected")
PANELS += ("panel_attempts", "panel_log", "conversation_page_json", "conversation")


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.glob("*.json")))
async def test_every_panel_shows_what_was_imported(visitors, name):
    address = visitors.url("conversation_state")
    answer = await visitors.alice.post(address, sample(name), content_type=JSON)
    assert answer.status_code == 201
    found = {panel: await visitors.alice.get(visitors.url(panel)) for panel in PANELS}
    assert {panel: shown.status_code for panel, shown in found.items()} == dict.fromkeys(
        PANELS, 200
    )
    first = parse(sample(name)).turns[0].messages[0].text
    assert first in found["conversation"].text


async def test_an_imported_conversation_goes_on(visitors, runtime):
    address = visitors.url("conversation_state")
    await visitors.alice.post(address, sample("state.3.en.json"), content_type=JSON)
    row = await visitors.talk("Which code?")
    assert (row.status, row.depth) == ("committed", 5)
    contract = parse((await state_of(visitors)).text)
    assert [turn.depth for turn in contract.turns] == [1, 2, 3, 4, 5]


async def test_what_waits_in_an_imported_conversation_can_be_tried_again(visitors, runtime):
    address = visitors.url("conversation_state")
    await visitors.alice.post(address, sample("state.3.ru.json"), content_type=JSON)
    waiting = await in_pool(lambda: Turn.objects.get(status="interrupted").id)
    answer = await visitors.alice.post(visitors.url("turn_retry", turn_id=waiting), headers=HTMX)
    assert answer.status_code == 200
    await ended(waiting)
    assert (await visitors.row(waiting)).status == "committed"


async def test_what_a_state_carries_is_in_the_next_request_and_on_its_pages(visitors, runtime):
    address = visitors.url("conversation_state")
    await visitors.alice.post(address, sample("state.1.ru.json"), content_type=JSON)
    row = await visitors.talk("Что дальше?")
    attempt = row.attempts[-1].id
    wire = await visitors.alice.get(visitors.url("attempt_wire", attempt_id=attempt))
    assert wire.status_code == 200
    assert "safety_mode: strict" in wire.text
    assert "заказ 50122" in wire.text
    for panel in PANELS:
        assert (await visitors.alice.get(visitors.url(panel))).status_code == 200
