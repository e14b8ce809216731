"""The pages for people say what the code says."""

import re
import tomllib
from itertools import chain

import pytest

from statecore.__main__ import main
from tests.support.web_process import ROOT

READER = re.compile(r'env_[a-z]+\(\s*"([A-Z_]+)"')


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def layers() -> set[str]:
    contracts = tomllib.loads(text("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    named = chain.from_iterable(contract.get("layers", ()) for contract in contracts)
    return {room for line in named for room in re.findall(r"\w+", line)}


def settings() -> set[str]:
    return set(READER.findall(text("chatapp/settings.py")))


def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))


def test_every_room_stands_in_the_architecture():
    words = set(re.findall(r"\w+", text("docs/architecture.md")))

    assert layers() - words == set()


def test_every_setting_stands_in_the_readme():
    assert len(settings()) > 10
    assert {name for name in settings() if f"`{name}`" not in text("README.md")} == set()


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_command_of_a_page_is_there(page: str):
    commands = re.findall(r"`?make ([a-z-]+)", text(page))

    assert commands
    assert set(commands) - targets() == set()


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/architecture.md"])
def test_every_link_of_a_page_leads_somewhere(page: str):
    folder = (ROOT / page).parent
    links = re.findall(r"\]\(([^):#]+)\)", text(page))

    assert [link for link in links if not (folder / link).exists()] == []


def test_the_licence_is_the_one_that_is_named():
    assert "Apache License" in text("LICENSE")
    assert 'license = "Apache-2.0"' in text("pyproject.toml")


def test_the_readme_shows_what_explain_prints(capsys: pytest.CaptureFixture[str]):
    sample = re.compile(r"explain (\S+) --window (\d+)\n```\n\n```text\n(.*?)```", re.DOTALL)
    shown = sample.search(text("README.md"))

    assert main(["explain", str(ROOT / shown[1]), "--window", shown[2]]) == 0
    assert capsys.readouterr().out == shown[3]
