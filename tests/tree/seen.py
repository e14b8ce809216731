"""What the application says of a conversation, read anew as another process would."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from chatapp import keyring
from chatapp.access import Access, conversation_for
from chatapp.keyring import SpaceKeys
from chatapp.models import Branch, Conversation, Selection, Turn
from chatapp.models import Message as MessageRow
from chatapp.selectors.contract import contract_of
from chatapp.selectors.memory import memory_page
from chatapp.store import memory, memory_path, paths
from chatapp.store.contexts import read_draft
from chatapp.store.sealing import unseal_text
from chatapp.store.verification import verify_conversation
from statecore.context.state import State
from statecore.contract.schema import Contract
from statecore.memory.session import status_of
from statecore.messages import Message
from statecore.state.fold import Memory
from tests.support.people import MODEL

FAR = 1 << 60


@dataclass(frozen=True)
class Remembered:
    """Memory without what it was folded from."""

    entries: tuple[Any, ...]
    fields: tuple[Any, ...]
    rejected: tuple[Any, ...]
    removed: tuple[Any, ...]


def remembered(found: Memory) -> Remembered:
    return Remembered(found.entries, found.fields, found.rejected, found.removed)


def statuses(found: Memory, now_ms: int, last_ms: int) -> dict[str, str]:
    """Return whether each session field still counts."""
    return {field.key: status_of(field, now_ms, last_ms) for field in found.fields}


class Seen:
    """One conversation, through no object that an act has used."""

    def __init__(self, user: Any, conversation_id: UUID) -> None:
        self.user = user
        self.id = conversation_id
        self._access = self.access()
        self.space_id = self._access.conversation.key_space_id

    def access(self, branch_id: str | None = None) -> Access:
        return conversation_for(self.user, self.id, branch_id and UUID(branch_id))

    @property
    def keys(self) -> SpaceKeys:
        return keyring.keys_of(self.space_id)

    @property
    def last_seq(self) -> int:
        return Conversation.objects.values_list("last_seq", flat=True).get(pk=self.id)

    @property
    def selected(self) -> str | None:
        chosen = Selection.objects.filter(conversation_id=self.id, user=self.user).first()
        return None if chosen is None else str(chosen.branch_id)

    def branches(self) -> dict[str, dict[str, Any]]:
        """Return the columns of all branches that acts decide about."""
        return {
            str(row.id): {
                "origin": row.origin,
                "parent": _text(row.parent_turn_id),
                "left": _text(row.left_branch_id),
                "tip": _text(row.tip_id),
                "redo": _text(row.redo_tip_id),
                "version": row.version,
                "running": _text(row.active_turn),
                "is_archived": row.archived_ms is not None,
                "name": row.name
                and unseal_text(self.keys, "chatapp_branch", "name", row.id, bytes(row.name)),
            }
            for row in Branch.objects.filter(conversation_id=self.id).order_by("created_seq")
        }

    def messages(self, tip: str | None) -> list[tuple[str, str]]:
        """Return what was asked and answered on a path, as a request reads it."""
        nodes = paths.walk(tip and UUID(tip), budget_tokens=FAR)
        texts = paths.messages_of(nodes, self.keys)
        said = [[message.text for message in texts[node.id]] for node in reversed(nodes)]
        return [(texts[0], texts[1]) for texts in said]

    def known(self, tip: str | None, as_of: int) -> tuple[Memory, tuple[str, ...]]:
        """Return what a plan remembers, through checkpoints, and the turns that wait."""
        path = memory_path.walk(self.id, tip and UUID(tip), self.keys, as_of=as_of)
        found = memory.memory_of(self.id, path, self.keys, as_of=as_of)
        return found, tuple(map(str, path.waiting()))

    def page(self, branch_id: str) -> Any:
        """Return what people see at the end of a branch, past checkpoints."""
        return memory_page(replace(self._access, branch_id=UUID(branch_id)))

    def draft(self, branch_id: str, now_ms: int) -> State:
        """Return what a request would be made from that is typed at the end of a branch."""
        draft = Message("draft", "user", "And now?", now_ms)
        found = read_draft(self.id, UUID(branch_id), draft, model=MODEL, keys_of=keyring.keys_of)
        assert found is not None
        return found.state

    def contract(self, branch_id: str) -> Contract:
        found = contract_of(self.access(branch_id))
        assert isinstance(found, Contract)
        return found

    def faults(self) -> list[Any]:
        found = verify_conversation(self.id, self.keys).findings
        return [one for one in found if one.is_fault]

    def turn(self, turn_id: str | UUID) -> Turn:
        return Turn.objects.get(pk=turn_id)

    def answer_id(self, turn_id: str) -> str:
        return str(
            MessageRow.objects.values_list("id", flat=True).get(turn=turn_id, role="assistant")
        )

    def reload(self) -> None:
        """Forget what a process knows."""
        keyring.clear()
        self._access = self.access()


def _text(value: object) -> str | None:
    return None if value is None else str(value)
