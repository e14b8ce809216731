"""Pictures of the inspector's panels as they are in a running page: wide, phone, light, dark."""

from pathlib import Path

from playwright.sync_api import Page, expect

PANELS = ("context", "summary", "session", "selected", "branches", "attempts", "log")
WIDE = {"width": 1440, "height": 1000}
PHONE = {"width": 390, "height": 844}


def take_pictures(page: Page, folder: Path) -> list[Path]:
    """Take one picture of each panel alone in each size and theme, and return their files."""
    folder.mkdir(parents=True, exist_ok=True)
    taken = []
    for size, viewport in (("wide", WIDE), ("phone", PHONE)):
        page.set_viewport_size(viewport)
        if size == "phone":
            page.locator("[data-toggle-inspector]").click()
        for name in PANELS:
            _open_alone(page, name)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                taken.append(folder / f"panel-{name}-{size}-{scheme}.png")
                page.locator("#inspector").screenshot(path=taken[-1], animations="disabled")
        if size == "phone":
            page.locator("#inspector [data-close-inspector]").click()
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(WIDE)
    return taken


def take_page_pictures(page: Page, folder: Path) -> list[Path]:
    """Take the wide pages of the newest request and of the strategies, and return their files."""
    _open_alone(page, "context")
    found = {
        name: page.locator(f"#body-context a[href*='/{name}']").first.evaluate("(it) => it.href")
        for name in ("wire", "compare")
    }
    taken = []
    for name, address in found.items():
        page.goto(address)
        for size, viewport in (("wide", WIDE), ("phone", PHONE)):
            page.set_viewport_size(viewport)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                taken.append(folder / f"{name}-{size}-{scheme}.png")
                page.screenshot(path=taken[-1], full_page=True, animations="disabled")
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(WIDE)
    return taken


def _open_alone(page: Page, name: str) -> None:
    for other in PANELS:
        panel = page.locator(f"#panel-{other}")
        is_open = panel.get_attribute("open") is not None
        if is_open != (other == name):
            panel.locator("> summary").click()
    expect(page.locator(f"#body-{name}")).not_to_have_text("Loading…")
    page.locator(f"#panel-{name}").evaluate("(panel) => panel.scrollIntoView({block: 'start'})")
