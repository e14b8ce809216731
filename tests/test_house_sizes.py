"""The size check finds what is too long, and only that."""

from pathlib import Path

import pytest

from tools import check_sizes
from tools.check_sizes import Budget, Part, check, functions

BUDGET = Budget(median=10, p95=40, cap=60)


def lines_of(*lines: int) -> list[Part]:
    return [Part(f"part{number}", count) for number, count in enumerate(lines)]


def test_short_parts_are_fine():
    assert list(check("function", BUDGET, lines_of(3, 10, 20))) == []


def test_no_part_is_fine():
    assert list(check("function", BUDGET, [])) == []


def test_one_part_over_the_cap_is_named():
    findings = list(check("function", BUDGET, lines_of(*[5] * 40, 61)))

    assert findings == ["The function part40 has 61 lines; 60 are allowed."]


def test_a_high_median_is_found():
    assert list(check("function", BUDGET, lines_of(11, 11, 11))) == [
        "The median function has 11 lines; 10 are allowed."
    ]


def test_many_long_parts_are_found():
    (finding,) = check("function", BUDGET, lines_of(*[5] * 18, 41, 41))

    assert finding.startswith("The 95th percentile function has 41 lines; 40 are allowed: part18")


def test_functions_of_every_kind_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(check_sizes, "ROOT", tmp_path)
    module = tmp_path / "module.py"
    module.write_text(
        "class A:\n    @x\n    def b(self):\n        return 1\nasync def c():\n    pass\n"
    )

    assert {part.name.split()[1]: part.lines for part in functions(module)} == {"b": 2, "c": 2}
