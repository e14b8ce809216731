"""What a file gives to a plan."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from statecore.context.state import PathTurn, State
from statecore.errors import InvalidInput
from statecore.explain.learning import learned
from statecore.explain.options import FileModel
from statecore.formats.transcript import Transcript
from statecore.messages import Message
from statecore.tokens import Counts


@dataclass(frozen=True, slots=True)
class Given:
    """The state that is planned from, and what people should know about it."""

    state: State
    model: FileModel = FileModel()  # noqa: RUF009  # immutable
    counts: Counts = field(default_factory=dict)
    """The exact counts that the file brings."""
    system_ids: tuple[str, ...] = ()
    """Ids of the messages that the system prompt is made of, where they are several."""
    notes: tuple[str, ...] = ()
    """What was chosen or left out before planning, each in one sentence."""


def from_transcript(transcript: Transcript) -> Given:
    """Return what a list of messages gives: the plan is for its last user message.

    Raises:
        InvalidInput: when there is no user message.
    """
    messages = transcript.messages
    opening = [index for index, message in enumerate(messages) if message.role == "user"]
    if not opening:
        raise InvalidInput("messages: there is no user message to plan for")
    asked = messages[opening[-1]]
    before = messages[: opening[-1]]
    system = [message for message in before if message.role == "system"]
    turns = _turns([message for message in before if message.role != "system"])
    state = State(
        system=_joined(system),
        turns=turns,
        input=asked,
        memory=learned(turns),
        branch_now_ms=asked.created_ms,
        last_turn_ms=turns[-1].messages[-1].created_ms if turns else 0,
        tools=transcript.tools,
    )
    return Given(
        state=state,
        model=FileModel(reserve_tokens=transcript.reply_tokens),
        system_ids=tuple(message.id for message in system),
        notes=(*_of_place(transcript), *after_the_input(asked, len(messages) - opening[-1] - 1)),
    )


def after_the_input(asked: Message, messages_after: int) -> tuple[str, ...]:
    """Return the sentence that says what was not looked at, if anything was."""
    if not messages_after:
        return ()
    return (
        f"planned for {asked.id}, the last user message; {messages_after} after it not looked at",
    )


def _of_place(transcript: Transcript) -> tuple[str, ...]:
    return (f"{transcript.place}: {transcript.title}",) if transcript.place else ()


def _joined(system: Sequence[Message]) -> Message | None:
    """Return one system message: instructions that came later hold beside the first ones."""
    if not system:
        return None
    texts = (message.text for message in system if message.text.strip())
    return replace(system[0], text="\n\n".join(texts)) if len(system) > 1 else system[0]


def _turns(messages: Sequence[Message]) -> tuple[PathTurn, ...]:
    turns: list[list[Message]] = []
    for message in messages:
        if message.role == "user" or not turns:
            turns.append([])
        turns[-1].append(message)
    return tuple(
        PathTurn(f"t{depth}", depth, tuple(turn)) for depth, turn in enumerate(turns, start=1)
    )
