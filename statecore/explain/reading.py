"""Reads a file, whichever of the known formats it has."""

import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from statecore.context.from_contract import state_of
from statecore.contract.document import parse, version_of
from statecore.errors import InvalidInput, first_fault
from statecore.explain.given import Given, after_the_input, from_transcript
from statecore.explain.options import FileModel
from statecore.formats import chatgpt, openai_list
from statecore.formats.transcript import Transcript
from statecore.models import RoleStyle
from statecore.tokens import Count, CountKey

UNKNOWN = (
    "this is neither a state of a conversation (schema_version), nor a list of messages "
    "(messages), nor an export of ChatGPT (mapping)"
)

Tokens = Annotated[int, Field(ge=0)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")

    window_tokens: int = Field(gt=0)
    reply_reserve_tokens: int = Field(gt=0)
    name: str = "model"
    tokenizer: str = "none"
    role_style: RoleStyle = "system"

    def of_file(self) -> FileModel:
        return FileModel(
            window_tokens=self.window_tokens,
            reserve_tokens=self.reply_reserve_tokens,
            name=self.name,
            tokenizer=self.tokenizer,
            role_style=self.role_style,
        )


class _Case(BaseModel):
    """Messages with the model and the counts to plan with."""

    model_config = ConfigDict(extra="forbid")

    messages: list[Any]
    tools: list[Any] = []
    model: _Model
    counts: list[Tokens | None] = []
    """Tokens of each message, in the same order; null where they are not known."""


def given_by(text: str, conversation: str | None = None) -> Given:
    """Return what the text of a file gives to a plan.

    Args:
        text: of the whole file.
        conversation: number or id of the conversation of an export; None takes the newest.

    Raises:
        InvalidInput: when it is of no known format, or naming the first place that is wrong.
    """
    document = _document(text)
    if chatgpt.is_export(document):
        return from_transcript(chatgpt.transcript_of(document, conversation))
    if conversation is not None:
        raise InvalidInput("only an export of ChatGPT has conversations to choose from")
    if isinstance(document, list):
        return from_transcript(Transcript(openai_list.messages_of(document)))
    if version_of(document) is not None:
        return _from_contract(text)
    if not isinstance(document, dict) or "messages" not in document:
        raise InvalidInput(UNKNOWN)
    if isinstance(document.get("model"), dict) or "counts" in document:
        return _from_case(document)
    return from_transcript(openai_list.transcript_of(document))


def _document(text: str) -> Any:  # noqa: ANN401  # outside data
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        said = error.msg[:1].lower() + error.msg[1:]
        place = f"line {error.lineno}, column {error.colno}"
        raise InvalidInput(f"not JSON: {place}: {said}") from None
    except RecursionError:
        raise InvalidInput("not JSON that can be read: it is nested too deeply") from None
    except ValueError as error:
        # A number of more digits than Python converts.
        raise InvalidInput(f"not JSON that can be read: {error}") from None


def _from_contract(text: str) -> Given:
    contract = parse(text)
    state = state_of(contract)
    asked = contract.turns[-1].said()
    # Whoever exports a conversation wants to see it for the model that it was had with.
    windows = [attempt.window_tokens for attempt in contract.request_meta.attempts]
    model = FileModel(window_tokens=next(filter(None, reversed(windows)), None))
    return Given(state, model, notes=after_the_input(state.input, len(asked) - 1))


def _from_case(document: dict[str, Any]) -> Given:
    try:
        case = _Case.model_validate(document)
    except ValidationError as error:
        raise InvalidInput(first_fault(error.errors())) from None
    messages = openai_list.messages_of(case.messages)
    if len(case.counts) > len(messages):
        raise InvalidInput(f"counts: {len(case.counts)} counts for {len(messages)} messages")
    given = from_transcript(Transcript(messages, openai_list.tools_of(case.tools)))
    counts = {
        CountKey(message.id, case.model.tokenizer): Count(tokens, "exact")
        for message, tokens in zip(messages, case.counts, strict=False)
        if tokens is not None
    }
    return Given(given.state, case.model.of_file(), counts, given.system_ids, given.notes)
