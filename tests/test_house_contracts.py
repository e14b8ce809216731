"""The rules that keep the core pure can fail."""

import subprocess
import sys

import grimp
import pytest

from tools.import_contracts import foreign_imports


def check(*imports: tuple[str, str]) -> list[tuple[str, str]]:
    graph = grimp.ImportGraph()
    for importer, imported in imports:
        graph.add_import(importer=importer, imported=imported)
    return list(foreign_imports(graph, {"core"}, {"math"}))


def test_a_listed_package_may_be_imported():
    assert check(("core.plan", "math"), ("core.plan", "core.turns")) == []


def test_a_package_that_is_not_listed_is_found():
    found = check(("core.plan", "math"), ("core.plan", "socket.io"))

    assert found == [("core.plan", "socket.io")]


def test_imports_of_other_packages_are_not_its_matter():
    assert check(("core.plan", "math"), ("web.views", "socket")) == []


@pytest.mark.parametrize(
    "line",
    [
        "import time",
        "import uuid",
        "import os",
        "from random import choice",
        "import datetime as d\nd.datetime.now(d.UTC)",
    ],
)
def test_the_core_may_not_read_the_clock_or_make_an_id(line: str):
    assert "TID251" in lint(line, "statecore/sample.py")


def test_other_packages_may():
    assert "TID251" not in lint("import time", "chatapp/sample.py")


def lint(source: str, path: str) -> str:
    command = [sys.executable, "-m", "ruff", "check", "--stdin-filename", path, "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    return done.stdout
