"""The page and the list have everything that their templates show."""

from chatapp.presenters.conversations import present_empty, present_list, present_page
from tests.web import samples


def test_the_page_carries_what_the_next_message_is_typed_on():
    context = present_page(samples.page(), samples.MODELS, samples.CONVERSATIONS, None)

    assert (context["branch_id"], context["branch_version"]) == (samples.sample_id(950), 7)
    assert len(context["turns"]) == len(samples.TURNS)


def test_the_list_marks_the_one_that_is_looked_at():
    context = present_list(samples.CONVERSATIONS, None, samples.sample_id(901))

    assert [item.current for item in context["conversations"]].index(True) == 1


def test_a_conversation_without_a_title_has_a_name():
    context = present_list(samples.CONVERSATIONS, None, None)

    assert context["conversations"][-1].title == "New conversation"
    page = present_page(samples.page(title=None), samples.MODELS, (), None)
    assert page["title"] == "New conversation"


def test_nobody_needs_a_conversation_to_see_the_page():
    context = present_empty(samples.MODELS)

    assert context["conversation_id"] is None
    assert context["model"].ready
