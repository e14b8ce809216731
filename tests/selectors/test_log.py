"""The log of a conversation page by page, and its raw messages with a search."""

import pytest

from chatapp.access import conversation_for, owner_of
from chatapp.clock import now_ms
from chatapp.models import Message, Transition
from chatapp.selectors import log
from chatapp.selectors.log import log_page
from chatapp.services.conversations import conversation_create, conversation_rename
from chatapp.store.erasure import erase_conversation
from chatapp.store.permits import erasure_permit
from tests.support.lengthen import lengthen
from tests.support.people import new_process, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def process(cast):
    return new_process()


@pytest.fixture
def spoken(cast, process):
    """A conversation of three turns, in three languages."""
    say(cast.access, "My House is number 7.", "A straße.", process)
    say(cast.access, "Ёлка СТОИТ в углу.", "Да 🌲.", process)
    say(cast.access, "预算是900元🙂。", "好的。", process)
    return cast.access


def texts(page):
    return [message.text for message in page.messages]


def test_transitions_come_newest_first(spoken):
    page = log_page(spoken)

    assert [row.seq for row in page.transitions] == [7, 6, 5, 4, 3, 2, 1]
    assert [row.kind for row in page.transitions[:2]] == ["turn_committed", "turn_accepted"]
    assert page.transitions[-1].kind == "conversation_created"
    assert page.transitions[-1].turn_id is None
    assert page.transitions[0].turn_id == page.messages[0].turn_id
    assert (page.total, page.older_before) == (7, None)
    assert not any(row.erased for row in page.transitions)


def test_older_transitions_come_by_page(cast):
    for number in range(110):
        conversation_rename(cast.access, f"Title {number}")
    seqs, before = [], None
    for _ in range(3):
        page = log_page(cast.access, before=before)
        seqs += [row.seq for row in page.transitions]
        before = page.older_before

    assert seqs == list(range(111, 0, -1))
    assert (before, page.total) == (None, 111)


def test_erased_contents_are_told(spoken):
    erase_conversation(spoken.conversation.id, now_ms())

    page = log_page(spoken)

    assert all(row.erased for row in page.transitions)
    assert all(message.redacted and not message.text for message in page.messages)


def test_without_a_search_the_newest_messages_stand_beside(spoken):
    page = log_page(spoken)

    assert texts(page)[:4] == ["好的。", "预算是900元🙂。", "Да 🌲.", "Ёлка СТОИТ в углу."]
    assert [message.role for message in page.messages[-3:]] == ["assistant", "user", "system"]
    assert (page.query, page.searched, page.more_found, page.stopped) == ("", 0, False, False)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("hOUSe", ["My House is number 7."]),
        ("STRASSE", ["A straße."]),
        ("ёлка стоит", ["Ёлка СТОИТ в углу."]),
        ("🙂", ["预算是900元🙂。"]),
        ("  900元 ", ["预算是900元🙂。"]),
        ("no such words", []),
    ],
)
def test_a_search_finds_words_in_any_case_and_language(spoken, query, found):
    page = log_page(spoken, query=query)

    assert texts(page) == found
    assert (page.query, page.searched, page.stopped) == (query.strip(), 7, False)


def test_a_search_finds_nothing_of_other_conversations(spoken, cast, process):
    stranger = conversation_create(owner_of(cast.mallory), model_name="")
    theirs = conversation_for(cast.mallory, stranger.id)
    say(theirs, "Wombats.", "Yes.", process)

    assert texts(log_page(spoken, query="wombat")) == []
    assert texts(log_page(theirs, query="house")) == []
    assert [row.kind for row in log_page(theirs).transitions][-1] == "conversation_created"


def test_a_search_says_when_there_is_more_than_it_shows(spoken):
    lengthen(spoken, 60)

    page = log_page(spoken, query="900元")

    assert (len(page.messages), page.more_found) == (log.MESSAGES_SHOWN, True)
    assert log_page(spoken).more_found
    assert len(log_page(spoken).messages) == log.MESSAGES_SHOWN


def test_a_search_says_when_it_did_not_look_at_older_messages(spoken, monkeypatch):
    monkeypatch.setattr(log, "MESSAGES_SEARCHED", 4)
    page = log_page(spoken, query="house")
    assert (texts(page), page.searched, page.stopped) == ([], 4, True)

    monkeypatch.setattr(log, "MESSAGES_SEARCHED", 7)
    page = log_page(spoken, query="house")
    assert (texts(page), page.searched, page.stopped) == (["My House is number 7."], 7, False)


def test_a_redacted_message_says_so_and_keeps_what_is_left(spoken):
    message = Message.objects.filter(role="user").order_by("seq").first()
    with erasure_permit(spoken.conversation.id):
        Message.objects.filter(pk=message.id).update(body=b"", redacted_ms=now_ms())

    by_id = {row.id: row for row in log_page(spoken).messages}

    assert (by_id[message.id].text, by_id[message.id].redacted) == ("", True)
    assert sum(row.redacted for row in by_id.values()) == 1


def test_it_costs_four_queries_however_long_it_is(spoken, django_assert_num_queries):
    with django_assert_num_queries(4):
        log_page(spoken)
    lengthen(spoken, 60)
    for number in range(60):
        conversation_rename(spoken, f"Title {number}")
    newest = Transition.objects.count()

    with django_assert_num_queries(4):
        log_page(spoken)
    with django_assert_num_queries(4):
        log_page(spoken, query="house", before=newest)
