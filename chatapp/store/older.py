"""Reads old messages that the input may point at, without walking the history between."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from chatapp.keyring import SpaceKeys
from statecore.context.state import OlderMessage
from statecore.language.pointers import Pointer


def read_older(
    parent_id: UUID,
    *,
    heads: Mapping[str, Sequence[object]],
    tip_depth: int,
    first_depth: int,
    pointers: Sequence[Pointer],
    keys: SpaceKeys,
) -> tuple[OlderMessage, ...]:
    """Return messages of the path before the loaded turns that pointers may mean, oldest first.

    At most two queries; none where there is no pointer or nothing older.

    Args:
        parent_id: the newest committed turn of the path.
        heads: its feature heads: per kind, id and ordinal of the newest feature.
        tip_depth: its depth.
        first_depth: depth of the oldest loaded turn; what is read lies before it.
        pointers: from `statecore.context.anchors.unsettled`.
        keys: of the owner.
    """
    del parent_id, heads, tip_depth, first_depth, pointers, keys
    return ()
