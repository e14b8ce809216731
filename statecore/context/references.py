"""References: which messages something later refers to, so that they are not shortened.

Quotations, exact values, names of files and code that a user says again, phrases such as "that
table", and the sources of what memory holds. Words that are merely shared refer to nothing.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from statecore.context.artefacts import artefacts
from statecore.context.named import named, quotable, quotations
from statecore.context.phrases import pointed
from statecore.context.revisions import asks_to_revise
from statecore.context.state import PathTurn
from statecore.language.continuing import continues
from statecore.memory.ledger import Entry
from statecore.memory.summary import is_live
from statecore.messages import Message

QUOTATIONS = 64
"""So many quotations are looked up, the newest first; each costs a search through all texts."""
FEW_HOLDERS = 3
"""What the current input names may have been said a few times: first and last are meant."""

_REFERRED_ROLES = frozenset({"assistant", "tool"})


def referred(turns: Sequence[PathTurn], entries: Iterable[Entry]) -> frozenset[str]:
    """Return the ids of the messages that something later in these turns refers to.

    Args:
        turns: of the path, oldest first.
        entries: of the ledger; live ones refer to where they were said.
    """
    messages = _messages(turns)
    by_words = (*_named(messages), *_quoted(messages), *pointed(messages))
    return frozenset((*by_words, *_sources(messages, entries)))


def input_refers(turns: Sequence[PathTurn], input_text: str) -> frozenset[str]:
    """Return the ids of the messages that the current input refers to.

    What goes on with an answer ("continue", "the same but shorter") refers to the newest one, and
    what asks for a change to the newest version of what is under revision as well.

    Args:
        turns: of the path, oldest first.
        input_text: what the user has just said.
    """
    messages = _messages(turns)
    asked = Message(id="", role="user", text=input_text, created_ms=0)
    found = {*_named_by(asked, messages), *_quoted((*messages, asked), only=asked)}
    is_change = asks_to_revise(input_text)
    if is_change or continues(input_text):
        found.update(_newest_answer(messages))
    if is_change and (newest := artefacts(turns).newest):
        found.add(next(m.id for m in reversed(messages) if m.id in newest))
    return frozenset(found)


def _messages(turns: Sequence[PathTurn]) -> tuple[Message, ...]:
    return tuple(message for turn in turns for message in turn.messages)


def _newest_answer(messages: Sequence[Message]) -> Iterator[str]:
    answers = (m.id for m in reversed(messages) if m.role == "assistant" and m.text.strip())
    yield from (id_ for id_ in (next(answers, None),) if id_ is not None)


def _sources(messages: Sequence[Message], entries: Iterable[Entry]) -> Iterator[str]:
    ids = {message.id for message in messages}
    live = (entry for entry in entries if is_live(entry))
    yield from (s.message_id for entry in live for s in entry.sources if s.message_id in ids)


def _named(messages: Sequence[Message]) -> Iterator[str]:
    """Yield what a user names later by something that only one message before has said."""
    said_in: dict[str, str | None] = {}
    roles = {message.id: message.role for message in messages}
    for message in messages:
        names = named(message.text)
        if message.role == "user":
            found = (said_in.get(name) for name in names)
            yield from (id_ for id_ in found if id_ and roles[id_] in _REFERRED_ROLES)
        for name in names:
            # Said in a second message it points at neither.
            said_in[name] = None if name in said_in else message.id


def _named_by(asked: Message, messages: Sequence[Message]) -> Iterator[str]:
    """Yield what one message names by something that few messages have said: first and last."""
    wanted = set(named(asked.text))
    if not wanted:
        return
    said_in: dict[str, list[Message]] = {}
    for message in messages:
        for name in wanted & named(message.text):
            said_in.setdefault(name, []).append(message)
    for holders in said_in.values():
        told = [message for message in holders if message.role in _REFERRED_ROLES]
        if told and len(holders) <= FEW_HOLDERS:
            yield told[0].id
            yield told[-1].id


class _Texts:
    """All texts as one, to be searched for quotations."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = [m for m in messages if m.role in _REFERRED_ROLES]

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [], 0
        for message in self._messages:
            starts.append(at)
            at += len(quotable(message.text)) + 1
        return starts

    @cached_property
    def _whole(self) -> str:
        return "\0".join(quotable(message.text) for message in self._messages)

    def last_with(self, words: str, before: int) -> str | None:
        """Return the id of the last message with these words of the first `before` ones."""
        end = self._starts[before] if before < len(self._starts) else len(self._whole)
        at = self._whole.rfind(words, 0, end)
        return self._messages[bisect(self._starts, at) - 1].id if at >= 0 else None


def _quoted(messages: Sequence[Message], only: Message | None = None) -> Iterator[str]:
    """Yield what users quote word for word."""
    told, quotes = 0, []
    for message in messages:
        if message.role in _REFERRED_ROLES:
            told += 1
        elif message.role == "user" and (only is None or message is only):
            quotes += [(words, told) for words in quotations(message.text)]
    texts = _Texts(messages)
    for words, before in quotes[-QUOTATIONS:]:
        if before and (found := texts.last_with(words, before)):
            yield found
