"""Masks: what a person deleted from memory is in no later request, and the messages stay whole.

The sentence itself is replaced in the view of its message; its words and its exact values are
replaced in what assistants and tools said after it as well.
"""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from statecore.context.segments import Piece
from statecore.language.values import Value, is_telling, values
from statecore.memory.ledger import Span
from statecore.memory.summary import is_live
from statecore.messages import Message, ToolCall, counted_text
from statecore.requests import RequestMessage
from statecore.state.fold import Memory

ECHO_BYTES = 16
"""Shorter sentences ("No.", "Yes, please") are no echo where they stand again."""

_ENDS = " .,;:!?…。！？，；\"'“”«»"
_ECHOING = frozenset({"assistant", "tool"})
_NUMERIC = re.compile(r"[\d\s.,'’()+\-]*\d[\d\s.,'’()+\-]*")
_SEPARATORS = r"[\s.,'’()\-]{0,3}"
_CODE = re.compile(r"[^\W_]+(?:[-_./][^\W_]+)*")
_RUN = re.compile(r"\d+|[^\W\d_]+")
_JOINTS = r"[\s._/–—-]?"
_FEWEST_DIGITS = 3
"""Of a shorter code the parts are found by chance: "A1" in "a 1-hour walk"."""
_NATIONAL = 10
_WITH_COUNTRY = range(_NATIONAL + 1, _NATIONAL + 4)
"""Digits of a phone number with its country, which an echo may leave out or write otherwise."""
_EDGES = r"(?<![0-9A-Za-z]){}(?![0-9A-Za-z])"
"""Letters of other scripts may touch a value: Chinese has no spaces."""


@dataclass(frozen=True, slots=True)
class Masks:
    """What is to be replaced in the view."""

    spans: Mapping[str, tuple[Span, ...]]
    """Removed stretches by message id, from the last to the first, apart from each other."""
    echoes: tuple[tuple[str, frozenset[str]], ...]
    """Removed sentences and their exact values, with the ids of the messages that said them."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was removed."""
        return not self.spans and not self.echoes

    def holds_removed(self, text: str) -> bool:
        """Return whether a text has a removed sentence or one of its values in it."""
        return any(_pattern(words).search(text) for words, _ in self.echoes)

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
        for words in _telling((removed.text, *removed.quotes)):
            said_in[words].update(span.message_id for span in removed.sources)
    live = [entry.text for entry in memory.entries if is_live(entry)]
    return Masks(
        spans={id_: _apart(found) for id_, found in spans.items()},
        echoes=tuple(
            (words, frozenset(said_in[words]))
            # The longest first: a value may stand inside another one.
            for words in sorted(said_in, key=lambda words: (-len(words), words))
            if not any(_pattern(words).search(text) for text in live)
        ),
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


def _telling(texts: Iterable[str]) -> Iterator[str]:
    """Yield what gives removed sentences away: longer ones by their words, all by their values."""
    for text in texts:
        if len(text.encode()) >= ECHO_BYTES:
            yield text.strip(_ENDS) or text
        yield from (_needle(value) for value in values(text) if is_telling(value))


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
        for piece in turn:
            # Words count as said once their message has passed; at once if that is not here.
            said = [words for words, ids in masks.echoes if not (ids and ids <= waiting)]
            pieces.append(_piece(piece, masks, said, stand_in))
            waiting.difference_update(piece.source_ids)
        view.append(tuple(pieces))
    return tuple(view)


def _piece(piece: Piece, masks: Masks, said: Iterable[str], stand_in: str) -> Piece:
    if not piece.verbatim or piece.decision == "dropped":
        return piece
    content = piece.content
    text = _without_spans(content.text, masks.spans.get(piece.source_ids[0], ()), stand_in)
    calls = content.tool_calls
    if content.role in _ECHOING:
        for words in said:
            text = _without(text, words, stand_in)
            calls = tuple(_call(call, words, stand_in) for call in calls)
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
        for words, _ in masks.echoes:
            text = _without(text, words, stand_in)
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


def _without(text: str, words: str, stand_in: str) -> str:
    return _pattern(words).sub(lambda _: stand_in, text)


def _call(call: ToolCall, words: str, stand_in: str) -> ToolCall:
    try:
        arguments = json.loads(call.arguments)
    except ValueError:
        return replace(call, arguments=_without(call.arguments, words, stand_in))
    # What is sent must stay JSON: a number cannot be replaced in its text.
    cleaned = _cleaned(arguments, words, stand_in)
    if cleaned == arguments:
        return call
    return replace(call, arguments=json.dumps(cleaned, ensure_ascii=False))


def _cleaned(node: Any, words: str, stand_in: str) -> Any:  # noqa: ANN401  # JSON is what it is
    if isinstance(node, dict):
        return {
            _without(key, words, stand_in): _cleaned(child, words, stand_in)
            for key, child in node.items()
        }
    if isinstance(node, list):
        return [_cleaned(child, words, stand_in) for child in node]
    if isinstance(node, str):
        return _without(node, words, stand_in)
    is_number = isinstance(node, int | float) and not isinstance(node, bool)
    return stand_in if is_number and _pattern(words).search(str(node)) else node


def _needle(value: Value) -> str:
    """Return what to look for: of money the number, as an echo may name the currency otherwise."""
    if value.kind == "money" and (number := _NUMERIC.search(value.text)):
        return number.group().strip()
    return value.text


@lru_cache(maxsize=512)
def _pattern(words: str) -> re.Pattern[str]:
    """Return what finds words again: in any case, a number or a code with any separators."""
    return re.compile(_EDGES.format(_body(words)), re.IGNORECASE)


def _body(words: str) -> str:
    digits = re.sub(r"\D", "", words)
    if digits and _NUMERIC.fullmatch(words):
        if len(digits) in _WITH_COUNTRY:
            return rf"(?:\d{{1,3}}{_SEPARATORS})?" + _SEPARATORS.join(digits[-_NATIONAL:])
        return _SEPARATORS.join(digits)
    if len(digits) >= _FEWEST_DIGITS and _CODE.fullmatch(words):
        return _JOINTS.join(_RUN.findall(words))
    return re.escape(words)
