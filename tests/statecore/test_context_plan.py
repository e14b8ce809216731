"""C is a pure function: what a request holds, and what its account says."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from statecore.context.occupancy import MESSAGE_OVERHEAD_TOKENS, REPLY_OVERHEAD_TOKENS
from statecore.context.plan import ContextPlan, DoesNotFit, NeedCounts, plan
from statecore.requests import canonical_bytes
from statecore.tokens import CountKey
from tests.statecore.builders import (
    TEMPLATE,
    answer,
    chat,
    count_all,
    message,
    planned,
    previous_of,
    quality,
    segments_sent,
    spec,
    specs,
    state,
    states,
    turn,
    user,
)

OVERHEAD = MESSAGE_OVERHEAD_TOKENS


def sent_texts(made) -> list[str]:
    return [m.text for m in made.request.messages]


def test_it_asks_for_all_missing_counts_at_once_and_in_order():
    given_state = state(chat((1, 2), (3, 4)), system=message("s", "system", "Rules."))

    made = plan(given_state, spec(), TEMPLATE, {}, 0, None)

    assert isinstance(made, NeedCounts)
    assert [key.message_id for key in made.keys] == ["s", "input", "u1", "a1", "u2", "a2"]
    assert made.texts == ("Rules.", "now", "u", "aa", "uuu", "aaaa")


def test_it_asks_only_for_what_is_missing():
    given_state = state(chat((1, 2)))
    needed = plan(given_state, spec(), TEMPLATE, {}, 0, None)
    counts = dict(count_all(needed))
    del counts[CountKey("a1", "o200k_base")]

    made = plan(given_state, spec(), TEMPLATE, counts, 0, None)

    assert made == NeedCounts((CountKey("a1", "o200k_base"),), ("aa",))


def test_counts_of_another_tokenizer_do_not_serve():
    given_state = state(chat((1, 2)))
    needed = plan(given_state, spec(), TEMPLATE, {}, 0, None)

    made = plan(given_state, spec(tokenizer="cl100k_base"), TEMPLATE, count_all(needed), 0, None)

    assert isinstance(made, NeedCounts)
    assert len(made.keys) == 4


def test_what_a_message_asks_of_tools_is_counted_with_it():
    given_state = state((turn(1, user("u1", "Oslo?"), answer("a1", "", calls=["c1"])),))

    made = plan(given_state, spec(), TEMPLATE, {}, 0, None)

    assert dict(zip(made.keys, made.texts, strict=True))[CountKey("a1", "o200k_base")] == (
        "\nweather\n{}"
    )


def test_a_short_conversation_is_sent_whole():
    made = planned(state(chat((5, 6), (7, 8))))

    assert sent_texts(made) == ["Be brief.", "u" * 5, "a" * 6, "u" * 7, "a" * 8, "now"]
    assert made.dropped_turns == 0
    assert made.window_start_depth == 1
    assert made.rho_full == made.rho_sent
    assert {s.reason for s in made.segments} == {"system_prompt", "full_history", "current_input"}
    assert made.request.max_output_tokens == 100


def test_overheads_and_the_reply_reserve_count():
    made = planned(state(chat((10, 20))), spec(window_tokens=1000, reply_reserve_tokens=200))

    tokens = len("Be brief.") + 10 + 20 + len("now") + 4 * OVERHEAD + REPLY_OVERHEAD_TOKENS
    assert made.prompt_tokens == tokens
    assert made.rho_sent == (tokens + 200) / 1000


def test_the_system_message_of_the_conversation_replaces_the_one_of_the_template():
    made = planned(state(system=message("s", "system", "Mine.")))

    assert sent_texts(made) == ["Mine.", "now"]
    assert made.segments[0].source_ids == ("s",)


def test_without_any_system_text_no_system_message_is_sent():
    made = planned(state(), template=replace(TEMPLATE, system=""))

    assert [m.role for m in made.request.messages] == ["user"]


def test_a_model_without_a_system_role_gets_the_instructions_from_the_user():
    made = planned(state(), spec(role_style="user"))

    assert [(m.role, m.text) for m in made.request.messages] == [
        ("user", "Be brief."),
        ("user", "now"),
    ]


def test_what_no_longer_fits_is_dropped_in_whole_turns_and_accounted_for():
    made = planned(state(chat(*[(45, 45)] * 20)), spec(window_tokens=1100))

    turn_tokens = 90 + 2 * OVERHEAD
    gap = next(s for s in made.segments if s.kind == "gap")
    assert made.dropped_turns == len(gap.source_ids) == 15
    assert gap.source_ids[0] == "t1"
    assert gap.tokens == 15 * turn_tokens
    assert (gap.decision, gap.reason) == ("moved_to_summary", "outside_window")
    assert made.window_start_depth == 16
    assert made.rho_full == pytest.approx(made.rho_sent + 15 * turn_tokens / 1100)
    kept = [s for s in made.segments if s.kind == "message"]
    assert {s.reason for s in kept} == {"within_window"}


def test_turns_that_were_not_loaded_count_as_dropped():
    made = planned(
        state(chat((5, 5), first_depth=41), earlier_turns=40, earlier_tokens=4000),
        spec(window_tokens=1000),
    )

    assert made.dropped_turns == 40
    assert made.window_start_depth == 41
    assert made.rho_full > 4.0
    assert made.segments[1].kind == "gap"
    assert made.segments[1].quality == "estimated"


def test_with_no_turn_on_offer_the_input_stands_at_its_own_depth():
    made = planned(state(earlier_turns=40, earlier_tokens=4000))

    assert made.window_start_depth == 41
    assert made.sent[-1].depth == 41


def test_fixed_parts_that_exceed_the_window_are_named_by_size():
    made = planned(state(chat((5, 5)), text="x" * 900), spec(window_tokens=1000))

    assert isinstance(made, DoesNotFit)
    assert made.largest == (
        ("current_input", 900 + OVERHEAD),
        ("reply_reserve", 100),
        ("system_prompt", 9 + OVERHEAD),
    )
    assert made.needed_tokens == 900 + 100 + 9 + 2 * OVERHEAD + REPLY_OVERHEAD_TOKENS
    assert made.window_tokens == 1000


def test_a_reserve_as_large_as_the_window_does_not_fit():
    made = planned(state(), spec(window_tokens=100, reply_reserve_tokens=100))

    assert isinstance(made, DoesNotFit)


def test_estimated_counts_leave_a_margin():
    exactly_full = 1000 - 100 - 9 - 2 * OVERHEAD - REPLY_OVERHEAD_TOKENS

    assert isinstance(planned(state(text="x" * exactly_full)), ContextPlan)
    assert isinstance(planned(state(text="x" * exactly_full), quality="estimated"), DoesNotFit)
    assert isinstance(planned(state(text="x" * exactly_full), quality="reported"), ContextPlan)


@pytest.mark.parametrize("worst", ["exact", "reported", "estimated"])
def test_a_plan_is_as_good_as_its_worst_count(worst):
    assert planned(state(chat((5, 5))), quality=worst).quality == worst


@given(states(), specs, quality)
def test_equal_input_gives_equal_bytes(given_state, model, counted):
    first = planned(given_state, model, quality=counted)
    second = planned(given_state, model, quality=counted)

    assert first == second
    if isinstance(first, ContextPlan):
        assert canonical_bytes(first.request) == canonical_bytes(second.request)


@given(states(), specs, quality)
def test_a_request_never_exceeds_its_budget(given_state, model, counted):
    made = planned(given_state, model, quality=counted)
    assume(isinstance(made, ContextPlan))

    texts = sum(len(m.text) for m in made.request.messages)
    asked = sum(
        len(c.name) + len(c.arguments) + 2 for m in made.request.messages for c in m.tool_calls
    )
    overheads = OVERHEAD * len(made.request.messages) + REPLY_OVERHEAD_TOKENS
    assert made.prompt_tokens == texts + asked + overheads
    assert made.prompt_tokens <= model.window_tokens - model.reply_reserve_tokens
    assert made.rho_sent <= 1.0
    assert made.rho_full >= made.rho_sent


@given(states(), specs)
def test_system_and_input_are_sent_word_for_word(given_state, model):
    made = planned(given_state, model)
    assume(isinstance(made, ContextPlan))

    system = TEMPLATE.system if given_state.system is None else given_state.system.text
    assert made.request.messages[-1].text == given_state.input.text
    assert made.request.messages[-1].role == "user"
    if system:
        assert made.request.messages[0].text == system


@given(states(), specs)
def test_every_message_on_offer_is_accounted_for_once(given_state, model):
    made = planned(given_state, model)
    assume(isinstance(made, ContextPlan))

    dropped = {id_ for s in made.segments if s.kind == "gap" for id_ in s.source_ids}
    offered = [m.id for t in given_state.turns if t.id not in dropped for m in t.messages]
    own = [
        s.source_ids[0]
        for s in made.segments
        if s.kind == "message" and s.source_ids and s.reason != "tool_result_missing"
    ]
    assert sorted(own) == sorted(offered)
    assert len(segments_sent(made)) == len(made.request.messages)
    assert sum(s.tokens for s in segments_sent(made)) == made.prompt_tokens - REPLY_OVERHEAD_TOKENS


@given(
    st.lists(st.tuples(st.integers(1, 120), st.integers(1, 120)), min_size=2, max_size=30),
    st.integers(400, 1500),
)
def test_consecutive_requests_share_all_but_their_end_except_at_steps(sizes, window):
    model = spec(window_tokens=window)
    turns = chat(*sizes)
    before = None
    for count in range(len(turns)):
        opening = turns[count].messages[0]
        given_state = state(turns[:count], input=opening)
        made = planned(given_state, model, previous=before and previous_of(before, model))
        assert isinstance(made, ContextPlan)
        if before is not None and made.window_start_depth == before.window_start_depth:
            shared = len(before.request.messages)
            assert made.request.messages[:shared] == before.request.messages
        before = made
