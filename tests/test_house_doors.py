"""The door check finds imports that import-linter cannot see."""

from pathlib import Path

import pytest

from tools import check_doors
from tools.check_doors import Ban, violations

BAN = Ban(("views",), "django.db", ("DatabaseError",), "Ask a service.")


@pytest.fixture
def views(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(check_doors, "ROOT", tmp_path)
    folder = tmp_path / "views"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    "line",
    [
        "import django.db",
        "import django.db.models",
        "from django.db import transaction",
        "from django import db",
        "def f():\n    from django.db.models import Q",
    ],
)
def test_every_form_of_a_banned_import_is_found(views: Path, line: str):
    (views / "pages.py").write_text(f"{line}\n")

    (finding,) = violations(BAN, "views")

    assert finding.startswith("views/pages.py:")
    assert finding.endswith("Ask a service.")


@pytest.mark.parametrize(
    "line",
    [
        "import django.dbx",
        "from django.db import DatabaseError",
        "from django import http",
        "import db",
    ],
)
def test_other_imports_are_left_alone(views: Path, line: str):
    (views / "pages.py").write_text(f"{line}\n")

    assert list(violations(BAN, "views")) == []
