"""The summary panel: entries by kind, honest waiting, and what happened while somebody typed."""

import pytest

from chatapp.presenters.summary import Editing, present_summary, sources_of, waiting_sentence
from tests.web import memory_samples, samples

CONVERSATION = samples.sample_id(900)


def shown(page=None, editing=None):
    return present_summary(
        page or memory_samples.page(),
        memory_samples.places(),
        CONVERSATION,
        editing=editing or Editing(),
        now_ms=memory_samples.NOW_MS,
    )


def of(*entries, **changes):
    return memory_samples.page(memory=memory_samples.memory(entries=entries, **changes))


def texts(context):
    return {group.kind: [entry.text for entry in group.entries] for group in context["groups"]}


def test_entries_stand_by_kind_in_a_fixed_order():
    kinds = [group.kind for group in shown()["groups"]]

    assert kinds == ["goal", "rule", "decision", "fact", "question"]


def test_what_is_never_sent_stands_in_the_history():
    page = of(
        memory_samples.entry(1, text="paused", status="paused"),
        memory_samples.entry(2, text="old", status="superseded"),
        memory_samples.entry(3, text="done", status="resolved"),
        memory_samples.entry(4, text="gone", status="deleted"),
    )

    context = shown(page)

    assert texts(context) == {"rule": ["paused"]}
    assert [entry.text for entry in context["past"]] == ["old", "done"]
    assert [entry.text for entry in context["deleted"]] == ["My sister lives in Kazan."]


def test_what_was_replaced_names_what_took_its_place():
    newer = memory_samples.entry(2, text="Бюджет 900 евро.")
    older = memory_samples.entry(1, status="superseded", superseded_by=newer.id)
    lost = memory_samples.entry(3, status="superseded", superseded_by="nobody:0-1")

    past = shown(of(older, newer, lost))["past"]

    assert [entry.replaced_by for entry in past] == ["Бюджет 900 евро.", ""]


def test_an_entry_links_to_every_place_where_it_was_said():
    entry = memory_samples.entry(
        1, sources=(memory_samples.span(1), memory_samples.span(4, 5, 9), memory_samples.span(99))
    )

    (group,) = shown(of(entry))["groups"]

    links = group.entries[0].sources
    assert [(link.label, link.start, link.end) for link in links] == [
        ("turn 1", 0, 10),
        ("turn 4", 5, 9),
    ]


def test_a_sentence_of_an_answer_is_looked_for_by_its_words():
    source = memory_samples.Span(memory_samples.message_id(2, 1), 3, 9)
    entry = memory_samples.entry(2, sources=(source,), text="I will ask.")

    (group,) = shown(of(entry))["groups"]

    assert (group.entries[0].sources[0].is_answer, group.entries[0].sources[0].text) == (
        True,
        "I will ask.",
    )


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({"changed_seq": 7}, None, ""),
        ({"changed_seq": 9, "text": "new"}, "changed", "changed meanwhile"),
        ({"status": "deleted"}, "gone", "deleted meanwhile"),
        ({"status": "superseded", "changed_seq": 7}, "gone", "taken its place"),
    ],
)
def test_an_open_form_says_what_happened_to_its_entry(changes, kind, words):
    entry = memory_samples.entry(1, **changes)

    (group,) = shown(of(entry), Editing(entry.id, 7))["groups"]

    view = group.entries[0]
    assert view.is_editing
    assert (view.conflict and view.conflict.kind) == kind
    assert words in (view.conflict.sentence if view.conflict else "")


def test_a_form_whose_entry_is_not_there_is_kept():
    context = shown(of(), Editing("nobody", 7))

    assert context["is_lost"]
    assert "not there any more" in context["lost"]["conflict"].sentence


@pytest.mark.parametrize(
    ("count", "since_ms", "sentence"),
    [
        (0, 999_999, ""),
        (1, 4_000, "1 turn is being read."),
        (2, 4_000, "2 turns are being read."),
        (1, 180_000, "1 turn has not been read yet, 3 min after the last answer."),
    ],
)
def test_waiting_is_said_honestly(count, since_ms, sentence):
    page = memory_samples.page(
        waiting=tuple(samples.sample_id(n) for n in range(count)),
        last_turn_ms=memory_samples.NOW_MS - since_ms,
    )

    assert waiting_sentence(page).startswith(sentence)
    assert bool(waiting_sentence(page)) is bool(count)


@pytest.mark.parametrize(
    ("note", "words"), [("no_model", "no model may"), ("settled", ""), ("", ""), ("new", "")]
)
def test_a_turn_read_without_the_model_says_why(note, words):
    path = memory_samples.PathMemory(deltas=(memory_samples.delta(note=note),))

    said = shown(memory_samples.page(memory=memory_samples.memory(path=path)))["note"]

    assert words in said
    assert bool(said) is bool(words)


def test_what_was_not_learned_says_why_and_keeps_no_secret():
    secret, document = shown()["rejected"]

    assert secret.text == ""
    assert "password" in str(secret.reason)
    assert document.text.startswith("A whole pasted page")


def test_every_message_that_is_linked_is_asked_for():
    wanted = set(sources_of(memory_samples.page()))

    assert {memory_samples.message_id(turn) for turn in (1, 2, 3, 4, 5)} <= wanted
