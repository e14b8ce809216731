"""A real Chromium on a real web process; every page is watched for faults of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.support.chat_page import DEADLINE_MS, ChatPage
from tests.support.installation import Installation
from tests.support.local_run import local_copy, local_data_dir, local_run
from tests.support.page_watch import PageWatch
from tests.support.scripted_provider.thread import ProviderThread
from tests.support.skips import chromium_path
from tests.support.web_process import ROOT, WebProcess

__all__ = ["local_copy", "local_data_dir", "local_run"]

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PICTURES = ROOT / ".cache" / "browser"
WINDOW = {"width": 1280, "height": 800}

call_failed = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    if report.when == "call":
        item.stash[call_failed] = report.failed
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def installed(
    tmp_path_factory: pytest.TempPathFactory, running_provider: ProviderThread
) -> Installation:
    """Return the installation, on its own data, of all tests with a browser."""
    installation = Installation(tmp_path_factory.mktemp("browser"), running_provider.base_url)
    installation.prepare()
    return installation


@pytest.fixture(scope="session")
def web(installed: Installation) -> Iterator[WebProcess]:
    """Run one web process for all tests with a browser."""
    with installed.web() as process:
        yield process


# Not for the session: while the synchronous interface is open it holds an event loop, in which
# the asynchronous tests of other folders could not run.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Run Chromium for the tests of one module."""
    path = chromium_path()
    expect.set_options(timeout=DEADLINE_MS)  # other tests may run at the same time
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def chat(
    request: pytest.FixtureRequest, chromium: Browser, web: WebProcess, provider: ProviderThread
) -> Iterator[ChatPage]:
    """Open the application in a fresh profile; at the end its pages must be without fault."""
    context = chromium.new_context(viewport=WINDOW, base_url=web.url, locale="en-US")
    watch = PageWatch(context)
    page = ChatPage(context.new_page(), watch)
    yield page
    failed = request.node.stash.get(call_failed, True)
    if failed:
        watch.save(PICTURES, request.node.name)
    faults = watch.faults()
    context.close()
    assert failed or not faults, "\n".join(faults)
