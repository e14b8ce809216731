"""The tree in the application: forks, versions, switches, rollbacks, names, archives."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.access import Access, conversation_for
from chatapp.ids import new_id
from chatapp.keyring import keys_of
from chatapp.models import Branch, Feedback, Message, Selection, Transition, Turn
from chatapp.services.branching import (
    branch_archive,
    branch_fork,
    branch_name,
    branch_redo,
    branch_roll_back,
    branch_select,
    turn_select,
)
from chatapp.services.commits import turn_commit, turn_interrupt
from chatapp.services.memory import field_set
from chatapp.services.outcomes import (
    Accepted,
    Archived,
    Busy,
    Changed,
    DepthReached,
    Forked,
    Missing,
    MovedOn,
    RolledBack,
    Selected,
    Unchanged,
)
from chatapp.services.turns import NewInput, turn_accept, turn_edit, turn_regenerate, turn_retry
from chatapp.store.branches import clock_of, viewed_branch
from chatapp.store.contexts import read_draft
from chatapp.store.lines import name_of
from chatapp.store.payloads import open_payload
from chatapp.store.verification import verify_conversation
from statecore.memory.session import Expiry, status_of
from statecore.messages import Message as CoreMessage
from statecore.state.operations import FieldSet
from tests.support.people import MODEL, accept, answered, new_process, prepare, say, typed

pytestmark = pytest.mark.django_db


def commit(turn_id, answer, process) -> None:
    """Answer a running turn."""
    prepared = prepare(turn_id, process)
    assert turn_commit(turn_id, prepared.attempt_id, answered(answer), owner=process, model=MODEL)


class Talk:
    """A conversation that is talked in, as its page would."""

    def __init__(self, access) -> None:
        self.access, self.process = access, new_process()

    def says(self, text, answer=None) -> Turn:
        """Say something at the end of the branch that is looked at."""
        branch = viewed_branch(self.access)
        accepted = turn_accept(self.access, self.new(text, branch), owner=self.process)
        assert isinstance(accepted, Accepted)
        return self.answered(accepted.turn_id, answer or f"Answer to {text}")

    def new(self, text, branch, **more):
        return NewInput(text, new_id().hex, branch.id, branch.version, MODEL.name, **more)

    def answered(self, turn_id, answer) -> Turn:
        commit(turn_id, answer, self.process)
        return Turn.objects.get(pk=turn_id)

    def edits(self, turn, text, answer="New answer") -> Turn:
        branch = viewed_branch(self.access)
        found = turn_edit(self.access, turn.id, self.new(text, branch), owner=self.process)
        return self.answered(found.turn_id, answer)

    def regenerates(self, turn, answer="Another answer") -> Turn:
        found = turn_regenerate(
            self.access, turn.id, key=new_id().hex, model_name=MODEL.name, owner=self.process
        )
        return self.answered(found.turn_id, answer)

    @property
    def branch(self) -> Branch:
        return viewed_branch(self.access)

    def path(self):
        """Return what was asked and answered on the branch that is looked at."""
        found, turn = [], self.branch.tip
        while turn is not None:
            found.append(turn.id)
            turn = turn.parent
        return found[::-1]

    def kinds(self):
        rows = Transition.objects.filter(conversation=self.access.conversation).order_by("seq")
        return list(rows.values_list("kind", flat=True))

    def is_sound(self):
        found = verify_conversation(self.access.conversation.id, self.access.keys).findings
        assert found == ()
        return True


@pytest.fixture
def talk(cast):
    return Talk(cast.access)


def test_an_edit_is_an_alternative_beside_the_turn_and_selects_itself(talk):
    one, two = talk.says("one"), talk.says("two")
    main = talk.branch
    other = talk.edits(two, "zwei")
    assert talk.path() == [one.id, other.id]
    assert (talk.branch.origin, talk.branch.left_branch_id) == ("edit", main.id)
    assert talk.branch.parent_turn_id == one.id
    assert Branch.objects.get(pk=main.id).tip_id == two.id
    feedback = Feedback.objects.get()
    assert (feedback.kind, feedback.turn_id, feedback.replaced_by) == ("edit", two.id, other.id)
    assert feedback.message_id == two.input_message_id
    assert talk.is_sound()


def test_the_very_first_message_can_be_edited(talk):
    one = talk.says("one")
    other = talk.edits(one, "eins")
    assert talk.path() == [other.id]
    assert talk.branch.parent_turn_id is None


def test_another_answer_shares_the_input_and_what_was_counted_of_it(talk):
    one = talk.says("See https://example.org and order 4711.")
    other = talk.regenerates(one, "Answer to See https://example.org and order 4711.")
    assert other.input_message_id == one.input_message_id
    assert Message.objects.filter(role="user").count() == 1
    for column in ("sum_messages", "sum_reference_tokens", "sum_digest_tokens", "depth"):
        assert getattr(other, column) == getattr(one, column)
    assert other.feature_heads.keys() == one.feature_heads.keys()
    feedback = Feedback.objects.get()
    assert (feedback.kind, feedback.message.role) == ("regenerate", "assistant")
    assert talk.is_sound()


def test_an_answer_that_is_being_written_is_not_wanted_anew(talk):
    running = accept(talk.access, "one", talk.process).turn_id
    found = turn_regenerate(
        talk.access, running, key="k" * 8, model_name=MODEL.name, owner=talk.process
    )
    assert isinstance(found, Busy)


def test_a_turn_that_broke_off_is_edited_in_its_place(talk):
    talk.says("one")
    broken = accept(talk.access, "two", talk.process).turn_id
    turn_interrupt(broken, owner=talk.process)
    found = turn_edit(talk.access, broken, talk.new("zwei", talk.branch), owner=talk.process)
    assert Turn.objects.get(pk=found.turn_id).branch_id == talk.branch.id
    assert Branch.objects.count() == 1


def test_who_edits_in_its_place_what_broke_off_on_another_branch_goes_there(talk):
    one = talk.says("one")
    main = talk.branch
    broken = accept(talk.access, "two", talk.process).turn_id
    turn_interrupt(broken, owner=talk.process)
    branch_fork(talk.access, one.id, "Side")
    assert talk.branch.id != main.id

    page = replace(talk.access, branch_id=main.id)
    found = turn_edit(page, broken, talk.new("zwei", main), owner=talk.process)

    assert talk.branch.id == main.id
    assert talk.kinds()[-2:] == ["turn_accepted", "branch_selected"]
    again = turn_edit(page, broken, talk.new("drei", main), owner=talk.process)
    assert Turn.objects.get(pk=found.turn_id).branch_id == main.id
    assert talk.branch.id == again.branch_id != main.id


@pytest.mark.parametrize("what", ["edit", "regenerate", "aside"])
def test_a_doubled_wish_makes_one_turn_and_one_branch(talk, what):
    one = talk.says("one")
    branch, key = talk.branch, new_id().hex

    def wish():
        new = NewInput("uno", key, branch.id, 0, MODEL.name, head=one.id, aside=what == "aside")
        if what == "edit":
            return turn_edit(talk.access, one.id, new, owner=talk.process)
        if what == "aside":
            return turn_accept(talk.access, new, owner=talk.process)
        return turn_regenerate(
            talk.access, one.id, key=key, model_name=MODEL.name, owner=talk.process
        )

    first, second = wish(), wish()
    assert not first.duplicate
    assert second.duplicate
    assert (second.turn_id, second.branch_id) == (first.turn_id, first.branch_id)
    assert Branch.objects.count() == 2
    assert talk.is_sound()


def test_a_post_on_a_head_that_moved_on_is_refused_and_lands_aside_when_wished(talk):
    one = talk.says("one")
    seen = talk.branch
    talk.says("red")
    late = talk.new("blue", seen, head=one.id)
    assert isinstance(turn_accept(talk.access, late, owner=talk.process), MovedOn)
    aside = NewInput("blue", late.key, seen.id, seen.version, MODEL.name, one.id, aside=True)
    landed = turn_accept(talk.access, aside, owner=talk.process)
    turn = Turn.objects.get(pk=landed.turn_id)
    assert (turn.parent_id, turn.branch_id) == (one.id, landed.branch_id)
    assert talk.branch.id == landed.branch_id


def test_a_post_aside_on_a_head_that_is_being_answered_begins_there_too(talk):
    one = talk.says("one")
    seen = talk.branch
    accept(talk.access, "red", talk.process)
    aside = NewInput("blue", new_id().hex, seen.id, seen.version, MODEL.name, one.id, aside=True)
    landed = turn_accept(talk.access, aside, owner=talk.process)
    assert Turn.objects.get(pk=landed.turn_id).parent_id == one.id


def test_a_post_lands_where_it_was_typed_whatever_is_looked_at(talk):
    one = talk.says("one")
    main = talk.branch
    branch_fork(talk.access, one.id, "other")
    landed = turn_accept(talk.access, talk.new("two", main), owner=talk.process)
    assert landed.branch_id == main.id
    assert talk.branch.id != main.id


def test_a_fork_goes_on_after_a_turn_or_before_it(talk):
    one, two = talk.says("one"), talk.says("two")
    after = branch_fork(talk.access, one.id, "после")
    assert isinstance(after, Forked)
    assert talk.path() == [one.id]
    assert name_of(talk.branch, talk.access.keys) == "после"
    branch_fork(talk.access, two.id, "之前", before=True)
    assert talk.path() == [one.id]
    branch_fork(talk.access, one.id, "begin", before=True)
    assert talk.path() == []
    assert talk.is_sound()


def test_forks_are_nested_as_deep_as_the_setting_says(talk, settings):
    settings.GLASSBOX_NAMED_FORK_DEPTH = 2
    one = talk.says("one")
    assert isinstance(branch_fork(talk.access, one.id, "a"), Forked)
    assert isinstance(branch_fork(talk.access, one.id, "b"), Forked)
    before = talk.kinds()
    assert branch_fork(talk.access, one.id, "c") == DepthReached(2)
    two = talk.edits(one, "uno")
    assert branch_name(talk.access, talk.branch.id, "named") == DepthReached(2)
    assert two.branch_id == talk.branch.id
    assert talk.kinds()[: len(before)] == before
    assert talk.is_sound()


def test_a_turn_that_is_not_there_cannot_be_forked(talk):
    assert branch_fork(talk.access, new_id(), "a") == Missing()
    assert talk.is_sound()


def test_a_switch_is_remembered_for_who_switched_and_logged(talk):
    one = talk.says("one")
    main = talk.branch
    fork = branch_fork(talk.access, one.id, "other")
    assert isinstance(branch_select(talk.access, main.id), Selected)
    assert talk.branch.id == main.id
    assert branch_select(talk.access, main.id) == Unchanged()
    assert branch_select(talk.access, new_id()) == Missing()
    assert Selection.objects.get().branch_id == main.id
    assert talk.kinds()[-2:] == ["branch_forked", "branch_selected"]
    there = conversation_for(
        talk.access.conversation.key_space.owner, talk.access.conversation.id, fork.branch_id
    )
    assert viewed_branch(there).id == fork.branch_id


def test_stepping_to_another_version_selects_the_branch_that_shows_it(talk):
    one, two = talk.says("one"), talk.says("two")
    talk.edits(one, "uno")
    talk.says("dos")
    assert isinstance(turn_select(talk.access, one.id), Selected)
    assert talk.path() == [one.id, two.id]
    assert turn_select(talk.access, two.id) == Unchanged()
    assert turn_select(talk.access, new_id()) == Missing()


def test_a_rollback_keeps_what_came_after_and_redo_brings_it_back(talk):
    one, two, three = talk.says("one"), talk.says("two"), talk.says("three")
    version = talk.branch.version
    back = branch_roll_back(talk.access, two.id)
    assert isinstance(back, RolledBack)
    assert branch_roll_back(talk.access, one.id).version == version + 2
    assert talk.path() == [one.id]
    assert talk.branch.redo_tip_id == three.id
    assert isinstance(branch_redo(talk.access), RolledBack)
    assert talk.path() == [one.id, two.id, three.id]
    assert branch_redo(talk.access) == Unchanged()
    assert talk.branch.version == version + 3
    assert talk.is_sound()


def test_a_branch_that_goes_another_way_leaves_its_turns_on_a_branch_of_their_own(talk):
    one, two = talk.says("one"), talk.says("two")
    main = talk.branch
    branch_roll_back(talk.access, one.id)
    other = talk.says("another way")
    assert talk.path() == [one.id, other.id]
    left = Branch.objects.get(origin="rollback")
    assert (left.tip_id, left.parent_turn_id, left.left_branch_id) == (two.id, one.id, main.id)
    assert branch_redo(talk.access) == Unchanged()
    assert isinstance(turn_select(talk.access, two.id), Selected)
    assert talk.path() == [one.id, two.id]
    assert talk.is_sound()


def test_a_rolled_back_turn_that_is_stepped_to_is_redone(talk):
    one, two = talk.says("one"), talk.says("two")
    branch_roll_back(talk.access, one.id)
    assert turn_select(talk.access, two.id) == Unchanged()
    assert talk.path() == [one.id, two.id]


def test_nothing_is_rolled_back_while_an_answer_is_written(talk):
    one = talk.says("one")
    talk.says("two")
    running = accept(talk.access, "three", talk.process).turn_id
    assert branch_roll_back(talk.access, one.id) == Busy()
    turn_interrupt(running, owner=talk.process)
    assert isinstance(branch_roll_back(talk.access, one.id), RolledBack)


@pytest.mark.parametrize("place", ["newest", "elsewhere", "nowhere"])
def test_only_an_earlier_turn_of_the_path_can_be_rolled_back_to(talk, place):
    one = talk.says("one")
    talk.edits(one, "uno")
    wanted = {"newest": talk.branch.tip_id, "elsewhere": one.id, "nowhere": new_id()}[place]
    expected = Unchanged() if place == "newest" else Missing()
    assert branch_roll_back(talk.access, wanted) == expected
    assert talk.is_sound()


def test_a_post_typed_before_a_rollback_has_been_overtaken(talk):
    one, _ = talk.says("one"), talk.says("two")
    seen = talk.branch
    branch_roll_back(talk.access, one.id)
    assert isinstance(
        turn_accept(talk.access, talk.new("three", seen), owner=talk.process), MovedOn
    )


def test_a_branch_that_was_put_away_takes_nothing_and_gives_way_to_where_it_left(talk):
    one = talk.says("one")
    main = talk.branch
    fork = branch_fork(talk.access, one.id, "other")
    away = talk.branch
    assert isinstance(branch_archive(talk.access, fork.branch_id, archived=True), Changed)
    assert talk.branch.id == main.id
    assert branch_archive(talk.access, fork.branch_id, archived=True) == Unchanged()
    assert isinstance(turn_accept(talk.access, talk.new("two", away), owner=talk.process), Archived)
    branch_archive(talk.access, fork.branch_id, archived=False)
    assert isinstance(turn_accept(talk.access, talk.new("two", away), owner=talk.process), Accepted)
    assert branch_archive(talk.access, main.id, archived=True) == Missing()
    assert branch_archive(talk.access, fork.branch_id, archived=True) == Busy()
    assert talk.kinds().count("branch_archived") == talk.kinds().count("branch_restored") == 1
    assert talk.is_sound()


def test_an_alternative_gets_a_name_and_the_main_line_keeps_its_own(talk):
    main, one = talk.branch, talk.says("one")
    talk.edits(one, "uno")
    assert isinstance(branch_name(talk.access, talk.branch.id, "Испанский"), Changed)
    assert name_of(talk.branch, talk.access.keys) == "Испанский"
    assert b"\xd0\x98" not in bytes(talk.branch.name)
    assert branch_name(talk.access, main.id, "x") == Missing()


class Clock:
    """Wall time as a test sets it."""

    def __init__(self, monkeypatch) -> None:
        self.now_ms = 1_900_000_000_000
        wall = SimpleNamespace(time_ns=lambda: self.now_ms * 1_000_000)
        monkeypatch.setattr("chatapp.clock.time", wall)

    def passes(self, milliseconds):
        self.now_ms += milliseconds


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def branch_ms(talk, clock):
    return clock_of(talk.branch).at(clock.now_ms)


def test_branch_time_stands_still_while_a_branch_is_left(talk, clock):
    one = talk.says("one")
    main = talk.branch
    clock.passes(1_000)
    before = branch_ms(talk, clock)
    branch_fork(talk.access, one.id, "other")
    clock.passes(50_000)
    branch_select(talk.access, main.id)
    assert branch_ms(talk, clock) == before
    clock.passes(500)
    assert branch_ms(talk, clock) == before + 500
    two = talk.says("two")
    assert two.branch_ms == before + 500


def test_a_rollback_brings_back_the_time_at_which_the_turn_ended(talk, clock):
    one = talk.says("one")
    ended = branch_ms(talk, clock)
    clock.passes(10_000)
    talk.says("two")
    clock.passes(10_000)
    branch_roll_back(talk.access, one.id)
    assert branch_ms(talk, clock) == ended
    clock.passes(300)
    assert talk.says("three").branch_ms == ended + 300


def test_a_fork_of_the_newest_turn_goes_on_with_the_present_time(talk, clock):
    one = talk.says("one")
    clock.passes(7_000)
    before = branch_ms(talk, clock)
    branch_fork(talk.access, one.id, "other")
    assert branch_ms(talk, clock) == before


def test_an_edit_is_asked_at_the_time_at_which_the_turn_before_ended(talk, clock):
    one = talk.says("one")
    ended = branch_ms(talk, clock)
    clock.passes(5_000)
    two = talk.says("two")
    clock.passes(90_000)
    assert talk.edits(two, "zwei").branch_ms == ended
    assert one.branch_ms <= ended


def test_a_branch_that_is_left_while_its_answer_is_written_stands_still(talk, clock):
    talk.says("one")
    main = talk.branch
    other = branch_fork(talk.access, main.tip_id, "other")
    branch_select(talk.access, main.id)
    running = accept(talk.access, "two", talk.process).turn_id
    clock.passes(1_000)
    left = branch_ms(talk, clock)
    branch_select(talk.access, other.branch_id)
    clock.passes(20_000)
    commit(running, "late", talk.process)
    branch_select(talk.access, main.id)
    assert branch_ms(talk, clock) == left


def test_time_away_does_not_count_for_who_comes_back_while_the_answer_is_written(talk, clock):
    talk.says("one")
    main = talk.branch
    other = branch_fork(talk.access, main.tip_id, "other")
    branch_select(talk.access, main.id)
    running = accept(talk.access, "two", talk.process).turn_id
    clock.passes(1_000)
    left = branch_ms(talk, clock)
    branch_select(talk.access, other.branch_id)
    clock.passes(20_000)
    branch_select(talk.access, main.id)
    commit(running, "late", talk.process)
    assert branch_ms(talk, clock) == left


def test_time_goes_on_on_a_branch_where_somebody_speaks_whatever_was_chosen(talk, clock):
    one = talk.says("one")
    main = talk.branch
    branch_fork(talk.access, one.id, "other")
    clock.passes(20_000)
    here = Talk(conversation_for_page(talk, main))
    two = here.says("two")
    clock.passes(300)
    assert branch_ms(here, clock) == two.branch_ms + 300


def test_an_answer_that_breaks_off_after_a_rollback_leaves_the_time_as_it_was(talk, clock):
    one = talk.says("one")
    ended = branch_ms(talk, clock)
    talk.says("two")
    clock.passes(50_000)
    branch_roll_back(talk.access, one.id)
    running = accept(talk.access, "three", talk.process).turn_id
    turn_interrupt(running, owner=talk.process)
    clock.passes(700)
    assert branch_ms(talk, clock) == ended + 700


HOUR_MS = 3_600_000


@pytest.mark.parametrize("kind", ["time", "idle"])
def test_a_field_for_an_hour_keeps_what_is_left_of_it_while_its_branch_is_left(talk, clock, kind):
    one = talk.says("one")
    main = talk.branch
    field_set(talk.access, FieldSet("city", "Пермь", Expiry(kind, HOUR_MS)))

    def is_planned():
        draft = CoreMessage("draft", "user", "And now?", clock.now_ms)
        shown = viewed_branch(talk.access)
        ids = (talk.access.conversation.id, shown.id, draft)
        state = read_draft(*ids, model=MODEL, keys_of=keys_of).state
        (field,) = state.memory.fields
        return status_of(field, state.branch_now_ms, state.last_turn_ms) == "live"

    clock.passes(HOUR_MS - 1_000)
    assert is_planned()
    other = branch_fork(talk.access, one.id, "other")
    clock.passes(500)
    assert is_planned()
    branch_select(talk.access, main.id)
    clock.passes(500)
    branch_select(talk.access, other.branch_id)
    clock.passes(300)
    assert is_planned()
    clock.passes(300)
    assert not is_planned()
    branch_select(talk.access, main.id)
    assert is_planned()
    clock.passes(600)
    assert not is_planned()


def conversation_for_page(talk, branch):
    return replace(talk.access, branch_id=branch.id)


def test_a_retry_after_a_rollback_keeps_what_was_rolled_back(talk):
    one = talk.says("one")
    broken = accept(talk.access, "two", talk.process).turn_id
    turn_interrupt(broken, owner=talk.process)
    two = talk.says("two, again")
    branch_roll_back(talk.access, one.id)

    retried = turn_retry(talk.access, broken, owner=talk.process, model_name=MODEL.name)

    assert retried == Accepted(broken)
    kept = Branch.objects.get(origin="rollback")
    assert (kept.tip_id, kept.parent_turn_id) == (two.id, one.id)
    assert talk.branch.redo_tip_id is None
    assert talk.is_sound()


def test_an_edit_of_what_broke_off_goes_aside_where_its_branch_is_busy_or_put_away(talk):
    one = talk.says("one")
    branch_fork(talk.access, one.id, "other")
    fork = talk.branch
    broken = Turn.objects.get(
        pk=turn_accept(talk.access, talk.new("two", fork), owner=talk.process).turn_id
    )
    turn_interrupt(broken.id, owner=talk.process)
    branch_archive(talk.access, fork.id, archived=True)

    edited = talk.edits(broken, "zwei")

    assert edited.parent_id == one.id
    assert edited.branch_id not in {fork.id, talk.branch.left_branch_id}
    assert talk.is_sound()


def test_an_alternative_below_which_forks_are_as_deep_as_they_may_be_gets_no_name(talk):
    one = talk.says("one")
    talk.edits(one, "uno")
    alternative = talk.branch
    for name in ("a", "b", "c"):
        assert isinstance(branch_fork(talk.access, talk.branch.tip_id, name), Forked)
    assert branch_name(talk.access, alternative.id, "too deep") == DepthReached(3)


def test_every_act_says_in_the_log_what_it_was_about(talk):
    one = talk.says("one")
    branch_fork(talk.access, one.id, "秘密")
    rows = Transition.objects.filter(kind="branch_forked").prefetch_related("payloads")
    (payload,) = rows[0].payloads.all()
    assert "秘密".encode() not in bytes(payload.body)
    told = json.loads(open_payload(payload, talk.access.keys))
    assert told["name"] == "秘密"
    assert told["turn"] == str(one.id)


def test_a_fork_costs_the_same_however_long_the_conversation_is(talk):
    def queries(turn):
        with CaptureQueriesContext(connection) as found:
            branch_fork(Access(talk.access.owner, talk.access.conversation), turn.id, "x")
        branch_select(talk.access, Branch.objects.get(origin="main").id)
        return len(found)

    one = talk.says("one")
    # The first choice of a person is inserted, the next ones are updated.
    queries(one)
    few = queries(one)
    for number in range(30):
        last = talk.says(f"more {number}")
    assert queries(last) == few


def test_say_and_typed_still_speak_on_the_main_line(talk):
    say(talk.access, "one", "two", talk.process)
    assert typed(talk.access, "x").branch_id == talk.branch.id
