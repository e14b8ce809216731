"""A plan of what is read is the plan of the whole path: running sums leave out nothing it needs."""

from dataclasses import replace

import pytest

from chatapp.keyring import keys_of
from chatapp.services.attempts import attempt_prepare
from chatapp.services.planning import Planned, planned
from chatapp.store.contexts import read_draft
from chatapp.store.reach import Reach
from statecore.context.plan import DoesNotFit
from statecore.messages import Message
from tests.support.long_path import long_path
from tests.support.people import MODEL, accept, branch_of, new_process, say
from tests.support.remembering import learn

pytestmark = pytest.mark.django_db

WHOLE = Reach(1 << 60, 5, has_digests=True)
DRAFT = Message("01930000-0000-7000-8000-000000000001", "user", "What should be packed today?", 0)
WINDOWS = (1_200, 2_500, 4_000, 8_000, 8_193, 12_000, 16_000, 24_000, 32_000, 40_000, 64_000)


def saying(depth):
    """Return short and long turns, in which answers are the most."""
    return f"Where does day {depth} end, and who is there?", "A calm sea. " * (depth % 7 * 40 + 1)


@pytest.fixture
def path(cast):
    return long_path(cast.access, 60, saying, learned=40, tokenizers=("o200k_base", "cl100k_base"))


def outcomes(access, model):
    """Return the plan of what is read, that of the whole path, and how many turns were not read."""
    ids = (access.conversation.id, branch_of(access).id)
    near = read_draft(*ids, DRAFT, model=model, keys_of=keys_of)
    whole = read_draft(*ids, DRAFT, model=model, keys_of=keys_of, wide=WHOLE)
    assert whole.state.earlier_turns == 0
    return planned(near, model, {}), planned(whole, model, {}), near.state.earlier_turns


@pytest.mark.parametrize("tokenizer", ["o200k_base", "cl100k_base"])
@pytest.mark.parametrize("window_tokens", WINDOWS)
def test_the_request_is_that_of_the_whole_path(cast, path, window_tokens, tokenizer):
    model = replace(
        MODEL,
        window_tokens=window_tokens,
        reply_reserve_tokens=window_tokens // 10,
        tokenizer=tokenizer,
    )

    near, whole, unread = outcomes(cast.access, model)

    assert isinstance(near, Planned)
    assert isinstance(whole, Planned)
    assert near.plan.tier == whole.plan.tier
    assert near.plan.request == whole.plan.request
    assert unread == 0 or near.plan.tier >= 2


@pytest.mark.parametrize("learns", [True, False], ids=["learned", "waiting"])
def test_turn_by_turn_the_window_moves_as_if_all_were_read(cast, learns):
    model = replace(MODEL, window_tokens=1_500, reply_reserve_tokens=100)
    process = new_process()
    starts = set()
    for number in range(1, 31):
        question, answer = saying(number)
        turn_id = say(cast.access, question, answer[:600], process, model=model)
        if learns:
            learn(cast.access, turn_id, "fact")

        near, whole, _ = outcomes(cast.access, model)

        assert near.plan.request == whole.plan.request
        starts.add(near.plan.window_start_depth)
    assert len(starts) > 3


def test_every_tier_is_among_these_windows_and_some_turns_are_not_read(cast, path):
    found = [outcomes(cast.access, replace(MODEL, window_tokens=tokens)) for tokens in WINDOWS]

    assert {near.plan.tier for near, _, _ in found} >= {0, 1, 2}
    assert max(unread for _, _, unread in found) > 30


def test_what_never_fits_is_said_at_any_length(cast, path):
    process = new_process()
    turn_id = accept(cast.access, "river " * 5_000, process).turn_id

    found = attempt_prepare(turn_id, owner=process, model=MODEL, fresh={})

    assert isinstance(found, DoesNotFit)
