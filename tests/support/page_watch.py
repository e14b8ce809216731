"""Watches the pages of one browser profile for what a person would not see."""

import re
from pathlib import Path

from playwright.sync_api import BrowserContext, ConsoleMessage, Page

REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP violation: ${event.violatedDirective} ${event.blockedURI}`));
"""


class PageWatch:
    """Collects console lines, uncaught errors and violations of the content security policy."""

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._lines: list[str] = []
        self._faults: list[str] = []
        self._allowed: list[re.Pattern[str]] = []
        context.add_init_script(REPORT_VIOLATIONS)
        context.on("page", self._watch)

    def allow(self, pattern: str) -> None:
        """Let faults pass that a test provokes on purpose."""
        self._allowed.append(re.compile(pattern))

    def faults(self) -> list[str]:
        """Return what went wrong and was not allowed."""
        return [
            fault
            for fault in self._faults
            if not any(pattern.search(fault) for pattern in self._allowed)
        ]

    def save(self, folder: Path, name: str) -> None:
        """Write a picture of each page and all console lines."""
        folder.mkdir(parents=True, exist_ok=True)
        stem = re.sub(r"[^\w-]+", "_", name)
        for number, page in enumerate(self._context.pages, start=1):
            page.screenshot(path=folder / f"{stem}-{number}.png")
        (folder / f"{stem}.log").write_text("\n".join(self._lines), encoding="utf-8")

    def _watch(self, page: Page) -> None:
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self._faults.append(f"uncaught: {error}"))

    def _on_console(self, message: ConsoleMessage) -> None:
        line = f"{message.type}: {message.text}"
        self._lines.append(line)
        if message.type == "error":
            self._faults.append(line)
