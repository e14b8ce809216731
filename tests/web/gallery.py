"""Writes the pages with sample rows as files and takes their pictures, to be looked at.

Run by hand, nothing asserts on it; it needs Chromium:
`DJANGO_SETTINGS_MODULE=tests.settings python manage.py shell -c "from tests.web import gallery;
gallery.main('FOLDER')"`.
"""

import re
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from django.contrib.auth.models import AnonymousUser, User
from django.template.loader import render_to_string
from django.test import RequestFactory
from playwright.sync_api import Browser, sync_playwright

from chatapp.forms.accounts import SignInForm
from chatapp.presenters.comparison import Asked, present_comparison
from chatapp.presenters.conversations import present_empty, present_page
from chatapp.presenters.preview import present_preview
from chatapp.presenters.refusals import present_refusal
from chatapp.presenters.replays import present_replays, present_run
from chatapp.presenters.wire import present_wire
from tests.web import (
    branch_samples,
    memory_samples,
    plan_samples,
    replay_samples,
    samples,
    wire_samples,
)
from tests.web.panel_samples import panels

WHOLE = {"wire", "compare", "replays", "replay"}
"""Pages that are longer than a screen and have no panes."""
SCREENS = {"wide": (1440, 900), "phone": (390, 844)}


def pages():
    """Return the HTML of each page by name."""
    conversations = samples.CONVERSATIONS
    running = samples.running_turn(
        7, input_text="Explain how HTTP caching works.", partial_text=samples.CODE_ANSWER[:420]
    )
    waiting = samples.running_turn(7, input_text="Explain how HTTP caching works.")
    failed = samples.broken_turn(7, input_text="Explain how HTTP caching works.")
    loading = samples.model(ready=False, state="downloading", progress=0.43)

    def chat(turns, models=samples.MODELS, **changes):
        page = samples.page(turns, **changes)
        return present_page(page, models, conversations, samples.sample_id(904))

    contexts = {
        "chat": chat(samples.TURNS),
        "code": chat(samples.TURNS[:1], older_before=None),
        "running": chat((*samples.TURNS[:2], running)),
        "waiting": chat((*samples.TURNS[1:2], waiting)),
        "failed": chat((*samples.TURNS[1:2], failed)),
        "new": chat((), (loading, *samples.MODELS[1:]), title=None, older_before=None),
        "empty": present_empty(samples.MODELS),
    }
    contexts["tree"] = present_page(
        branch_samples.page(), samples.MODELS, conversations, samples.sample_id(904)
    )
    contexts["markers"] = chat((*samples.TURNS[:2], *MARKED))
    shown = {name: _render("chat/page.html", context) for name, context in contexts.items()}
    wire = present_wire(wire_samples.wire_row(), memory_samples.places(), samples.sample_id(900))
    asked = Asked(last_tokens=None)
    compared = present_comparison(
        plan_samples.comparison(),
        memory_samples.places(),
        samples.MODELS,
        asked,
        samples.sample_id(900),
    )
    shown["compare"] = _render("inspector/compare.html", compared)
    shown["preview"] = _with_preview(shown["markers"])
    shown["wire"] = _with_account(_render("inspector/wire.html", wire))
    listed = present_replays(
        replay_samples.RUNS, replay_samples.CONVERSATIONS, replay_samples.MODELS
    )
    shown["replays"] = _render("replay/list.html", listed)
    found = present_run(replay_samples.run(), replay_samples.titles())
    shown["replay"] = _render("replay/run.html", found).replace('class="fold"', 'class="fold" open')
    for name, figures in panels().items():
        shown[f"panel-{name}"] = _with_bodies(shown["code"], figures)
    refusal = render_to_string("chat/_refusal.html", present_refusal("moved_on"))
    place = '<div id="composer-error" role="alert">'
    shown["refused"] = shown["code"].replace(place, place + refusal)
    shown["login"] = _render("registration/login.html", {"form": SignInForm(), "signup": True})
    shown["404"] = _render("404.html", {})
    return shown


MARKED = (
    samples.turn(4, input_text="HTTP 缓存是怎么工作的?", answer_text=samples.CHINESE_ANSWER),
    samples.turn(
        5, input_text="Tell me more.", answer_text="A proxy.", attempts=(wire_samples.attempt(),)
    ),
)


def _with_preview(page):
    """Return a page on which a text is being typed and the line under it is open."""
    places = memory_samples.places()
    preview = plan_samples.preview(missing=plan_samples.MISSING)
    shown = present_preview(preview, samples.sample_id(900), places)
    html = render_to_string("chat/_preview.html", shown).replace(" >", " open>", 1)
    page = re.sub(r'<details class="preview".*?</details>', lambda _: html, page, flags=re.DOTALL)
    page = page.replace("</textarea>", f"{plan_samples.INPUT}</textarea>", 1)
    return page.replace('js/main.js"', 'js/themes.js"')


def _with_account(page):
    """Return a wire view in which one part says why it is there."""
    found = re.search(r'role="button" tabindex="0" data-account="([^"]+)"', page)
    return page.replace(f'id="{found[1]}" hidden', f'id="{found[1]}"')


def _with_bodies(page, figures):
    heads, bodies = figures
    page = re.sub(r'(<details class="panel"[^>]*?) open>', r"\1>", page)
    for figure in heads["figures"]:
        place = f'id="figure-{figure.name}">'
        page = page.replace(place, place + figure.text)
    for name, html in bodies.items():
        page = re.sub(
            rf'<div class="panel-body" id="body-{name}".*?</div>', lambda _, h=html: h, page
        )
        page = page.replace(f'id="panel-{name}"', f'id="panel-{name}" open')
    return page.replace('js/main.js"', 'js/themes.js"')  # whose panels fetch nothing


def _render(template, context):
    request = RequestFactory().get("/")
    request.user = User(username="ada") if "models" in context else AnonymousUser()
    html = render_to_string(template, context, request)
    return html.replace("hx-ws:connect=", "data-no-socket=").replace("?selected=", "#")


def photograph(browser: Browser, address, folder, name):
    """Take the pictures of one page, light and dark, wide and narrow."""
    for screen, (width, height) in SCREENS.items():
        for scheme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": width, "height": height}, color_scheme=scheme
            )
            page.on("console", lambda message, name=name: print(name, message.text))
            page.goto(f"{address}/{name}.html")
            page.evaluate("document.fonts.ready")
            if name.startswith("panel-"):
                if screen == "phone":
                    page.evaluate("document.documentElement.dataset.drawer = 'inspector'")
                    page.wait_for_timeout(300)
                else:
                    page.set_viewport_size({"width": width, "height": 1400})
            whole = name in WHOLE
            page.screenshot(full_page=whole, path=folder / f"{name}-{screen}-{scheme}.png")
            page.close()


def main(folder, *names):
    """Write pages and pictures into a folder; of all pages, or of those named."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, html in pages().items():
        (folder / f"{name}.html").write_text(html)
    static = folder / "static"
    if not static.exists():
        static.symlink_to(Path("static").resolve())
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    handler.log_message = lambda *_: None
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        for name in names or pages():
            photograph(browser, address, folder, name)
    server.shutdown()
