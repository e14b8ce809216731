"""Whatever people have done to a tree: playing its log ends in the same states, without a trace."""

from types import SimpleNamespace

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from chatapp import clock
from chatapp.access import conversation_for
from chatapp.models import Conversation
from chatapp.runtime.playing import play
from tests.support.people import new_process
from tests.tree.test_tree_stateful import START_MS, Clock, TreeMachine

pytestmark = pytest.mark.django_db


class PlayedMachine(TreeMachine):
    """A tree whose log is played when all is done."""

    def every_branch_is_its_copy(self):
        """Leave that to the other test: this one looks at the end."""

    def teardown(self):
        """Play it."""
        if not hasattr(self, "play"):
            return
        before = Conversation.objects.count()
        conversation_id = self.seen.access(None).conversation.id
        played = play(conversation_for(self.user, conversation_id))
        assert played.fault is None
        assert played.branches == len(self.play.tree.branches)
        assert Conversation.objects.count() == before


def test_a_log_can_be_played_whatever_was_done(django_user_model, monkeypatch):
    wall = Clock()
    monkeypatch.setattr(clock, "time", SimpleNamespace(time_ns=wall.time_ns))
    assert wall.now_ms == START_MS
    PlayedMachine.user = django_user_model.objects.create_user("ada")
    PlayedMachine.process_id = new_process()
    PlayedMachine.clock = wall
    bounds = settings(max_examples=8, stateful_step_count=20)
    run_state_machine_as_test(PlayedMachine, settings=bounds)
