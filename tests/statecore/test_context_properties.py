"""Whatever a state holds: what every plan keeps to, in each policy and strategy."""

import copy
import json

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from statecore.context.block_text import quoted
from statecore.context.manifest import blocks_of, message_ids, request_of
from statecore.context.occupancy import ESTIMATE_MARGIN
from statecore.context.plan import ContextPlan, DoesNotFit
from statecore.context.strategies import Strategy
from statecore.context.tuning import USUAL
from statecore.requests import RequestMessage, canonical_bytes
from tests.statecore.builders import TEMPLATE, planned, segments_sent, spec
from tests.statecore.context_builders import cases, first_spoken, full_states

ENOUGH = settings(max_examples=80)


def made_of(case, **more) -> ContextPlan:
    given_state, model, strategy, previous = case
    made = planned(given_state, model, previous=previous, strategy=strategy, **more)
    assume(isinstance(made, ContextPlan))
    return made


@ENOUGH
@given(cases())
def test_a_request_and_its_reply_never_exceed_the_window(case):
    model = case[1]
    made = made_of(case, quality="estimated")

    assert made.prompt_tokens + model.reply_reserve_tokens <= model.window_tokens
    assert made.prompt_tokens * (1 + ESTIMATE_MARGIN) <= (
        model.window_tokens - model.reply_reserve_tokens + len(made.segments) + 1
    )


@ENOUGH
@given(full_states(), st.integers(60, 300), st.sampled_from(["elastic", "full"]))
def test_what_is_named_too_large_is_too_large(given_state, window, name):
    model = spec(window_tokens=window, reply_reserve_tokens=60)
    made = planned(given_state, model, strategy=Strategy(name))
    assume(isinstance(made, DoesNotFit))

    assert made.needed_tokens > made.window_tokens
    assert 0 < len(made.largest) <= 3
    assert [tokens for _, tokens in made.largest] == sorted(
        (tokens for _, tokens in made.largest), reverse=True
    )


@ENOUGH
@given(cases())
def test_every_id_in_a_request_is_one_of_the_messages(case):
    given_state = case[0]
    made = made_of(case)

    messages = {m.id: m for t in given_state.turns for m in t.messages}
    messages["input"] = given_state.input
    if given_state.system:
        messages["s"] = given_state.system
    # The workflow's value was said in the first turn, which need not be loaded.
    known = {*messages, "u1", *(found.message.id for found in given_state.older)}
    for segment in segments_sent(made):
        assert set(segment.source_ids) <= known
    for sent, one in zip(made.sent, made.request.messages, strict=True):
        if sent.message_id is not None:
            assert one.text == messages[sent.message_id].text
    assert {anchor.message_id for anchor in made.anchors} <= known


@ENOUGH
@given(cases())
def test_calls_of_tools_and_their_results_stay_whole(case):
    made = made_of(case)

    open_calls: list[str] = []
    for one in made.request.messages:
        if one.role == "tool":
            assert one.tool_call_id in open_calls
            open_calls.remove(one.tool_call_id)
            continue
        assert not open_calls
        open_calls = [call.id for call in one.tool_calls]
        for call in one.tool_calls:
            json.loads(call.arguments)
    assert not open_calls


@ENOUGH
@given(cases())
def test_the_first_message_that_is_not_of_the_system_is_the_user_s(case):
    assert first_spoken(made_of(case)) == "user"


@ENOUGH
@given(cases())
def test_planning_twice_gives_the_same_bytes_and_account(case):
    one, other = made_of(case), made_of(case)

    assert canonical_bytes(one.request) == canonical_bytes(other.request)
    assert one == other


@ENOUGH
@given(cases())
def test_planning_changes_nothing_that_was_said(case):
    before = copy.deepcopy(case[0])

    made_of(case)

    assert case[0] == before


@ENOUGH
@given(cases())
def test_what_is_never_cut_is_there_word_for_word(case):
    given_state, model, _, _ = case
    made = made_of(case)

    messages = made.request.messages
    assert messages[-1].text == given_state.input.text
    system = TEMPLATE.system if given_state.system is None else given_state.system.text
    assert messages[0].text.startswith(system)
    assert made.request.tools == given_state.tools
    for field in given_state.contract:
        assert f"\n{field.key}: {field.value}" in messages[0].text
    if given_state.workflow:
        assert 'step = "awaiting_receipt" order_id = "48371"' in messages[-2].text
    assert made.request.max_output_tokens == model.reply_reserve_tokens


@ENOUGH
@given(cases())
def test_what_is_said_to_be_selected_stands_where_it_is_said(case):
    made = made_of(case)

    by_id = {e.id: e for e in case[0].memory.entries}
    for found in made.selected:
        words = made.request.messages[found.message].text[found.start : found.end]
        assert words
        if found.id in by_id:
            assert words.replace("&lt;", "<").startswith(quoted(by_id[found.id].text))


@ENOUGH
@given(cases())
def test_a_plan_stays_inside_the_bound_of_its_tier(case):
    _, _, strategy, _ = case
    assume(strategy.name == "elastic")
    made = made_of(case)

    verbatim = not made.dropped_turns and not any(s.decision == "digested" for s in made.segments)
    assert (made.tier == 0) == verbatim
    assert made.tried[-1][0] >= made.tier
    for tier, rho in made.tried[:-1]:
        assert 100 * rho >= USUAL.bound_percent(tier) - 10
    last, rho = made.tried[-1]
    assert rho <= USUAL.bound_percent(last) / 100
    # The full history is over the bound of tier 0 where nothing else would have been smaller.
    is_full_after_all = made.tier == 0 and last >= 2
    assert made.rho_sent <= (1 if is_full_after_all else USUAL.bound_percent(last) / 100)
    assert made.rho_full >= made.rho_sent


@ENOUGH
@given(cases())
def test_a_stored_request_reads_the_same(case):
    given_state, model, _, _ = case
    made = made_of(case)

    messages = {m.id: m for t in given_state.turns for m in t.messages}
    messages |= {"input": given_state.input, "s": given_state.system}
    blocks = blocks_of(made)

    assert set(message_ids(blocks)) <= set(messages)
    assert request_of(blocks, messages, model.name, made.request.max_output_tokens) == made.request


@ENOUGH
@given(full_states(most_turns=6))
def test_a_bigger_window_brings_back_the_plan_of_tier_0(given_state):
    assume(not given_state.earlier_turns)
    small, large = spec(window_tokens=2_000), spec(window_tokens=200_000)
    narrow = planned(given_state, small)
    assume(isinstance(narrow, ContextPlan))

    wide = planned(given_state, large)

    assert wide.tier == 0
    whole = [m.id for t in given_state.turns for m in t.messages if m.role == "user"]
    if not given_state.memory.removed:
        sent = [found.message_id for found in wide.sent if found.kind == "message"]
        assert [id_ for id_ in sent if id_ and id_.startswith("u")] == whole
    if narrow.tier == 0:
        # The notes have more room in a bigger window.
        assert told(narrow) == told(wide)


def told(made: ContextPlan) -> list[RequestMessage]:
    pairs = zip(made.sent, made.request.messages, strict=True)
    return [message for sent, message in pairs if sent.kind != "state_block"]
