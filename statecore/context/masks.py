"""Masks: what a person deleted from memory is in no later request, and the messages stay whole.

The sentence itself is replaced in the view of its message; its words and its exact values are
replaced in what assistants and tools said after it as well.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from statecore.context.echoes import Echo, echo_of, echo_spans, holds_echo
from statecore.context.segments import Piece
from statecore.language.mentions import Span as Place
from statecore.memory.ledger import Span
from statecore.memory.summary import is_live
from statecore.messages import Message, ToolCall, counted_text
from statecore.requests import RequestMessage
from statecore.state.fold import Memory

_ECHOING = frozenset({"assistant", "tool"})


class _Said(NamedTuple):
    """A statement that was said before a message, and whether the message answers it."""

    echo: Echo
    answers_it: bool


@dataclass(frozen=True, slots=True)
class Masks:
    """What is to be replaced in the view."""

    spans: Mapping[str, tuple[Span, ...]]
    """Removed stretches by message id, from the last to the first, apart from each other."""
    echoes: tuple[Echo, ...]
    """Removed statements, and how they are known again."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was removed."""
        return not self.spans and not self.echoes

    def holds_removed(self, text: str) -> bool:
        """Return whether a text has a removed sentence or one of its values in it."""
        return any(holds_echo(echo, text) for echo in self.echoes)

    def touches(self, span: Span) -> bool:
        """Return whether a stretch of a message was removed."""
        return any(span.overlaps(removed) for removed in self.spans.get(span.message_id, ()))


def masks_of(memory: Memory) -> Masks:
    """Return what is to be replaced; words that a live entry still holds are not."""
    spans: defaultdict[str, set[Span]] = defaultdict(set)
    said_in: defaultdict[str, set[str]] = defaultdict(set)
    for removed in memory.removed:
        for span in removed.sources:
            spans[span.message_id].add(span)
        for text in (removed.text, *removed.quotes):
            said_in[text].update(span.message_id for span in removed.sources)
    live = [entry.text for entry in memory.entries if is_live(entry)]
    return Masks(
        spans={id_: _apart(found) for id_, found in spans.items()},
        echoes=tuple(echo_of(text, said_in[text], live) for text in sorted(said_in) if text),
    )


def _apart(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return stretches that share characters as one, from the last to the first."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = joined[-1]._replace(end=max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(reversed(joined))


def masked(
    turns: Iterable[Iterable[Piece]], masks: Masks, stand_in: str
) -> tuple[tuple[Piece, ...], ...]:
    """Return the pieces of turns without what was removed.

    Args:
        turns: pieces of each turn, oldest first.
        masks: what is to be replaced.
        stand_in: stands for it.
    """
    found = [tuple(turn) for turn in turns]
    if masks.is_empty:
        return tuple(found)
    waiting = {piece.source_ids[0] for turn in found for piece in turn if piece.verbatim}
    view = []
    for turn in found:
        pieces = []
        here = {id_ for piece in turn for id_ in piece.source_ids}
        for piece in turn:
            # Words count as said once their message has passed; at once if that is not here.
            said = [
                _Said(echo, not here.isdisjoint(echo.said_in))
                for echo in masks.echoes
                if not (echo.said_in and echo.said_in <= waiting)
            ]
            pieces.append(_piece(piece, masks, said, stand_in))
            waiting.difference_update(piece.source_ids)
        view.append(tuple(pieces))
    return tuple(view)


def _piece(piece: Piece, masks: Masks, said: list[_Said], stand_in: str) -> Piece:
    if not piece.verbatim or piece.decision == "dropped":
        return piece
    content = piece.content
    text = _without_spans(content.text, masks.spans.get(piece.source_ids[0], ()), stand_in)
    calls = content.tool_calls
    if content.role in _ECHOING:
        text = _without(text, said, stand_in)
        calls = tuple(_call(call, said, stand_in) for call in calls)
    if text == content.text and calls == content.tool_calls:
        return piece
    changed = RequestMessage(content.role, text, calls, content.tool_call_id)
    return replace(
        piece, content=changed, reason="masked", count_id=count_id("mask", changed), verbatim=False
    )


def without_removed(message: Message, masks: Masks, stand_in: str) -> str:
    """Return the text of a message that stands outside the history, without what was removed.

    Args:
        message: of any role.
        masks: what is to be replaced.
        stand_in: stands for it.
    """
    text = _without_spans(message.text, masks.spans.get(message.id, ()), stand_in)
    if message.role in _ECHOING:
        text = _without(text, [_Said(echo, answers_it=False) for echo in masks.echoes], stand_in)
    return text


def count_id(kind: str, content: RequestMessage) -> str:
    """Return what stands for a message id in the count key of a text that is no message."""
    text = counted_text(content.text, content.tool_calls)
    return f"{kind}:{hashlib.sha256(text.encode()).hexdigest()}"


def _without_spans(text: str, spans: Iterable[Span], stand_in: str) -> str:
    for span in spans:
        if span.start < len(text):
            text = text[: span.start] + stand_in + text[span.end :]
    return text


def _without(text: str, said: Iterable[_Said], stand_in: str) -> str:
    for start, end in reversed(_joined(_echoed(text, said))):
        text = text[:start] + stand_in + text[end:]
    return text


def _echoed(text: str, said: Iterable[_Said]) -> Iterator[Place]:
    for echo, answers_it in said:
        yield from echo_spans(echo, text, answers_it=answers_it)


def _joined(found: Iterable[Place]) -> list[Place]:
    """Return stretches in order, those that touch as one."""
    joined: list[Place] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def _call(call: ToolCall, said: list[_Said], stand_in: str) -> ToolCall:
    try:
        arguments = json.loads(call.arguments)
    except ValueError:
        return replace(call, arguments=_without(call.arguments, said, stand_in))
    # What is sent must stay JSON: a number cannot be replaced in its text.
    cleaned = _cleaned(arguments, said, stand_in)
    if cleaned == arguments:
        return call
    return replace(call, arguments=json.dumps(cleaned, ensure_ascii=False))


def _cleaned(node: Any, said: list[_Said], stand_in: str) -> Any:  # noqa: ANN401  # JSON is what it is
    if isinstance(node, dict):
        return {
            _without(key, said, stand_in): _cleaned(child, said, stand_in)
            for key, child in node.items()
        }
    if isinstance(node, list):
        return [_cleaned(child, said, stand_in) for child in node]
    if isinstance(node, str):
        return _without(node, said, stand_in)
    is_number = isinstance(node, int | float) and not isinstance(node, bool)
    return stand_in if is_number and any(_echoed(str(node), said)) else node
