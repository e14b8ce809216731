"""Version 2: what the page showed as JSON before there was a contract (`glassbox.page.2`).

It holds what deltas came to and not the deltas, no ids of messages but those that entries cite,
and no seqs of turns but those at which entries were said. What is missing is put where it must
have been.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from pydantic import ValidationError

from statecore.contract.page_form import (
    Page,
    PageDelta,
    PageEntry,
    PageField,
    PageOperation,
    PageTurn,
)
from statecore.contract.page_seqs import TurnSeqs, turn_seqs
from statecore.contract.places import first_wrong, wrong
from statecore.contract.schema import CURRENT
from statecore.memory.ledger import Span, entry_id
from statecore.memory.tombstones import folded

Document = dict[str, Any]

_RENAMED = {"setfield": "set_field", "removefield": "remove_field"}


def from_page(document: Document) -> Document:
    """Return a document of version 2 as one of the current version.

    Raises:
        InvalidInput: when it is no such page, or shows only the newest turns.
    """
    try:
        page = Page.model_validate_json(json.dumps(document))
    except ValidationError as error:
        raise first_wrong(error) from None
    if page.older_before is not None:
        said = "the page holds the newest turns only; a state needs them from the first on"
        raise wrong(("older_before",), said)
    for number, turn in enumerate(page_path(page), start=1):
        if turn.depth != number:
            place = ("turns", page.turns.index(turn), "depth")
            raise wrong(place, f"is {turn.depth} where {number} comes next")
    return _Upgrade(page).document()


class _Upgrade:
    """Puts together what a page holds in several places."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._turns = page_path(page)
        self._depths = {turn.id: turn.depth for turn in self._turns if turn.status == "committed"}
        self._entries = [entry for entry in page.memory.entries if not entry.is_foreseen]
        self._inputs = self._input_ids()
        """Id of its input message by depth."""
        self._seqs = turn_seqs(page, self._turns)

    def document(self) -> Document:
        """Return the page as a contract."""
        page = self._page
        return {
            "schema_version": CURRENT,
            "conversation": {"id": page.id, "title": page.title},
            "turns": [self._turn(turn) for turn in self._turns],
            "memory": {
                "as_of": max(page.memory.as_of, self._seqs[-1].committed if self._seqs else 0),
                "deltas": list(self._deltas()),
                "operations": list(self._operations()),
            },
            "request_meta": {"model": page.model_name, "attempts": list(self._attempts())},
        }

    def _input_ids(self) -> dict[int, str]:
        found = {
            entry.depth: entry.sources[0].message_id for entry in self._entries if entry.sources
        }
        known = set(found.values())
        # The same words said again: the page does not say in which turn.
        for entry in self._entries:
            for span in entry.sources[1:]:
                for turn in self._turns:
                    if span.message_id not in known and turn.depth not in found:
                        words = turn.input_text[span.start : span.end]
                        if folded(words) == folded(entry.quote):
                            found[turn.depth] = span.message_id
                            known.add(span.message_id)
        return {turn.depth: found.get(turn.depth, f"{turn.id}.input") for turn in self._turns}

    def _turn(self, turn: PageTurn) -> Document:
        seqs: TurnSeqs = self._seqs[turn.depth - 1]
        asked = {"id": self._inputs[turn.depth], "role": "user", "text": turn.input_text}
        messages: list[Document] = [asked | {"created_ms": turn.accepted_ms}]
        if turn.status == "committed" and turn.answer_text is not None:
            answer = {"id": f"{turn.id}.answer", "role": "assistant", "text": turn.answer_text}
            messages.append(answer | {"created_ms": turn.committed_ms})
        found: Document = {
            "id": turn.id,
            "depth": turn.depth,
            "status": turn.status,
            "messages": messages,
            "accepted_seq": seqs.accepted,
            "accepted_ms": turn.accepted_ms,
            "branch_ms": turn.accepted_ms,
            "model": turn.model_name,
        }
        if turn.status != "committed":
            return found
        ended = {"committed_seq": seqs.committed, "committed_ms": turn.committed_ms}
        return found | ended | {"finish": turn.finish}

    def _deltas(self) -> Iterator[Document]:
        for row in page_deltas(self._page):
            depth = self._depths[row.turn]
            turn = self._turns[depth - 1]
            yield {
                "turn_id": row.turn,
                "seq": row.seq,
                "depth": depth,
                "said_seq": self._seqs[depth - 1].accepted,
                "branch_ms": turn.accepted_ms,
                "learned": list(self._learned(turn)),
                "rejected": [
                    asdict(rejected)
                    for rejected in self._page.memory.rejected
                    if rejected.span.message_id == self._inputs[depth]
                ],
                "fields": [
                    self._field(field)
                    for field in self._page.memory.fields
                    if field.setter != "user" and field.seq == row.seq
                ],
                "model": row.model,
                "note": row.note,
            }

    def _field(self, field: PageField) -> Document:
        # The page shows what a person made of the sentence; the delta has what was said.
        said = (
            entry.quote
            for entry in self._entries
            if field.source in entry.sources and entry.text == field.value
        )
        found = field.model_dump(mode="json", exclude={"setter", "seq"})
        return found | {"value": next(said, field.value)}

    def _learned(self, turn: PageTurn) -> Iterator[Document]:
        for entry in self._entries:
            for span in entry.sources if entry.author in ("rules", "model") else ():
                if span.message_id == self._inputs[turn.depth] and not _is_added(entry):
                    yield {
                        "span": list(span),
                        "kind": entry.kind,
                        "text": turn.input_text[span.start : span.end],
                        "author": entry.author,
                        "supersedes": self._superseded_by(entry, span),
                    }

    def _superseded_by(self, entry: PageEntry, span: Span) -> list[str]:
        if entry_id(span) != entry.id:
            return []
        return [old.id for old in self._entries if old.superseded_by == entry.id]

    def _operations(self) -> Iterator[Document]:
        yield from map(self._operation, page_acts(self._page))

    def _operation(self, row: PageOperation) -> Document:
        depth = self._depths.get(row.turn or "", 0)
        return {
            "seq": row.seq,
            "turn_id": row.turn if depth else None,
            "depth": depth,
            "created_ms": (self._turns[depth - 1].committed_ms or 0) if depth else 0,
            "action": {_RENAMED.get(row.kind, row.kind): row.action},
        }

    def _attempts(self) -> Iterator[Document]:
        for turn in self._turns:
            for attempt in turn.attempts:
                found = attempt.model_dump(exclude={"model_name"})
                yield found | {"turn_id": turn.id, "model": attempt.model_name}


def page_path(page: Page) -> list[PageTurn]:
    """Return the turns of the path, and what broke off at its end and can be tried again."""
    committed = [turn for turn in page.turns if turn.status == "committed"]
    tip = committed[-1].id if committed else None
    waiting = [turn for turn in page.turns if turn.status != "committed" and turn.parent_id == tip]
    return [*committed, *waiting[-1:]]


def page_acts(page: Page) -> Iterator[PageOperation]:
    """Yield what people did, by seq; an undo of what the page does not show is left out."""
    known: set[int] = set()
    for row in sorted(page.memory.operations, key=lambda row: row.seq):
        if row.kind == "undo" and row.action.get("seq") not in known:
            continue
        known.add(row.seq)
        yield row


def page_deltas(page: Page) -> Iterator[PageDelta]:
    """Yield that turns of the path were learned, by seq."""
    ids = {turn.id for turn in page_path(page) if turn.status == "committed"}
    for row in sorted(page.memory.deltas, key=lambda row: row.seq):
        if row.turn in ids:
            yield row


def _is_added(entry: PageEntry) -> bool:
    return entry.id.startswith("op:")
