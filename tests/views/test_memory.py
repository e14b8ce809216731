"""What people do to memory through the page: done, refused in one sentence, told to other tabs."""

import pytest

from chatapp.models import Message, Operation
from chatapp.runtime.pool import in_pool
from chatapp.services.learning import Verdict
from chatapp.services.relabelling import relabelling_due, relabelling_next, relabelling_write
from statecore.memory.labels import CheckedLabels
from tests.support.labels import OPEN
from tests.support.people import new_process, say
from tests.support.queries import pool_queries
from tests.support.remembering import learn, remembered, texts

__all__ = ["pool_queries"]

HOSTILE = '"><img src=x onerror=alert(1)>'
LONG = "x" * 2_001
MORE = "Мельница стоит у реки 👋."


@pytest.fixture
async def taught(visitors, runtime):
    """A conversation that remembers one sentence."""
    access = visitors.people.access
    turn_id = await in_pool(say, access, "Никаких долларов 👋.", "Хорошо.", runtime.process_id)
    await in_pool(learn, access, turn_id, "rule")
    return visitors


@pytest.fixture
def told(monkeypatch):
    """Conversations of which open pages were told that memory changed."""
    found = []

    async def memory_changed(conversation_id):
        found.append(conversation_id)

    monkeypatch.setattr("chatapp.broadcast.memory_changed", memory_changed)
    return found


async def entries(visitors):
    return (await in_pool(remembered, visitors.people.access)).entries


async def shown(visitors, name="panel_summary", **query):
    answer = await visitors.alice.get(visitors.url(name), query)
    assert answer.status_code == 200
    return answer.text


async def do(visitors, name, **fields):
    return await visitors.alice.post(visitors.url(name), fields)


async def add(visitors, words="Metric units only.", kind="rule"):
    answer = await do(visitors, "memory_add", words=words, kind=kind)
    assert answer.status_code == 204
    return (await entries(visitors))[0].id


async def test_an_entry_is_changed_and_says_what_was_said(taught, told):
    entry = (await entries(taught))[0]

    answer = await do(taught, "memory_edit", entry=entry.id, words="Цены в евро.", seen="0")

    page = await shown(taught)
    assert answer.status_code == 204
    assert told == [taught.conversation_id]
    assert "Цены в евро." in page
    assert "Никаких долларов 👋." in page
    assert "changed by you" in page


async def test_a_change_over_a_change_is_refused_until_it_is_meant(taught, told):
    entry = (await entries(taught))[0]
    await do(taught, "memory_edit", entry=entry.id, words="Цены в евро.", seen="0")
    told.clear()

    late = await do(taught, "memory_edit", entry=entry.id, words="Цены в рублях.", seen="0")

    assert late.status_code == 409
    assert "changed meanwhile" in late.text
    assert told == []
    meant = await do(
        taught, "memory_edit", entry=entry.id, words="Цены в рублях.", seen="0", over="on"
    )
    assert meant.status_code == 204
    assert [row.text for row in await entries(taught)] == ["Цены в рублях."]


async def test_words_for_what_is_gone_become_an_entry_of_their_own(taught):
    entry = (await entries(taught))[0]
    await do(taught, "memory_delete", entry=entry.id)

    refused = await do(taught, "memory_edit", entry=entry.id, words="Цены в евро.")
    kept = await do(
        taught, "memory_edit", entry=entry.id, words="Цены в евро.", kind="step", as_new="on"
    )

    memory = await in_pool(remembered, taught.people.access)
    assert (refused.status_code, kept.status_code) == (409, 204)
    assert [(row.text, row.kind) for row in memory.active()] == [("Цены в евро.", "fact")]


async def test_a_deletion_is_struck_and_can_be_taken_back(taught, told):
    entry = (await entries(taught))[0]

    await do(taught, "memory_delete", entry=entry.id)
    page = await shown(taught)
    seq = (await in_pool(remembered, taught.people.access)).removed[0].seq
    again = await do(taught, "memory_undo", seq=str(seq))

    assert "Deleted: “Никаких долларов 👋.”" in page
    assert '<del dir="auto">Никаких долларов 👋.</del>' in page
    assert again.status_code == 204
    assert len(told) == 2
    assert "Taken back" in await shown(taught)
    assert texts(await in_pool(remembered, taught.people.access)) == ["Никаких долларов 👋."]


async def test_a_pin_holds_until_it_is_taken_out(taught):
    entry = (await entries(taught))[0]

    await do(taught, "memory_pin", entry=entry.id, pinned="on")
    pinned = (await entries(taught))[0].pinned
    await do(taught, "memory_pin", entry=entry.id)

    assert (pinned, (await entries(taught))[0].pinned) == (True, False)


