"""Whatever people do to a tree: every branch is what a tree that copies everything says it is."""

import os
from types import SimpleNamespace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from chatapp import clock
from chatapp.access import owner_of
from chatapp.services.conversations import conversation_create
from statecore.memory.session import Expiry
from statecore.state.operations import FieldSet
from tests.support.people import MODEL, new_process
from tests.tree.player import Player
from tests.tree.seen import Seen, remembered, statuses

pytestmark = pytest.mark.django_db

START_MS = 1_800_000_000_000
HOUR_MS = 3_600_000
CHECKPOINT_EVERY_TURNS = 2
EXAMPLES = 400 if os.environ.get("GLASSBOX_EXPLORE") == "1" else 16
STEPS = 30

TEXTS = st.sampled_from(
    (
        "Always answer in Russian.",
        "My budget is 900 euros.",
        "Actually, my budget is 800 euros, not 900.",
        "For now keep it short.",
        "Моя цель: выучить испанский.",
        "I want to plan a trip to Rome.",
        "Отвечай всегда по-русски. А сейчас пиши кратко.",
        "不要海鲜。我的预算是900元。",
        "Hello!",
    )
)
WORDS = st.sampled_from(("My budget is 900 euros.", "Отель в Риме.", "不要海鲜。", "No fish."))
KINDS = st.sampled_from(("fact", "rule", "goal", "task"))
KEYS = st.sampled_from(("current_goal", "step"))
EXPIRIES = st.sampled_from(
    (Expiry(), Expiry("time", HOUR_MS), Expiry("idle", HOUR_MS), Expiry("time", 5 * HOUR_MS))
)
FIELDS = st.builds(FieldSet, KEYS, WORDS, EXPIRIES)
PICKS = st.integers(0, 30)
PAGES = st.none() | PICKS
"""The branch that a page shows; None for the one that is selected."""
NAMES = st.sampled_from(("Rome", "Без рыбы", "便宜的"))


class Clock:
    """The wall time of the services."""

    def __init__(self) -> None:
        self.now_ms = START_MS

    def time_ns(self) -> int:
        return self.now_ms * 1_000_000


