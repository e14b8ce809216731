"""The fixed cast: an owner, and a stranger who must see nothing."""

from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User

from chatapp import keyring
from chatapp.access import Access, Owner, conversation_for, owner_of
from chatapp.ids import new_id
from chatapp.models import Branch
from chatapp.services import planning, windows
from chatapp.services.attempts import Prepared, attempt_prepare
from chatapp.services.commits import Answer, Measured, turn_commit
from chatapp.services.conversations import conversation_create
from chatapp.services.outcomes import Accepted
from chatapp.services.turns import NewInput, turn_accept
from chatapp.store import attempts, processes
from statecore.models import ModelSpec

MODEL = ModelSpec(
    name="scripted",
    endpoint="http://127.0.0.1:9/v1",
    remote_name="scripted",
    window_tokens=4_000,
    reply_reserve_tokens=500,
    tokenizer="o200k_base",
)


@dataclass(frozen=True)
class Cast:
    """Two people and a conversation of the first."""

    alice: User
    mallory: User
    owner: Owner
    access: Access


@pytest.fixture
def cast(db) -> Cast:
    """Return the cast with an empty conversation."""
    return make_cast()


def make_cast() -> Cast:
    """Store the cast with an empty conversation."""
    alice = User.objects.create_user("alice", password="correct horse")
    mallory = User.objects.create_user("mallory", password="battery staple")
    owner = owner_of(alice)
    conversation = conversation_create(owner, model_name=MODEL.name)
    return Cast(alice, mallory, owner, conversation_for(alice, conversation.id))


def new_process() -> object:
    """Return the id of a process with a fresh lease."""
    process_id = new_id()
    processes.register(process_id, kind="web", host="test", pid=1)
    return process_id


def branch_of(access: Access) -> Branch:
    """Return the main branch as it is now."""
    return Branch.objects.get(conversation=access.conversation, origin="main")


def typed(access: Access, text: str, key: str = "") -> NewInput:
    """Return an input typed on the branch as it is now."""
    branch = branch_of(access)
    return NewInput(text, key or new_id().hex, branch.id, branch.version, MODEL.name)


def accept(access: Access, text: str, process_id, key: str = "") -> Accepted:
    """Accept an input that must be accepted."""
    outcome = turn_accept(access, typed(access, text, key), owner=process_id)
    assert isinstance(outcome, Accepted)
    return outcome


def prepare(turn_id, process_id, model: ModelSpec = MODEL) -> Prepared:
    """Prepare an attempt that must fit."""
    prepared = attempt_prepare(turn_id, owner=process_id, model=model, fresh={})
    assert isinstance(prepared, Prepared)
    return prepared


def answered(text: str, finish: str = "complete") -> Answer:
    """Return an answer as a provider would have measured it."""
    return Answer(text, finish, Measured(120, 40, None, 7, "reported"))


def say(access: Access, text: str, answer: str, process_id, model: ModelSpec = MODEL):
    """Take one whole turn and return its id."""
    turn_id = accept(access, text, process_id).turn_id
    prepared = prepare(turn_id, process_id, model)
    assert turn_commit(
        turn_id, prepared.attempt_id, answered(answer), owner=process_id, model=model
    )
    return turn_id


@pytest.fixture(autouse=True)
def fresh_caches():
    """Forget what an earlier test's database held."""
    keyring.clear()
    attempts._known_snapshots.clear()
    planning._known.clear()
    windows.forget()
