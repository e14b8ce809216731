"""Branches as selectors give them, for tests of what is made of them and for the gallery."""

from chatapp.selectors.branches import BranchList, BranchRow, LeftAfter
from chatapp.selectors.rows import RolledBack
from chatapp.selectors.siblings import Siblings, Step
from chatapp.store.lines import Line
from tests.web import samples

MAIN = Line(samples.sample_id(950), "main", None, 0)
FORK = Line(samples.sample_id(951), "fork", "Поездка без машины", 0)
ALTERNATIVE = Line(samples.sample_id(952), "edit", None, 2)
CHINESE = Line(samples.sample_id(953), "regenerate", "更短的回答", 1)


def step(number=2, count=3):
    return Step(
        number,
        count,
        samples.sample_id(700 + number - 1) if number > 1 else None,
        samples.sample_id(700 + number + 1) if number < count else None,
    )


def row(line=ALTERNATIVE, **changes):
    values = {
        "id": line.branch_id,
        "line": line,
        "is_current": False,
        "is_archived": False,
        "is_running": False,
        "left_after": LeftAfter(samples.sample_id(4), 4, "HTTP 缓存是怎么工作的?"),
        "left_branch": MAIN.branch_id,
        "tip": samples.sample_id(9),
        "depth": 7,
        "turns": 3,
        "used_ms": samples.NOW_MS,
    }
    return BranchRow(**{**values, **changes})


ROWS = (
    row(MAIN, left_after=None, left_branch=None, turns=12, depth=12),
    row(is_current=True),
    row(FORK, turns=1, is_running=True),
    row(CHINESE, is_archived=True),
)


def listed(rows=ROWS, **changes):
    archived = sum(each.is_archived for each in rows)
    values = {
        "rows": tuple(rows),
        "open_count": len(rows) - archived,
        "archived_count": archived,
        "with_archived": True,
        "more": 0,
    }
    return BranchList(**{**values, **changes})


TURNS = (
    samples.TURNS[1],
    samples.turn(
        3,
        input_text="And by car?",
        answer_text="Four hours, without a pause.",
        branch_id=FORK.branch_id,
        line=FORK,
        siblings=Siblings(inputs=step(2, 3)),
    ),
    samples.turn(
        4,
        input_text="Shorter, please.",
        answer_text="Four hours.",
        branch_id=ALTERNATIVE.branch_id,
        line=ALTERNATIVE,
        siblings=Siblings(answers=step(2, 2)),
    ),
)
ROLLED_BACK = RolledBack(4, 3)


def page(turns=TURNS, **changes):
    values = {"line": FORK, "rolled_back": ROLLED_BACK}
    return samples.page(turns, **{**values, **changes})
