"""Lists of messages as the OpenAI chat API takes them, older forms of it too -> messages."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    Field,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from statecore.errors import InvalidInput, first_fault
from statecore.formats.parts import text_of, whole
from statecore.formats.transcript import Transcript
from statecore.messages import Message, Role, ToolCall
from statecore.requests import ToolDefinition

_ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
"""developer is the newer name of system, function the older one of tool."""


def _flat(call: Any) -> Any:  # noqa: ANN401  # checked by what it becomes
    """Return a tool or a call of one with what lies under `function` beside the rest."""
    function = call.get("function") if isinstance(call, dict) else None
    return {**call, **function} if isinstance(function, dict) else call


def _arguments(value: Any) -> Any:  # noqa: ANN401  # checked by what it becomes
    """Return arguments as JSON text; some servers give the object itself."""
    if value is None:
        return "{}"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


Text = Annotated[str, BeforeValidator(text_of)]
Arguments = Annotated[str, BeforeValidator(_arguments)]


class _Function(BaseModel):
    name: str = Field(min_length=1)
    arguments: Arguments = "{}"


class _Call(_Function):
    id: str = Field(min_length=1)


class _Entry(BaseModel):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    text: Text = Field(default="", validation_alias=AliasChoices("content", "text"))
    refusal: str | None = None
    """What the model said instead of a content."""
    tool_calls: list[Annotated[_Call, BeforeValidator(_flat)]] | None = None
    tool_call_id: str | None = None
    function_call: _Function | None = None
    """The older form of a single call, which has no id."""
    name: str | None = None

    @field_validator("tool_calls", "function_call")
    @classmethod
    def _only_from_the_model(cls, value: object, info: ValidationInfo) -> object:
        role = info.data.get("role", "assistant")
        if value and role != "assistant":
            raise ValueError(f"a {role} message calls no tools")
        return value


class _Tool(BaseModel):
    name: str = Field(min_length=1)
    description: str = ""
    parameters: dict[str, Any] = {}


_Read = TypeVar("_Read")

_ENTRIES = TypeAdapter(list[_Entry])
_TOOLS = TypeAdapter(list[Annotated[_Tool, BeforeValidator(_flat)]])
_LIMIT = TypeAdapter(Annotated[int, Field(gt=0)])
_LIMITS = ("max_completion_tokens", "max_tokens")


def transcript_of(document: Mapping[str, Any]) -> Transcript:
    """Return what the body of a request holds; settings of the model are not looked at.

    Raises:
        InvalidInput: naming the first place that is wrong, and why.
    """
    tools = document.get("tools") or document.get("functions") or []
    given = [name for name in _LIMITS if document.get(name) is not None]
    reply_tokens = _read(_LIMIT, document[given[0]], inside=given[0]) if given else None
    return Transcript(
        messages=messages_of(document.get("messages")),
        tools=tools_of(tools),
        reply_tokens=reply_tokens,
    )


def messages_of(data: object) -> tuple[Message, ...]:
    """Return the messages of a list; their ids are their numbers, from `m1`.

    Raises:
        InvalidInput: naming the first entry that is not a message, and why.
    """
    entries = _read(_ENTRIES, data, inside="messages")
    answers = _answers(entries)
    messages = (
        _message(entry, number, answers.get(number))
        for number, entry in enumerate(entries, start=1)
    )
    return tuple(_with_own_ids(messages))


def tools_of(data: object) -> tuple[ToolDefinition, ...]:
    """Return the tools of a list of definitions.

    Raises:
        InvalidInput: naming the first entry that is not a tool, and why.
    """
    return tuple(
        ToolDefinition(whole(tool.name), whole(tool.description), whole(_compact(tool.parameters)))
        for tool in _read(_TOOLS, data, inside="tools")
    )


def _read(form: TypeAdapter[_Read], data: object, *, inside: str) -> _Read:
    try:
        return form.validate_python(data)
    except ValidationError as error:
        raise InvalidInput(first_fault(error.errors(), inside=inside)) from None


def _compact(parameters: Mapping[str, Any]) -> str:
    return json.dumps(parameters, ensure_ascii=False, separators=(",", ":"))


def _message(entry: _Entry, number: int, answers: str | None) -> Message:
    calls = [
        ToolCall(whole(call.id), whole(call.name), whole(call.arguments))
        for call in entry.tool_calls or ()
    ]
    if entry.function_call is not None:
        call = entry.function_call
        calls.append(ToolCall(_call_id(number), whole(call.name), whole(call.arguments)))
    tool_call_id = answers if entry.tool_call_id is None else whole(entry.tool_call_id)
    if _ROLES[entry.role] != "tool":
        tool_call_id = None
    return Message(
        id=f"m{number}",
        role=_ROLES[entry.role],
        text=entry.text or whole(entry.refusal or ""),
        created_ms=0,
        tool_calls=tuple(calls),
        tool_call_id=tool_call_id,
    )


def _with_own_ids(messages: Iterable[Message]) -> Iterator[Message]:
    """Yield messages in which no two calls of one message share an id; results follow in order."""
    waiting: dict[str, list[str]] = {}
    for message in messages:
        if message.tool_calls:
            given = [call.id for call in message.tool_calls]
            own = list(_apart(given))
            waiting |= {
                id_: [new for old, new in zip(given, own, strict=True) if old == id_]
                for id_ in given
            }
            calls = zip(message.tool_calls, own, strict=True)
            yield replace(message, tool_calls=tuple(replace(call, id=new) for call, new in calls))
        elif message.role == "tool" and (ids := waiting.get(message.tool_call_id or "")):
            yield replace(message, tool_call_id=ids.pop(0))
        else:
            yield message


def _apart(ids: Sequence[str]) -> Iterator[str]:
    used = set(ids)
    seen: set[str] = set()
    for id_ in ids:
        own, number = id_, 1
        while own in seen or (own != id_ and own in used):
            number += 1
            own = f"{id_}_{number}"
        seen.add(own)
        yield own


def _call_id(number: int) -> str:
    return f"call_m{number}"


def _answers(entries: Sequence[_Entry]) -> dict[int, str]:
    """Return the id of the call that each result of the older form answers, by its number."""
    open_calls: dict[str, list[str]] = {}
    answers: dict[int, str] = {}
    for number, entry in enumerate(entries, start=1):
        if entry.function_call is not None:
            open_calls.setdefault(entry.function_call.name, []).append(_call_id(number))
        elif entry.role == "function" and open_calls.get(entry.name or ""):
            answers[number] = open_calls[entry.name or ""].pop(0)
    return answers