class TreeMachine(RuleBasedStateMachine):
    """A person at several pages, a worker that is late, and a model that answers or fails."""

    user: object
    process_id: object
    clock: Clock

    @initialize(texts=st.lists(TEXTS, max_size=4), learned=st.integers(0, 4))
    def begin(self, texts, learned):
        self.clock.now_ms = START_MS
        made = conversation_create(owner_of(self.user), model_name=MODEL.name)
        self.seen = Seen(self.user, made.id)
        self.play = Player(self.seen, self.process_id, self.clock)
        self.moments: list[tuple[str | None, int, object]] = []
        for text in texts:
            self.post(0, text)
        for _ in range(learned):
            self.play.learn_next(0)

    # --- Turns

    @rule(page=PICKS, text=TEXTS)
    def post(self, page, text):
        turn_id = self.play.post(page, text)
        if turn_id is not None:
            self.play.commit(turn_id)

    @rule(page=PICKS, texts=st.lists(TEXTS, min_size=2, max_size=3))
    def talk(self, page, texts):
        for text in texts:
            self.post(page, text)

    @rule(page=PICKS, text=TEXTS)
    def post_and_wait(self, page, text):
        self.play.post(page, text)

    @rule(page=PICKS, text=TEXTS)
    def post_twice(self, page, text):
        self.play.post_twice(page, text)

    @rule(page=PICKS, step=PICKS, text=TEXTS, aside=st.booleans())
    def post_late(self, page, step, text, aside):
        turn_id = self.play.post_late(page, step, text, aside=aside)
        if turn_id is not None:
            self.play.commit(turn_id)

    @rule(page=PICKS, step=PICKS, text=TEXTS, waits=st.booleans())
    def edit(self, page, step, text, waits):
        turn_id = self.play.edit(page, step, text)
        if turn_id is not None and not waits:
            self.play.commit(turn_id)

    @rule(page=PICKS, step=PICKS, waits=st.booleans())
    def regenerate(self, page, step, waits):
        turn_id = self.play.regenerate(page, step)
        if turn_id is not None and not waits:
            self.play.commit(turn_id)

    @rule(step=PICKS, fails=st.booleans())
    def end(self, step, fails):
        self.play.end(step, fails=fails)

    @rule(step=PICKS)
    def retry(self, step):
        self.play.retry(step)

    # --- Branches

    @rule(page=PAGES, step=PICKS, name=NAMES, before=st.booleans())
    def fork(self, page, step, name, before):
        self.play.fork(page, step, name, before=before)

    @rule(page=PICKS, name=NAMES)
    def name(self, page, name):
        self.play.name(page, name)

    @rule(page=PICKS)
    def select(self, page):
        self.play.select(page)

    @rule(step=PICKS)
    def select_turn(self, step):
        self.play.select_turn(step)

    @rule(page=PAGES, steps=st.lists(PICKS, min_size=1, max_size=3))
    def roll_back(self, page, steps):
        for step in steps:
            self.play.roll_back(page, step)

    @rule(page=PAGES)
    def redo(self, page):
        self.play.redo(page)

    @rule(page=PICKS, archived=st.booleans())
    def archive(self, page, archived):
        self.play.archive(page, archived=archived)

    # --- Memory

    @rule(step=PICKS)
    def learn(self, step):
        self.play.learn_next(step)

    @rule(step=PICKS)
    def catch_up(self, step):
        for _ in range(4):
            self.play.learn_next(step)

    @rule(step=PICKS, kind=KINDS, fields=st.lists(FIELDS, max_size=1))
    def learn_out_of_order(self, step, kind, fields):
        self.play.learn_any(step, kind, tuple(fields))

    @rule(page=PAGES, kind=KINDS, text=WORDS)
    def add(self, page, kind, text):
        self.play.add(page, kind, text)

    @rule(page=PAGES, which=PICKS, pinned=st.booleans())
    def pin(self, page, which, pinned):
        self.play.pin(page, which, pinned=pinned)

    @rule(page=PAGES, which=PICKS, text=WORDS)
    def correct(self, page, which, text):
        self.play.correct(page, which, text)

    @rule(page=PAGES, which=PICKS)
    def delete(self, page, which):
        self.play.delete(page, which)

    @rule(page=PAGES, field=FIELDS)
    def set_field(self, page, field):
        self.play.set_field(page, field)

    @rule(page=PAGES, key=KEYS)
    def remove_field(self, page, key):
        self.play.remove_field(page, key)

    @rule(page=PAGES, which=PICKS)
    def undo(self, page, which):
        self.play.undo(page, which)

    @rule(passed_ms=st.sampled_from((1_000, HOUR_MS // 2, 2 * HOUR_MS)))
    def time_passes(self, passed_ms):
        self.clock.now_ms += passed_ms

    # --- What holds after every step

    @invariant()
    def every_branch_is_its_copy(self):
        seen, tree = self.seen, self.play.tree
        as_of = seen.last_seq
        assert seen.branches() == {
            it.id: {
                "origin": it.origin,
                "parent": it.parent,
                "left": it.left,
                "tip": it.tip,
                "redo": it.redo,
                "version": it.version,
                "running": it.running,
                "is_archived": it.is_archived,
                "name": it.name or None,
            }
            for it in tree.branches.values()
        }
        assert seen.selected in {None, tree.selected}
        for tip in {branch.tip for branch in tree.branches.values()}:
            self._check_node(tip, as_of)
        for branch in tree.branches.values():
            self._check_time(branch)

    def _check_node(self, tip, as_of):
        """A node is what its copies say, however many branches end there."""
        node, expected = self.play.tree.nodes[tip], self.play.tree.memory(tip, as_of)
        memory, waiting = self.seen.known(tip, as_of)
        assert self.seen.messages(tip) == node.messages
        assert remembered(memory) == remembered(expected)
        assert waiting == node.waiting

    def _check_time(self, branch):
        """People see all of it on each branch, and its session fields end in its own time."""
        tree, page = self.play.tree, self.seen.page(branch.id)
        node, expected = tree.nodes[branch.tip], self.play.looked(branch)
        now_ms = branch.watch.at(self.clock.now_ms)
        last_ms = node.said[-1].branch_ms if node.said else 0
        assert remembered(page.memory) == remembered(expected)
        assert tuple(map(str, page.waiting)) == node.waiting
        assert page.memory.operations == expected.operations
        assert page.memory.undone == expected.undone
        assert (page.branch_now_ms, page.last_turn_ms) == (now_ms, last_ms)
        assert statuses(page.memory, page.branch_now_ms, page.last_turn_ms) == statuses(
            expected, now_ms, last_ms
        )

    @rule()
    def note_the_moment(self):
        """Remember what is known now, to ask for it when the tree has grown."""
        as_of = self.seen.last_seq
        for branch in self.play.tree.branches.values():
            expected = remembered(self.play.tree.memory(branch.tip, as_of))
            self.moments.append((branch.tip, as_of, expected))

    def _check_readers(self, branch):
        """A document and a request are made of the same."""
        node = self.play.tree.nodes[branch.tip]
        expected = remembered(self.play.tree.memory(branch.tip, self.seen.last_seq))
        contract = self.seen.contract(branch.id)
        state = self.seen.draft(branch.id, self.clock.now_ms)
        assert remembered(contract.memory.folded()) == expected
        assert remembered(state.memory) == expected
        assert state.branch_now_ms == branch.watch.at(self.clock.now_ms)
        said = [tuple(message.text for message in turn.messages) for turn in state.turns]
        assert said == node.messages[-len(said) :]

    def teardown(self):
        """Read it all again, as of earlier moments, as documents, and when all is learned."""
        if not hasattr(self, "play"):
            return
        seen, tree = self.seen, self.play.tree
        seen.reload()
        self.every_branch_is_its_copy()
        for tip, as_of, expected in self.moments:
            memory, _ = seen.known(tip, as_of)
            assert remembered(memory) == expected
        for branch in tree.branches.values():
            self._check_readers(branch)
        while self.play.waiting():
            self.play.learn_next(0)
        self.every_branch_is_its_copy()
        # Whatever broke the log at whichever step is still seen now.
        assert seen.faults() == []


def test_every_branch_is_what_a_tree_of_copies_says(django_user_model, monkeypatch):
    wall = Clock()
    monkeypatch.setattr(clock, "time", SimpleNamespace(time_ns=wall.time_ns))
    monkeypatch.setattr("chatapp.store.checkpoints.EVERY_TURNS", CHECKPOINT_EVERY_TURNS)
    # A bound would leave out what the naive tree keeps.
    monkeypatch.setattr("statecore.state.hot.HISTORY", 1_000)
    TreeMachine.user = django_user_model.objects.create_user("alice")
    TreeMachine.process_id = new_process()
    TreeMachine.clock = wall
    run_state_machine_as_test(
        TreeMachine, settings=settings(max_examples=EXAMPLES, stateful_step_count=STEPS)
    )
