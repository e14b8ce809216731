"""Checks what import-linter cannot see, parts of outside packages: python -m tools.check_doors."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Ban(NamedTuple):
    """Folders that may not import from a module, but for a few names."""

    folders: tuple[str, ...]
    module: str
    allowed: tuple[str, ...]
    reason: str


BANS = (
    Ban(
        ("chatapp/consumers", "chatapp/tasks", "chatapp/views"),
        "django.db",
        ("DatabaseError",),
        "A door translates errors and does not touch the database: call a service or a selector.",
    ),
    Ban(
        ("chatapp/management",),
        "django.db",
        ("DatabaseError", "connections"),
        "A command closes its connections and calls a service or a selector for anything else.",
    ),
    Ban(
        ("chatapp/presenters",),
        "django.db",
        (),
        "A presenter asks nothing: selectors hand it what to show.",
    ),
    Ban(
        ("chatapp/runtime",),
        "django.db",
        ("DatabaseError", "InterfaceError", "connections"),
        "The runtime minds the connections of its threads; rows are the matter of services.",
    ),
)


def main() -> int:
    """Print every import that is banned; return the exit code."""
    findings = [line for ban in BANS for folder in ban.folders for line in violations(ban, folder)]
    print("\n".join(findings) or "Doors are kept.")
    return 1 if findings else 0


def violations(ban: Ban, folder: str) -> Iterator[str]:
    """Yield one line for each banned import in a folder."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for line, module in imports(path):
            if is_banned(ban, module):
                yield f"{path.relative_to(ROOT)}:{line} imports {module}. {ban.reason}"


def is_banned(ban: Ban, module: str) -> bool:
    """Return whether the full name of something imported falls under a ban."""
    allowed = {f"{ban.module}.{name}" for name in ban.allowed}
    return f"{module}.".startswith(f"{ban.module}.") and module not in allowed


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and full name of everything that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


if __name__ == "__main__":
    sys.exit(main())
