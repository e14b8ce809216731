"""Repairs: what every provider demands of a history, done to the view and never to the messages.

A repair looks at one turn only, so that it never changes what an earlier request has sent.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace

from statecore.context.segments import Piece, Reason
from statecore.context.state import PathTurn
from statecore.messages import Message
from statecore.requests import RequestMessage
from statecore.templates import Template, TemplatePart

_LEFT_OUT: frozenset[Reason] = frozenset(
    {"tool_result_orphan", "tool_result_duplicate", "system_not_leading"}
)


def verbatim(message: Message) -> RequestMessage:
    """Return the message as it is sent when nothing has to be changed."""
    return RequestMessage(message.role, message.text, message.tool_calls, message.tool_call_id)


def repaired(turn: PathTurn, template: Template) -> Iterator[Piece]:
    """Yield the pieces of a turn in the order of the wire, those left out among them.

    The results of tool calls directly follow their calls, in the order of the calls.
    """
    results = _results_by_call(turn)
    used = frozenset(results.values())
    called: set[str] = set()
    needs_answer = False
    for position, message in enumerate(turn.messages):
        if message.role == "tool" and position in used:
            continue
        if left_out := _why_left_out(message, called):
            yield _own(message, turn.depth, left_out)
            continue
        if message.role == "user" and needs_answer:
            yield _answer_missing(turn, template)
        yield _text_or_stand_in(message, turn.depth, template)
        for number, call in enumerate(message.tool_calls):
            found = results.get((position, number))
            yield (
                _cancelled(message, call.id, turn.depth, template)
                if found is None
                else _own(turn.messages[found], turn.depth, "full_history")
            )
        called.update(call.id for call in message.tool_calls)
        needs_answer = message.role == "user" or bool(message.tool_calls)
    if needs_answer:
        yield _answer_missing(turn, template)


def _results_by_call(turn: PathTurn) -> dict[tuple[int, int], int]:
    """Return the position of the result for each (position of the caller, number of the call).

    Calls of one message that share an id are answered in their order.
    """
    waiting: dict[str, list[tuple[int, int]]] = {}
    results: dict[tuple[int, int], int] = {}
    for position, message in enumerate(turn.messages):
        calls = enumerate(message.tool_calls)
        asked = [(call.id, (position, number)) for number, call in calls]
        waiting |= {id_: [place for other, place in asked if other == id_] for id_, _ in asked}
        if message.role == "tool" and (open_calls := waiting.get(message.tool_call_id or "")):
            results[open_calls.pop(0)] = position
    return results


def _why_left_out(message: Message, called: AbstractSet[str]) -> Reason | None:
    if message.role == "system":
        return "system_not_leading"
    if message.role != "tool":
        return None
    return "tool_result_duplicate" if message.tool_call_id in called else "tool_result_orphan"


def _own(message: Message, depth: int, reason: Reason) -> Piece:
    return Piece(
        kind="message",
        content=verbatim(message),
        source_ids=(message.id,),
        depth=depth,
        decision="dropped" if reason in _LEFT_OUT else "kept",
        reason=reason,
        count_id=message.id,
        verbatim=True,
    )


def _text_or_stand_in(message: Message, depth: int, template: Template) -> Piece:
    if message.role != "assistant" or message.tool_calls or message.text.strip():
        return _own(message, depth, "full_history")
    if message.finish == "stopped":
        stand_in = _stand_in(depth, template, "stopped_empty", "stopped_without_text")
    else:
        stand_in = _stand_in(depth, template, "no_text", "no_text_returned")
    return replace(stand_in, source_ids=(message.id,))


def _stand_in(depth: int, template: Template, part: TemplatePart, reason: Reason) -> Piece:
    return Piece(
        kind="message",
        content=RequestMessage("assistant", str(getattr(template, part))),
        source_ids=(),
        depth=depth,
        decision="injected",
        reason=reason,
        count_id=template.count_id(part),
    )


def _answer_missing(turn: PathTurn, template: Template) -> Piece:
    return _stand_in(turn.depth, template, "stopped_empty", "answer_missing")


def _cancelled(caller: Message, call_id: str, depth: int, template: Template) -> Piece:
    stand_in = _stand_in(depth, template, "cancelled_tool", "tool_result_missing")
    content = RequestMessage("tool", template.cancelled_tool, tool_call_id=call_id)
    return replace(stand_in, content=content, source_ids=(caller.id,))
