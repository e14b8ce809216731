"""Plays what people did beside talking: on memory, on the tree, and what answers were worth."""

import json
from typing import Final
from uuid import UUID

from chatapp.models import Branch
from chatapp.runtime.playing.session import NotPlayable, Session
from chatapp.services.acts import KINDS, act
from chatapp.services.branching import (
    branch_archive,
    branch_fork,
    branch_name,
    branch_redo,
    branch_roll_back,
    branch_select,
)
from chatapp.services.feedback import feedback_give
from chatapp.services.learning import learning_repeat
from chatapp.store.transcripts import Step
from statecore.contract.renaming import renamed_action, renamed_delta
from statecore.state.codec import decode_delta, decode_operation

ON_MEMORY: Final = frozenset(KINDS.values())
ON_TREE: Final = frozenset(
    {
        "branch_forked",
        "branch_selected",
        "branch_named",
        "branch_rolled_back",
        "branch_redone",
        "branch_archived",
        "branch_restored",
    }
)


def learn(session: Session, step: Step) -> None:
    """Write what a turn taught: the answer of the memory model is in it."""
    delta = renamed_delta(decode_delta(step.parts["output"]), session.names())
    learning_repeat(session.new().conversation.id, delta, session.keys)


def on_memory(session: Session, step: Step) -> None:
    """Do again what a person did to memory, where they did it."""
    operation = decode_operation(step.parts["input"])
    action = renamed_action(operation.action, session.names())
    tip = None if operation.turn_id is None else session.turn(operation.turn_id)
    place = Branch.objects.filter(conversation=session.new().conversation, tip=tip).first()
    if place is None:
        raise NotPlayable(f"transition {step.seq}: no branch ends where it was done")
    act(session.new(str(place.id)), lambda _: action)


def on_tree(session: Session, step: Step) -> None:
    """Do an act on the tree again."""
    told = json.loads(step.text("input") or "{}")
    branch = session.branches.get(told.get("branch") or "", "")
    match step.kind:
        case "branch_forked":
            tip = None if told.get("turn") is None else session.turn(told["turn"])
            branch_fork(session.viewing(told["left_branch"]), tip, told["name"])
        case "branch_selected":
            branch_select(session.new(), UUID(branch))
        case "branch_named":
            branch_name(session.new(), UUID(branch), told["name"])
        case "branch_rolled_back":
            branch_roll_back(session.new(branch), session.turn(told["turn"]))
        case "branch_redone":
            branch_redo(session.new(branch))
        case _:
            archived = step.kind == "branch_archived"
            branch_archive(session.new(), UUID(branch), archived=archived)


def judge(session: Session, step: Step) -> None:
    """Give a thumb again."""
    told = json.loads(step.text("input"))
    feedback_give(session.new(), session.turn(told["turn"]), told["thumb"])
