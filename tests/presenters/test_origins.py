"""Every code of the core has its words, and every token of a request its origin."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.presenters import memory_words, missing, overflow, tiers
from chatapp.presenters.comparison import MEANINGS as STRATEGY_MEANINGS
from chatapp.presenters.comparison import NAMES
from chatapp.presenters.origins import (
    MEANINGS,
    ORIGINS,
    Origin,
    of_group,
    of_message,
    present_legend,
    shares,
)
from statecore.context.missing import MissingKind
from statecore.context.policy import PolicyName
from statecore.context.selection import AnchorReason, LeftOutReason
from statecore.context.strategies import StrategyName
from statecore.memory.summary import EntryGroup, EntryReason
from statecore.tokens import Count


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (Origin, ORIGINS),
        (Origin, MEANINGS),
        (PolicyName, tiers.POLICIES),
        (MissingKind, missing.KINDS),
        (StrategyName, NAMES),
        (StrategyName, STRATEGY_MEANINGS),
        (EntryGroup, memory_words.SELECTED_GROUPS),
        (EntryReason, memory_words.SELECTED_REASONS),
        (AnchorReason, memory_words.SELECTED_REASONS),
        (LeftOutReason, memory_words.LEFT_OUT_REASONS),
    ],
)
def test_each_code_has_words(codes, words):
    assert all(str(words[code]) for code in get_args(codes))


def test_the_lines_that_are_not_of_the_ledger_have_words_too():
    others = {"field", "waiting", "fact", "workflow", "contract", "anchor"}

    assert others <= memory_words.SELECTED_GROUPS.keys()
    assert {"field", "waiting", "fact", "workflow", "contract"} <= (
        memory_words.SELECTED_REASONS.keys()
    )


def test_each_part_that_may_be_too_large_has_words():
    assert overflow.PARTS.keys() == {
        "system_prompt",
        "contract_fields",
        "tool_definitions",
        "workflow_values",
        "current_input",
        "history",
        "reply_reserve",
    }


@pytest.mark.parametrize(
    ("group", "origin"),
    [
        ("rule", "rule"),
        ("goal", "summary"),
        ("agreement", "summary"),
        ("waiting", "summary"),
        ("field", "field"),
        ("fact", "fact"),
        ("workflow", "workflow"),
        ("contract", "contract"),
        ("anchor", "anchor"),
    ],
)
def test_a_line_of_the_notes_has_its_origin(group, origin):
    assert of_group(group) == origin


@pytest.mark.parametrize(
    ("kind", "role", "origin"),
    [
        ("system", "system", "text"),
        ("system", "user", "text"),
        ("state_block", "user", "text"),
        ("message", "assistant", "message"),
        ("message", "tool", "tool"),
        ("tools", "system", "tool"),
        ("input", "user", "message"),
    ],
)
def test_a_message_has_its_origin(kind, role, origin):
    assert of_message(kind, role) == origin


@given(
    st.integers(0, 10_000),
    st.lists(st.tuples(st.sampled_from(get_args(Origin)), st.integers(1, 500)), min_size=1),
)
def test_no_token_is_lost_or_doubled(tokens, sizes):
    found = shares(tokens, sizes)

    assert sum(found.values()) == tokens
    assert min(found.values()) >= 0
    assert found.keys() == {origin for origin, _ in sizes}


def test_an_empty_message_has_no_shares():
    assert shares(4, []) == {}


def test_the_legend_leaves_out_what_is_not_there():
    legend = present_legend(
        {"rule": Count(12, "estimated"), "text": Count(0, "exact"), "message": Count(30, "exact")}
    )

    assert [(item.origin, item.tokens) for item in legend] == [
        ("message", "30"),
        ("rule", "≈ 12"),
    ]
