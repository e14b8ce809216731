"""Reads branches: which one a person looks at, what time it is there, and what it is called."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import connection
from django.db.models import Subquery
from django.db.models.functions import Coalesce

from chatapp.access import Access
from chatapp.keyring import SpaceKeys
from chatapp.models import Branch, Selection, Turn
from chatapp.store.raw import db_id, to_id
from chatapp.store.sealing import seal_text
from statecore.tree import Branch as CoreBranch
from statecore.tree import BranchClock, deepest_named_depth

ON_PATH_SQL: Final = """
WITH RECURSIVE up(id, parent_id, depth) AS (
    SELECT id, parent_id, depth FROM chatapp_turn WHERE id = %s
  UNION ALL
    SELECT t.id, t.parent_id, t.depth FROM up JOIN chatapp_turn t ON t.id = up.parent_id
    WHERE up.depth > %s
)
SELECT COUNT(*) FROM up WHERE id = %s
"""

AFTER_SQL: Final = """
WITH RECURSIVE below(id) AS (
    SELECT id FROM chatapp_turn WHERE id = %s AND status = 'committed'
  UNION ALL
    SELECT t.id FROM below JOIN chatapp_turn t ON t.parent_id = below.id
    WHERE t.status = 'committed'
)
SELECT b.id, 1 FROM below JOIN chatapp_branch b ON b.tip_id = below.id
UNION ALL
SELECT b.id, 0 FROM below JOIN chatapp_branch b ON b.redo_tip_id = below.id
UNION ALL
SELECT b.id, 1 FROM chatapp_branch b WHERE b.active_turn = %s AND b.conversation_id = %s
"""


def viewed_branch(access: Access) -> Branch:
    """Return the branch that is looked at, with its tip and its conversation; one query.

    It is the one that the request names, else the one that its reader chose last, else the main
    line.
    """
    found = Branch.objects.filter(conversation=access.conversation).select_related(
        "tip", "conversation"
    )
    if access.branch_id is not None:
        return found.get(pk=access.branch_id)
    chosen = Selection.objects.filter(
        user_id=access.owner.user_id, conversation=access.conversation
    )
    main = Branch.objects.filter(conversation=access.conversation, origin=Branch.Origin.MAIN)
    # The main line is looked for only where nothing was chosen: a thousand branches cost nothing.
    one = Coalesce(Subquery(chosen.values("branch")[:1]), Subquery(main.values("pk")[:1]))
    return found.get(pk=one)


def clock_of(branch: Branch) -> BranchClock:
    """Return the clock of a branch that was read with its tip."""
    tip = branch.tip
    return BranchClock(
        tip_branch_ms=None if tip is None else tip.branch_ms,
        tip_accepted_ms=0 if tip is None else tip.accepted_ms,
        clock_ms=branch.clock_ms,
        clock_set_ms=branch.clock_set_ms,
    )


def committed_branch_ms(turn: Turn | None, now_ms: int) -> int:
    """Return the branch time at which a turn was committed; the wall time before the first one."""
    if turn is None or turn.committed_ms is None:
        return now_ms
    return turn.branch_ms + max(0, turn.committed_ms - turn.accepted_ms)


def seal_name(branch_id: UUID, name: str, keys: SpaceKeys) -> bytes:
    """Return the name of a branch ready to be stored."""
    return seal_text(keys, "chatapp_branch", "name", branch_id, name)


def is_on_path(turn: Turn, tip: Turn) -> bool:
    """Return whether a turn lies on the path to another, or is that; one query.

    It follows the path from the tip no further than the depth of the turn.
    """
    with connection.cursor() as cursor:
        cursor.execute(ON_PATH_SQL, [db_id(tip.id), turn.depth, db_id(turn.id)])
        return bool(cursor.fetchone()[0])


@dataclass(frozen=True, slots=True)
class Showing:
    """A branch that shows a turn, or would after a redo."""

    id: UUID
    used: tuple[bool, int, int]
    """Orders branches: those put away come first, then those that were used longer ago."""
    only_by_redo: bool


def branches_after(conversation_id: UUID, turn_id: UUID) -> tuple[Showing, ...]:
    """Return the branches that go through a turn or are being answered in it; two queries."""
    with connection.cursor() as cursor:
        arguments = [db_id(turn_id), db_id(turn_id), db_id(conversation_id)]
        cursor.execute(AFTER_SQL, arguments)
        rows = [(to_id(row[0]), bool(row[1])) for row in cursor.fetchall()]
    shown = {branch_id for branch_id, is_shown in rows if is_shown}
    found = Branch.objects.filter(pk__in=[branch_id for branch_id, _ in rows])
    return tuple(
        Showing(branch.id, _used(branch), branch.id not in shown)
        for branch in found.select_related("tip").order_by("created_seq", "id")
    )


def _used(branch: Branch) -> tuple[bool, int, int]:
    committed_ms = 0 if branch.tip is None else branch.tip.committed_ms or 0
    used_ms = max(branch.clock_set_ms or 0, committed_ms)
    return branch.archived_ms is None, used_ms, branch.created_seq


def deepest_named(branch: Branch) -> int:
    """Return how many named branches are nested at most on the lines through one; one query."""
    rows = Branch.objects.filter(conversation=branch.conversation_id)
    found: dict[str, CoreBranch] = {}
    for id_, left, name in rows.values_list("id", "left_branch", "name"):
        left_id = None if left is None else str(left)
        found[str(id_)] = CoreBranch(str(id_), left_id, None, 0, is_named=name is not None)
    return deepest_named_depth(str(branch.id), found)
