"""Checks that files and functions stay small: python -m tools.check_sizes."""

import ast
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("statecore", "chatapp")
GENERATED = "migrations"
LARGEST_PARTS = 5


class Budget(NamedTuple):
    """How many lines the median, the 95th percentile and the longest may have."""

    median: int
    p95: int
    cap: int


class Part(NamedTuple):
    """A thing that has lines."""

    name: str
    lines: int


MODULES = Budget(median=100, p95=300, cap=400)
FUNCTIONS = Budget(median=10, p95=40, cap=60)
TEMPLATES = Budget(median=60, p95=150, cap=150)


def main() -> int:
    """Print every budget that is not kept; return the exit code."""
    sources = [path for package in PACKAGES for path in python_files(ROOT / package)]
    findings = [
        *check("module", MODULES, [part_of_file(path) for path in sources]),
        *check("function", FUNCTIONS, [part for path in sources for part in functions(path)]),
        *check("template", TEMPLATES, [part_of_file(path) for path in templates()]),
    ]
    print("\n".join(findings) or "Sizes are kept.")
    return 1 if findings else 0


def check(kind: str, budget: Budget, parts: Sequence[Part]) -> Iterator[str]:
    """Yield one line for each figure of the budget that is not kept."""
    if not parts:
        return
    lines = sorted(part.lines for part in parts)
    median = statistics.median(lines)
    p95 = lines[min(len(lines) - 1, int(len(lines) * 0.95))]
    if median > budget.median:
        yield f"The median {kind} has {median:g} lines; {budget.median} are allowed."
    if p95 > budget.p95:
        longest = sorted(parts, key=lambda part: -part.lines)[:LARGEST_PARTS]
        names = ", ".join(f"{part.name} ({part.lines})" for part in longest)
        yield f"The 95th percentile {kind} has {p95} lines; {budget.p95} are allowed: {names}."
    for part in parts:
        if part.lines > budget.cap:
            yield f"The {kind} {part.name} has {part.lines} lines; {budget.cap} are allowed."


def python_files(folder: Path) -> Iterator[Path]:
    """Yield the modules that somebody wrote: no migration, no empty package file."""
    for path in sorted(folder.rglob("*.py")):
        if GENERATED not in path.parts and path.stat().st_size:
            yield path


def templates() -> Iterator[Path]:
    """Yield every template."""
    yield from sorted((ROOT / "templates").rglob("*.html"))


def part_of_file(path: Path) -> Part:
    """Return a file as a part."""
    return Part(str(path.relative_to(ROOT)), len(path.read_text(encoding="utf-8").splitlines()))


def functions(path: Path) -> Iterator[Part]:
    """Yield every function of a module, decorators left out."""
    name = path.relative_to(ROOT)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            yield Part(f"{name}:{node.lineno} {node.name}", lines)


if __name__ == "__main__":
    sys.exit(main())
