"""Makes a long conversation out of a short one, faster than by taking its turns."""

from typing import Any
from uuid import UUID

from django.db import transaction

from chatapp.access import Access
from chatapp.ids import new_id
from chatapp.models import Attempt, Branch, Message, PlanInput, TokenCount, Turn
from chatapp.store import paths
from chatapp.store.sealing import seal
from statecore.messages import Message as CoreMessage
from statecore.messages import encode_body
from tests.support.people import branch_of


def lengthen(access: Access, turns_wanted: int, *, tokens: int = 5) -> None:
    """Copy the newest turn in bulk until the conversation has so many.

    Only the rows that readers read are made; the log knows nothing of the copies.

    Args:
        access: to the conversation.
        turns_wanted: how many turns it has then.
        tokens: how many a message of a copy is said to have.
    """
    branch = branch_of(access)
    with transaction.atomic():
        model = Turn.objects.get(pk=branch.tip_id)
        copies = _Copies(access, model, tokens)
        for depth in range(model.depth + 1, turns_wanted + 1):
            copies.add(depth)
        copies.insert()
        Branch.objects.filter(pk=branch.id).update(tip_id=copies.turns[-1].id)


class _Copies:
    """Rows of turns that all look like one."""

    def __init__(self, access: Access, model: Turn, tokens: int) -> None:
        self._keys = access.keys
        self._tokens = tokens
        self._newest = model
        self._messages = paths.messages_of([node_of(model)], access.keys)[model.id]
        self._attempt = Attempt.objects.select_related("plan_input").get(turn=model)
        self._plan = self._attempt.plan_input
        # It is sealed for its own row; a copy that carried it could not be opened.
        self._result = {**(self._plan.result or {})}
        self._result.pop("selection", None)
        self.turns: list[Turn] = []
        self._rows: dict[type[Any], list[Any]] = {
            Message: [],
            TokenCount: [],
            Attempt: [],
            PlanInput: [],
        }

    def add(self, depth: int) -> None:
        before = self._newest
        ids = [new_id() for _ in self._messages]
        turn = _copy(before, id=new_id(), depth=depth, parent_id=before.id)
        turn.input_message_id, turn.idempotency_key = ids[0], new_id().hex
        turn.sum_messages += len(ids)
        turn.sum_reference_tokens += len(ids) * self._tokens
        turn.sum_digest_tokens += len(ids) * self._tokens
        self.turns.append(turn)
        self._newest = turn
        for position, (message_id, message) in enumerate(zip(ids, self._messages, strict=True)):
            self._add_message(turn, message_id, message, position)
        attempt = _copy(self._attempt, id=new_id(), turn_id=turn.id)
        self._rows[Attempt].append(attempt)
        self._rows[PlanInput].append(
            _copy(
                self._plan,
                attempt_id=attempt.id,
                parent_turn_id=before.id,
                result=self._result,
            )
        )

    def _add_message(self, turn: Turn, message_id: UUID, message: CoreMessage, place: int) -> None:
        body = seal(self._keys, "chatapp_message", "body", message_id, encode_body(message))
        self._rows[Message].append(
            Message(
                id=message_id,
                conversation_id=turn.conversation_id,
                turn_id=turn.id,
                seq=turn.accepted_seq,
                position=place,
                role=message.role,
                body=body,
                created_ms=message.created_ms,
            )
        )
        self._rows[TokenCount].append(
            TokenCount(
                message_id=message_id,
                tokenizer="o200k_base",
                tokens=self._tokens,
                quality="exact",
            )
        )

    def insert(self) -> None:
        # A turn and its input point at each other; both databases look only at the end.
        Turn.objects.bulk_create(self.turns)
        for model, rows in self._rows.items():
            model.objects.bulk_create(rows)


def _copy(row: Any, **changes: object) -> Any:
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return type(row)(**values | changes)


def node_of(turn: Turn) -> paths.TurnNode:
    """Return a turn as a walk would."""
    return paths.TurnNode(
        turn.id, turn.parent_id, turn.depth, 0, turn.input_message_id, turn.finish
    )
