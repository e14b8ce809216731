"""Writes the transitions of one act on the tree, behind a lock that makes acts wait in turn."""

import json
from collections.abc import Mapping

from chatapp.access import Access
from chatapp.clock import now_ms
from chatapp.services.transitions import Change, Head, append, claim


class TreeLog:
    """The log of a conversation in one transaction; other writers wait from its making on.

    It is made before anything else is read or written, so that nobody waits for two others in
    different order. Where nothing comes to be written, the transaction must be rolled back: a
    claimed seq without its transition would be a gap.
    """

    def __init__(self, access: Access) -> None:
        """Claim the first seq.

        Raises:
            ConversationGone: when the conversation was deleted.
        """
        self._access = access
        self._first: Head | None = claim(access.conversation.id)
        # One act happens at one time, however many transitions it has.
        self.now_ms = now_ms()

    def append(self, change: Change, now_ms: int, *, touch: bool = False) -> int:
        """Append a transition and return its seq.

        Args:
            change: what is recorded.
            now_ms: milliseconds since the epoch.
            touch: also makes the conversation the most recent one of its owner.
        """
        head, self._first = self._first or claim(self._access.conversation.id), None
        append(self._access.conversation.id, self._access.keys, change, head, now_ms, touch=touch)
        return head.seq


def tree_payload(what: Mapping[str, object]) -> bytes:
    """Return the ids that an act on the tree is about as canonical JSON."""
    told = {name: value if value is None else str(value) for name, value in what.items()}
    return json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
