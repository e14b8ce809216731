"""Labels turns again: what memory lacks becomes additions; a delta itself is never replaced."""

from collections.abc import Sequence
from uuid import UUID

from chatapp.access import Access
from chatapp.models import Turn
from chatapp.services.acts import Here, NoChange, act_all
from chatapp.services.outcomes import Missing, Relabelled
from chatapp.store.memory import read_memory
from chatapp.store.said import texts_of
from chatapp.wiring import label_prompt
from statecore.memory.labels import CheckedLabels, LabelQuestion
from statecore.state.fold import Memory
from statecore.state.learning import TurnTexts, delta_of, question_for
from statecore.state.operations import Action, Add, Learned


def label_question(access: Access, turn_id: UUID) -> LabelQuestion | None:
    """Return what a memory model is asked about a turn again; None when nothing."""
    turn = _turn(access, turn_id)
    if turn is None:
        return None
    conversation, keys = turn.conversation, access.keys
    memory = read_memory(conversation.id, turn.parent_id, keys, as_of=conversation.last_seq)
    (texts,) = texts_of([turn_id], keys)
    return question_for(texts, memory, label_prompt())


def memory_label_again(
    access: Access, turn_id: UUID, checked: CheckedLabels | None
) -> Relabelled | NoChange:
    """Add what a new labelling of a turn finds and memory lacks; what was deleted stays deleted.

    Args:
        access: the conversation.
        turn_id: a turn of the path that is learned; one that waits is the worker's.
        checked: what counts of the model's answer; None when rules alone decide.
    """
    turn = _turn(access, turn_id)
    if turn is None:
        return Missing()
    (texts,) = texts_of([turn_id], access.keys)

    def chosen(here: Here) -> Sequence[Action] | NoChange:
        if not here.memory.is_learned(texts.turn_id, texts.depth):
            return Missing()
        return _additions(texts, here.memory, checked)

    done = act_all(access, chosen)
    return Relabelled(done) if isinstance(done, tuple) else done


def _turn(access: Access, turn_id: UUID) -> Turn | None:
    turns = Turn.objects.select_related("conversation")
    return turns.filter(
        pk=turn_id, conversation=access.conversation, status=Turn.Status.COMMITTED
    ).first()


def _additions(texts: TurnTexts, memory: Memory, checked: CheckedLabels | None) -> list[Action]:
    again = delta_of(texts, memory, checked, seq=memory.as_of + 1, model="", note="")
    return [
        Add(
            kind=learned.kind,
            text=learned.text,
            span=learned.span,
            author=learned.author,
            said_seq=texts.said_seq,
            depth=texts.depth,
        )
        for learned in again.learned
        if not _knows(memory, learned)
    ]


def _knows(memory: Memory, learned: Learned) -> bool:
    return any(
        learned.span.overlaps(source) for entry in memory.entries for source in entry.sources
    )
