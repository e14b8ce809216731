"""One reader's view of one live stream: turns numbered chunks into frames, none twice, no gap."""

import json
from typing import Any
from uuid import UUID

from chatapp.web.blocks import BlockSplitter


def encode(frame: dict[str, Any]) -> str:
    """Return a frame as the text of one socket message."""
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))


class LiveView:
    """Follows the chunks of a turn's newest attempt."""

    def __init__(self, turn_id: UUID) -> None:
        self.turn_id = turn_id
        self.attempt = ""
        self.seq = 0
        self._splitter = BlockSplitter()
        self._blocks: list[str] = []

    def restart(self, attempt: str) -> None:
        """Forget what an earlier attempt streamed."""
        self.attempt = attempt
        self.seq = 0
        self._splitter = BlockSplitter()
        self._blocks = []

    def has_gap_before(self, attempt: str, first: int) -> bool:
        """Return whether chunks are missing between this view and a chunk that came."""
        return attempt == self.attempt and first > self.seq + 1

    def take(self, seq: int, text: str) -> dict[str, Any] | None:
        """Return the frame that brings the client from the chunk before to this one.

        Returns:
            None for a chunk that was taken before.
        """
        if seq <= self.seq:
            return None
        self.seq = seq
        kind_before = self._splitter.tail_kind
        found = self._splitter.feed(text)
        self._blocks.extend(found.closed_htmls)
        if not found.closed_htmls and self._splitter.tail_kind == kind_before:
            return self._frame("delta", text=text)
        return self._frame(
            "blocks",
            htmls=found.closed_htmls,
            tail=self._splitter.tail,
            tail_kind=self._splitter.tail_kind,
        )

    def start_frame(self) -> dict[str, Any]:
        """Return the whole state of the stream in one frame."""
        return self._frame(
            "start",
            blocks=self._blocks,
            tail=self._splitter.tail,
            tail_kind=self._splitter.tail_kind,
        )

    def _frame(self, kind: str, **fields: object) -> dict[str, Any]:
        return {
            "kind": kind,
            "turn": str(self.turn_id),
            "attempt": self.attempt,
            "seq": self.seq,
            **fields,
        }