async def test_what_is_so_already_writes_nothing_and_tells_nobody(taught, told):
    entry = (await entries(taught))[0]

    answer = await do(taught, "memory_edit", entry=entry.id, words=entry.text)

    assert (answer.status_code, told) == (204, [])
    assert await in_pool(Operation.objects.count) == 0


@pytest.mark.parametrize(
    ("name", "fields", "sentence"),
    [
        ("memory_add", {"kind": "rule", "words": " \n"}, "Write something first."),
        ("memory_add", {"kind": "rule", "words": LONG}, "too long: 2001 of 2000"),
        ("memory_add", {"kind": "promise", "words": "I do."}, "kind:"),
        ("memory_add", {"kind": "rule", "words": "a\0b"}, "Null"),
        ("memory_edit", {"entry": "", "words": "x"}, "entry:"),
        ("memory_edit", {"entry": "e", "words": "x", "seen": "-1"}, "seen:"),
        ("memory_pin", {}, "entry:"),
        ("memory_delete", {"entry": "e" * 201}, "entry:"),
        ("memory_undo", {"seq": "last"}, "seq:"),
        ("field_set", {"key": "", "value": "x", "expiry": "day"}, "needs a name"),
        ("field_set", {"key": "a b!", "value": "x", "expiry": "day"}, "A name has letters"),
        ("field_set", {"key": "k" * 65, "value": "x", "expiry": "day"}, "too long"),
        ("field_set", {"key": "k", "value": "", "expiry": "day"}, "Write something first."),
        ("field_set", {"key": "k", "value": "x", "expiry": "tomorrow"}, "expiry:"),
        ("field_remove", {"key": "_"}, "A name has letters"),
    ],
)
async def test_what_cannot_be_is_refused_in_one_sentence(taught, told, name, fields, sentence):
    answer = await do(taught, name, **fields)

    assert answer.status_code == 422
    assert sentence in answer.text
    assert told == []
    assert await in_pool(Operation.objects.count) == 0


async def test_a_field_has_a_setter_an_end_and_a_way_out(taught, told):
    await do(taught, "field_set", key="место", value="у окна", expiry="idle_day", visible="on")
    await do(taught, "field_set", key="seat", value="aisle", expiry="never")
    page = await shown(taught, "panel_session")

    assert "место" in page
    assert "set by you · expires in 1 day unless the talk goes on" in page
    assert "stays until it is removed" in page
    assert page.count("the model does not see it") == 1
    await do(taught, "field_remove", key="место")
    assert "Expired and removed" in await shown(taught, "panel_session")
    assert len(told) == 3


async def test_a_field_that_was_set_anew_meanwhile_is_not_overwritten(taught):
    for value in ("aisle", "window"):
        await do(taught, "field_set", key="seat", value=value, expiry="never")

    late = await do(taught, "field_set", key="seat", value="none", expiry="never", seen="1")
    meant = await do(
        taught, "field_set", key="seat", value="none", expiry="never", seen="1", over="on"
    )

    assert (late.status_code, meant.status_code) == (409, 204)


async def test_an_open_form_says_what_happened_meanwhile(taught):
    entry = (await entries(taught))[0]
    calm = await shown(taught, edit=entry.id, seen="0")
    await do(taught, "memory_edit", entry=entry.id, words="Цены в евро.", seen="0")
    changed = await shown(taught, edit=entry.id, seen="0")
    await do(taught, "memory_delete", entry=entry.id)
    deleted = await shown(taught, edit=entry.id, seen="0")
    unknown = await shown(taught, edit="nobody:0-1", seen="²")

    assert 'id="edit-entry"' in calm
    assert "meanwhile" not in calm
    assert "It was changed meanwhile" in changed
    assert "It was deleted meanwhile" in deleted
    assert "It is not there any more" in unknown
    assert all('id="edit-entry"' in page for page in (changed, deleted, unknown))


async def test_hostile_words_stay_words(taught):
    await add(taught, HOSTILE)
    await do(taught, "field_set", key="x", value=HOSTILE, expiry="day")

    for name in ("panel_summary", "panel_session", "panel_log"):
        page = await shown(taught, name, edit=HOSTILE, q=HOSTILE, seen=HOSTILE)
        assert "<img" not in page


async def test_many_entries_cost_as_many_queries_as_one(taught, pool_queries):
    counts = []
    for more in (1, 12):
        for number in range(more):
            await add(taught, f"Rule {number} of {more}.")
        counts.append({})
        for name in ("heads", "panel_summary", "panel_session", "panel_log"):
            pool_queries.clear()
            await shown(taught, name)
            counts[-1][name] = len(pool_queries)

    assert counts[0] == counts[1]
    assert max(counts[0].values()) < 16


