"""The strategies side by side: what each takes, what it leaves out, what would be missing."""

from chatapp.presenters.comparison import Asked, comparison_sources, present_comparison
from statecore.context.strategies import Strategy
from tests.web import memory_samples, plan_samples, samples


def shown(comparison=None, **changes):
    comparison = comparison or plan_samples.comparison(**changes)
    places = memory_samples.places()
    return present_comparison(comparison, places, samples.MODELS, Asked(), samples.sample_id(900))


def columns(**changes):
    return {column.code: column for column in shown(**changes)["columns"]}


def figures(column):
    return {str(figure.label): figure.value for figure in column.figures}


def test_each_strategy_has_its_tokens_and_what_that_is_against_the_full_history():
    found = columns()

    assert [column.tokens for column in found.values()] == ["≈ 9,640", "1,874", "402", "1,912"]
    assert found["full"].against_full == ""
    assert found["elastic"].against_full == "80 % fewer than the full history"


def test_what_does_not_fit_has_its_size_and_no_figures():
    full = columns()["full"]

    assert (full.figures, full.width) == ((), 1000)
    assert full.overflow.endswith("tokens (history 9,100, your message 380).")


def test_the_figures_count_what_is_sent_left_out_and_missing():
    found = figures(columns()["elastic"])

    assert found["Tier"] == "2"
    assert found["Messages left out"] == "28"
    assert found["Things in the notes"] == "7"
    assert (found["Rules missing"], found["Exact values missing"]) == ("1", "0")
    assert figures(columns()["sliding"])["Tier"] == "–"


def test_what_holds_and_would_be_missing_is_linked():
    missing = columns()["sliding"].missing

    assert [item.text for item in missing] == [
        "The budget is 900 euros, not 1,200.",
        "不要再推荐酒店，只要民宿。",
    ]
    assert [link.label for link in missing[1].sources] == ["turn 3"]


def test_the_sliding_window_says_how_it_was_cut():
    by_messages = plan_samples.compared("sliding", strategy=Strategy("sliding", last_messages=8))

    assert columns()["sliding"].setting == ("at most 1,912 tokens in all, as many as elastic sends")
    assert columns(rows=(by_messages,))["sliding"].setting == "the last 8 messages"


def test_as_many_and_more_than_the_full_history_are_said():
    full, more = plan_samples.compared("full"), plan_samples.compared(prompt_tokens=10_000)
    same = plan_samples.compared("sliding")

    found = columns(rows=(full, same, more))

    assert found["sliding"].against_full == "as many as the full history"
    assert found["elastic"].against_full.endswith("more than the full history")


def test_without_anything_to_compare_the_form_stays():
    context = present_comparison(
        None, {}, samples.MODELS, Asked(text="kept"), samples.sample_id(900)
    )

    assert context["columns"] == ()
    assert context["asked"].text == "kept"


def test_the_sources_of_every_plan_are_looked_for():
    named = set(comparison_sources(plan_samples.comparison()))

    assert {memory_samples.message_id(turn, 1) for turn in (1, 2, 3)} <= named
