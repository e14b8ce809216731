"""Reads what the lines of a conversation are called: its branches, by name or by number."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db import connection
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from chatapp.keyring import SpaceKeys
from chatapp.models import Branch
from chatapp.store.raw import db_id
from chatapp.store.sealing import unseal_text

MAX_NESTED = 10_000
"""A bound for branches that were left one after the other."""
NAMED_DEPTH_SQL = """
WITH RECURSIVE line(left_id, is_named, n) AS (
    SELECT left_branch_id, CASE WHEN name IS NULL THEN 0 ELSE 1 END, 1
    FROM chatapp_branch WHERE id = %s
  UNION ALL
    SELECT b.left_branch_id, CASE WHEN b.name IS NULL THEN 0 ELSE 1 END, line.n + 1
    FROM line JOIN chatapp_branch b ON b.id = line.left_id
    WHERE line.n < %s
)
SELECT SUM(is_named) FROM line
"""
_HAS_OWN_NAME = Q(origin="main") | Q(origin="fork", name__isnull=False)


@dataclass(frozen=True, slots=True)
class Line:
    """What tells one branch from the others."""

    branch_id: UUID
    origin: str
    name: str | None
    """As a person named it; None where nobody has."""
    number: int
    """Counts the alternatives in the order in which they were made, from 1; 0 for the main line and
    for forks, which were named when they were made. Naming one leaves the numbers of others."""

    @property
    def is_main(self) -> bool:
        """Whether it is the one that the conversation began with."""
        return self.origin == "main"


def numbered(branches: QuerySet[Branch]) -> QuerySet[Branch]:
    """Return branches with their number among the alternatives as `alternatives`."""
    earlier = (
        Branch.objects.filter(conversation=OuterRef("conversation"))
        .exclude(_HAS_OWN_NAME)
        .filter(
            Q(created_seq__lt=OuterRef("created_seq"))
            | Q(created_seq=OuterRef("created_seq"), pk__lte=OuterRef("pk"))
        )
        .order_by()
        .values("conversation")
        .annotate(count=Count("pk"))
        .values("count")
    )
    return branches.annotate(alternatives=Subquery(earlier))


def line_of(branch: Branch, keys: SpaceKeys) -> Line:
    """Return the line that a branch from `numbered` is."""
    alternatives: int | None = branch.alternatives  # type: ignore[attr-defined]  # annotated
    name = name_of(branch, keys)
    has_own_name = branch.origin == "main" or (branch.origin == "fork" and name is not None)
    return Line(branch.id, branch.origin, name, 0 if has_own_name else alternatives or 0)


def name_of(branch: Branch, keys: SpaceKeys) -> str | None:
    """Return the name that a person gave a branch, or None."""
    if branch.name is None:
        return None
    return unseal_text(keys, "chatapp_branch", "name", branch.id, bytes(branch.name))


def lines_of(branch_ids: Iterable[UUID], keys: SpaceKeys) -> dict[UUID, Line]:
    """Return the lines that branches are, by id; one query, none for none."""
    wanted = set(branch_ids)
    if not wanted:
        return {}
    found = numbered(Branch.objects.filter(pk__in=wanted))
    return {branch.id: line_of(branch, keys) for branch in found}


def all_lines(conversation_id: UUID, keys: SpaceKeys) -> dict[UUID, Line]:
    """Return the lines of a conversation by id, in the order in which they were made; one query."""
    found = Branch.objects.filter(conversation=conversation_id).order_by("created_seq", "id")
    lines: dict[UUID, Line] = {}
    alternatives = 0
    for branch in found.only("id", "origin", "name"):
        name = name_of(branch, keys)
        has_own_name = branch.origin == "main" or (branch.origin == "fork" and name is not None)
        alternatives += not has_own_name
        number = 0 if has_own_name else alternatives
        lines[branch.id] = Line(branch.id, branch.origin, name, number)
    return lines


def named_depth(branch_id: UUID) -> int:
    """Return how many named branches are nested down to one, itself included; one query."""
    with connection.cursor() as cursor:
        cursor.execute(NAMED_DEPTH_SQL, [db_id(branch_id), MAX_NESTED])
        return int(cursor.fetchone()[0] or 0)