async def test_what_an_act_names_by_a_foreign_id_is_not_there(visitors, taught):
    entry = (await entries(taught))[0]
    created = await visitors.mallory.post("/c/")
    own = created.url

    for address, fields in (
        ("memory/entries/edit", {"entry": entry.id, "words": "mine"}),
        ("memory/entries/pin", {"entry": entry.id, "pinned": "on"}),
        ("memory/entries/delete", {"entry": entry.id}),
        ("memory/undo", {"seq": "3"}),
    ):
        assert (await visitors.mallory.post(own + address, fields)).status_code == 409
    assert texts(await in_pool(remembered, taught.people.access)) == ["Никаких долларов 👋."]


# Reading again.


async def reread(visitors, *labels):
    """Do what waits to be read again, as a worker whose model gives these labels."""
    for turn_id in await in_pool(relabelling_due):
        piece = await in_pool(relabelling_next, turn_id)
        verdict = Verdict(CheckedLabels(dict(enumerate(labels, start=1))), "scripted")
        await in_pool(relabelling_write, piece, verdict)


async def test_turns_are_read_again_and_the_panel_says_what_came_of_it(taught, told):
    access = taught.people.access
    turn_id = await in_pool(say, access, f"{OPEN} {MORE}", "Ok.", await in_pool(new_process))
    await in_pool(learn, access, turn_id, text=OPEN)

    answer = await do(taught, "memory_again")
    running = await shown(taught)
    await reread(taught, "fact", "fact")
    ended = await shown(taught)

    assert answer.status_code == 204
    assert told == [taught.conversation_id]
    assert "2 turns are being read again." in running
    assert "Read again: 1 sentence was added." in ended
    assert "Undo the addition: Мельница стоит у реки 👋." in ended
    assert 'id="undo-summary"' not in ended


async def test_a_reading_that_finds_nothing_says_so(taught):
    turn = (await entries(taught))[0].sources[0].message_id
    turn_id = await in_pool(lambda: Message.objects.get(pk=turn).turn_id)

    await do(taught, "memory_again", turn=str(turn_id))
    await reread(taught)

    assert "Read again: nothing new." in await shown(taught)


async def test_what_reading_again_added_is_taken_back(taught):
    entry = (await entries(taught))[0]
    turn_id = await in_pool(
        say, taught.people.access, f"{OPEN} {MORE}", "Ok.", await in_pool(new_process)
    )
    await in_pool(learn, taught.people.access, turn_id, text=OPEN)
    await do(taught, "memory_again", turn=str(turn_id))
    await reread(taught, "fact", "fact")
    added = (await in_pool(remembered, taught.people.access)).operations[-1]

    await do(taught, "memory_undo", seq=str(added.seq))

    page = await shown(taught)
    assert f'<del dir="auto">{MORE}</del>' in page
    assert "Taken back: Added" in page
    assert entry.text in texts(await in_pool(remembered, taught.people.access))
    assert MORE not in texts(await in_pool(remembered, taught.people.access))


async def test_a_turn_that_is_not_here_cannot_be_read_again(taught, told):
    created = await taught.mallory.post("/c/")
    turn = (await entries(taught))[0].sources[0].message_id
    turn_id = await in_pool(lambda: Message.objects.get(pk=turn).turn_id)

    foreign = await taught.mallory.post(created.url + "memory/again", {"turn": str(turn_id)})
    unknown = await do(taught, "memory_again", turn=str(taught.conversation_id))
    no_id = await do(taught, "memory_again", turn=HOSTILE)

    assert [answer.status_code for answer in (foreign, unknown, no_id)] == [404, 404, 422]
    assert "<img" not in no_id.text
    assert await in_pool(relabelling_due) == []
    assert told == []


async def test_a_turn_that_still_waits_is_left_to_its_first_reading(visitors, runtime, told):
    turn_id = await in_pool(say, visitors.people.access, OPEN, "Ok.", runtime.process_id)

    one = await do(visitors, "memory_again", turn=str(turn_id))
    everything = await do(visitors, "memory_again")

    assert (one.status_code, everything.status_code) == (204, 204)
    assert told == []
    assert await in_pool(relabelling_due) == []
    assert 'id="again-fold"' not in await shown(visitors)


async def test_a_turn_read_by_rules_alone_offers_to_be_read_again_until_a_model_read_it(taught):
    before = await shown(taught)
    await do(taught, "memory_again")
    running = await shown(taught)
    await reread(taught)

    assert "no model may label here" in before
    assert 'id="again-noted"' in before
    assert 'id="again-noted"' not in running
    assert "no model may label here" not in await shown(taught)


async def test_reading_again_is_in_the_json(taught):
    state = taught.url("conversation_page_json")
    before = (await taught.alice.get(state)).json()["memory"]["again"]
    await do(taught, "memory_again")

    again = (await taught.alice.get(state)).json()["memory"]["again"]

    assert before is None
    assert (again["waiting"], again["ended_ms"], again["read"]) == (1, None, [])
