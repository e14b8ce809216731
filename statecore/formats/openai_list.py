"""Lists of messages as the OpenAI chat API takes them -> messages."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError

from statecore.errors import InvalidInput
from statecore.messages import Message, Role, ToolCall


def _text(content: Any) -> Any:  # noqa: ANN401  # checked by what it becomes
    """Return the text of a content, which may be null or a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return "" if content is None else content


def _flat(call: Any) -> Any:  # noqa: ANN401  # checked by what it becomes
    """Return a tool call with its name and arguments beside its id."""
    function = call.get("function") if isinstance(call, dict) else None
    return {"id": call.get("id"), **function} if isinstance(function, dict) else call


class _Call(BaseModel):
    id: str
    name: str
    arguments: str = "{}"


class _Entry(BaseModel):
    role: Role
    text: Annotated[str, BeforeValidator(_text)] = Field(
        default="", validation_alias=AliasChoices("text", "content")
    )
    tool_calls: list[Annotated[_Call, BeforeValidator(_flat)]] | None = None
    tool_call_id: str | None = None


_ENTRIES = TypeAdapter(list[_Entry])


def messages_of(data: object) -> tuple[Message, ...]:
    """Return the messages of a list; their ids are their numbers, from `m1`.

    Raises:
        InvalidInput: naming the first entry that is not a message, and why.
    """
    try:
        entries = _ENTRIES.validate_python(data)
    except ValidationError as error:
        raise InvalidInput(f"messages: {first_error(error.errors())}") from None
    return tuple(_message(entry, number) for number, entry in enumerate(entries, start=1))


def _message(entry: _Entry, number: int) -> Message:
    calls = tuple(ToolCall(call.id, call.name, call.arguments) for call in entry.tool_calls or ())
    return Message(
        id=f"m{number}",
        role=entry.role,
        text=entry.text,
        created_ms=0,
        tool_calls=calls,
        tool_call_id=entry.tool_call_id,
    )


def first_error(errors: Sequence[Any]) -> str:
    """Return where the first of some validation errors lies, and what it is, in one sentence."""
    place = ".".join(str(part + 1) if isinstance(part, int) else part for part in errors[0]["loc"])
    said = str(errors[0]["msg"])
    return f"{place}: {said[:1].lower()}{said[1:]}" if place else said
