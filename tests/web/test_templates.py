"""The pages hold to the policy, name their parts and escape whatever they show."""

from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import RequestFactory

from chatapp.forms.accounts import PasswordForm, SignInForm, SignUpForm
from chatapp.presenters.attempts import (
    present_attempts,
    present_attempts_turn,
    present_request,
)
from chatapp.presenters.comparison import Asked, present_comparison
from chatapp.presenters.conversations import present_empty, present_list, present_page
from chatapp.presenters.logs import present_log
from chatapp.presenters.models import present_models
from chatapp.presenters.preview import present_preview
from chatapp.presenters.refusals import present_refusal
from chatapp.presenters.session import present_session
from chatapp.presenters.summary import Editing, present_summary
from chatapp.presenters.turns import present_older, present_turn
from chatapp.presenters.wire import present_wire, wire_view
from chatapp.selectors.log import MessageRow
from chatapp.selectors.rows import RolledBack
from statecore.memory.tombstones import Removed
from statecore.requests import RequestMessage, ToolDefinition
from statecore.state.operations import Add, Delete, Rejected, Target
from tests.web import branch_samples, memory_samples, plan_samples, samples, wire_samples
from tests.web.panel_samples import panels

CONVERSATION = samples.sample_id(900)
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    ]
)


class Page(HTMLParser):
    """The elements of a page, with what is wrong in their nesting."""

    def __init__(self, html):
        super().__init__()
        self.elements = []
        self.open = []
        self.misnested = []
        self.words = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.misnested.append(tag)

    def handle_data(self, data):
        self.words.append(data.strip())

    def ids(self):
        return [attrs["id"] for _, attrs in self.elements if "id" in attrs]

    def find(self, element_id):
        return next(attrs for _, attrs in self.elements if attrs.get("id") == element_id)


def whole(context, template="chat/page.html"):
    request = RequestFactory().get("/")
    request.user = User(username="ada")
    return render_to_string(template, context, request)


def chat(turns=samples.TURNS, models=samples.MODELS, conversations=samples.CONVERSATIONS, **more):
    page = samples.page(turns, **more)
    return whole(present_page(page, models, conversations, samples.sample_id(904)))


HOSTILE_LINE = replace(branch_samples.FORK, name=HOSTILE)
HOSTILE_FORM = {"username": HOSTILE, "password": "", "password1": "1", "password2": HOSTILE}
HOSTILE_TURNS = (
    samples.turn(1, input_text=HOSTILE, answer_text=HOSTILE, model_name=HOSTILE),
    samples.broken_turn(
        2,
        input_text=HOSTILE,
        partial_text=HOSTILE,
        attempts=(
            samples.attempt(
                2, status="failed", model_name=HOSTILE, detail=HOSTILE, output_text=HOSTILE
            ),
        ),
    ),
)
PAGES = {
    "chat": chat(),
    "running": chat((samples.running_turn(partial_text="So far"),)),
    "new": chat((), title=None),
    "empty": whole(present_empty(samples.MODELS)),
    "no model": chat(models=()),
    "tree": chat(branch_samples.TURNS, line=branch_samples.FORK, rolled_back=RolledBack(4, 3)),
    "archived": chat(line=branch_samples.FORK, is_archived=True, fork_limit=3),
    "hostile lines": chat(
        tuple(replace(turn, line=HOSTILE_LINE) for turn in branch_samples.TURNS),
        line=HOSTILE_LINE,
    ),
    "loading": chat(models=(samples.model(ready=False, state="downloading", progress=0.4),)),
    "hostile": chat(
        HOSTILE_TURNS,
        (samples.model(HOSTILE, ready=False, state="failed", detail=HOSTILE, expect=HOSTILE),),
        title=HOSTILE,
    ),
    "sign-in": whole({"form": SignInForm(HOSTILE_FORM), "signup": True}, "registration/login.html"),
    "sign-up": whole({"form": SignUpForm(HOSTILE_FORM)}, "registration/signup.html"),
    "password": whole(
        {"form": PasswordForm(HOSTILE_FORM, user=User(username=HOSTILE))}, "accounts/password.html"
    ),
    "account": whole(
        {"name": HOSTILE, "since": datetime(2026, 1, 2, tzinfo=UTC), "sessions": 2},
        "accounts/account.html",
    ),
    "wire": whole(
        present_wire(wire_samples.wire_row(), memory_samples.places(), CONVERSATION),
        "inspector/wire.html",
    ),
    "compare": whole(
        present_comparison(
            plan_samples.comparison(),
            memory_samples.places(),
            samples.MODELS,
            Asked(HOSTILE, error=HOSTILE),
            CONVERSATION,
        ),
        "inspector/compare.html",
    ),
    "preview": render_to_string(
        "chat/_preview.html",
        present_preview(plan_samples.preview(HOSTILE), CONVERSATION, memory_samples.places()),
    ),
    "400": whole({}, "400.html"),
    "403": whole({}, "403.html"),
    "404": whole({}, "404.html"),
    "500": render_to_string("500.html"),
}


PAGES.update(
    {
        f"{name} panel, {body}": html
        for name, (_, bodies) in panels().items()
        for body, html in bodies.items()
    }
)


@pytest.fixture(params=PAGES)
def page(request):
    return Page(PAGES[request.param])


def test_nothing_is_inline(page):
    assert not [tag for tag, attrs in page.elements if tag == "style" or "style" in attrs]
    assert not [attrs for _, attrs in page.elements if any(name[:2] == "on" for name in attrs)]
    scripts = [attrs for tag, attrs in page.elements if tag == "script"]
    assert all(attrs.get("src", "").startswith("/static/") for attrs in scripts)


def test_nothing_needs_evaluation_which_the_policy_forbids(page):
    triggers = [attrs.get("hx-trigger", "") for _, attrs in page.elements]

    assert not [trigger for trigger in triggers if "[" in trigger]
    assert not [
        value
        for _, attrs in page.elements
        for name, value in attrs.items()
        if name.startswith("hx-") and (name.startswith("hx-on") or (value or "").startswith("js:"))
    ]


def test_nothing_comes_from_elsewhere(page):
    addresses = [
        attrs[name] for _, attrs in page.elements for name in ("src", "href") if attrs.get(name)
    ]

    assert all(address.startswith(("/", "#")) and address[:2] != "//" for address in addresses)


def test_elements_close_in_their_order_and_ids_are_unique(page):
    ids = page.ids()

    assert page.misnested == []
    assert page.open == []
    assert len(ids) == len(set(ids))


def test_every_field_and_button_has_a_name(page):
    labels = {attrs.get("for") for tag, attrs in page.elements if tag == "label"}
    fields = [
        attrs
        for tag, attrs in page.elements
        if tag in {"textarea", "select"} or (tag == "input" and attrs.get("type") != "hidden")
    ]

    assert all("aria-label" in attrs or attrs.get("id") in labels for attrs in fields)


@pytest.mark.parametrize(
    ("template", "context", "element_id"),
    [
        (
            "chat/_turn.html",
            present_turn(samples.turn(), CONVERSATION),
            f"turn-{samples.sample_id(1)}",
        ),
        (
            "chat/_older.html",
            present_older(samples.TURNS[:1], CONVERSATION, samples.sample_id(1)),
            "older",
        ),
        ("chat/_list.html", present_list(samples.CONVERSATIONS, None, CONVERSATION), "list"),
        (
            "inspector/_attempts.html",
            present_attempts(samples.TURNS, samples.TURNS[-1], CONVERSATION),
            "body-attempts",
        ),
        (
            "inspector/_attempts_turn.html",
            present_attempts_turn(samples.turn(), CONVERSATION),
            f"tried-{samples.sample_id(1)}",
        ),
        ("models/_status.html", present_models(samples.MODELS), "status"),
    ],
)
def test_a_partial_holds_the_element_that_it_replaces(template, context, element_id):
    html = render_to_string(template, context)

    assert element_id in Page(html).ids()


def test_a_running_turn_has_a_place_for_live_text_and_a_stop():
    turn = samples.running_turn()
    page = Page(render_to_string("chat/_turn.html", present_turn(turn, CONVERSATION)))

    article = page.find(f"turn-{turn.id}")
    assert (article["data-status"], article["aria-busy"]) == ("running", "true")
    assert "data-live" in page.find(f"live-{turn.id}")
    assert any(attrs.get("hx-post", "").endswith("/stop") for _, attrs in page.elements)


@pytest.mark.parametrize("turn", [samples.broken_turn(), samples.TURNS[-1]])
def test_a_broken_turn_offers_a_retry_and_no_spinner(turn):
    html = render_to_string("chat/_turn.html", present_turn(turn, CONVERSATION))

    assert "/retry" in html
    assert "data-thinking" not in html


def test_what_no_model_saw_is_folded_away_without_a_retry():
    turn = samples.broken_turn(seen=False)
    html = render_to_string("chat/_turn.html", present_turn(turn, CONVERSATION))

    assert "Not seen by the model" in html
    assert "/retry" not in html


def test_the_status_asks_again_only_until_the_model_is_ready():
    waiting = present_models((samples.model(ready=False, state="starting"),))

    assert "every 2s" in render_to_string("models/_status.html", waiting)
    ready = render_to_string("models/_status.html", present_models(samples.MODELS))
    assert "hx-get" not in ready
    assert Page(ready).find("status")["data-ready"] == "true"


def test_a_refusal_is_one_sentence_with_its_code():
    html = render_to_string("chat/_refusal.html", present_refusal("moved_on"))

    assert 'data-refusal="moved_on"' in html


@pytest.mark.parametrize("proven", [True, False, None])
def test_the_exact_request_is_text(proven):
    html = render_to_string("inspector/_request.html", present_request(HOSTILE, proven=proven))

    assert "script" not in {tag for tag, _ in Page(html).elements}


def test_a_panel_costs_the_same_however_many_turns_stand_behind_it():
    few, many = (
        len(
            render_to_string(
                "inspector/_attempts.html", present_attempts(turns, turns[-1], CONVERSATION)
            )
        )
        for turns in (
            tuple(samples.turn(n) for n in range(1, 3)),
            tuple(samples.turn(n) for n in range(1, 32)),
        )
    )

    # A waiting turn is one line; a whole one has more than six thousand characters.
    assert (many - few) / 29 < 800


def hostile_memory():
    """Memory in which every word that a person or a model may choose is hostile."""
    entry = memory_samples.entry(1, id=HOSTILE, text=HOSTILE, quote=HOSTILE + "!")
    field = memory_samples.field(HOSTILE, value=HOSTILE)
    span = memory_samples.span()
    memory = memory_samples.memory(
        entries=(entry, memory_samples.entry(2, text=HOSTILE, status="superseded")),
        fields=(field, memory_samples.field(HOSTILE + "2", value=HOSTILE, removed=True)),
        rejected=(Rejected(span, HOSTILE, HOSTILE, "bad_label"),),
        removed=(Removed(9, (span,), HOSTILE),),
        operations=(
            memory_samples.operation(8, Add("fact", HOSTILE, span, "model")),
            memory_samples.operation(9, Delete(Target(HOSTILE, (span,), HOSTILE))),
        ),
    )
    return memory_samples.page(memory=memory)


@pytest.mark.parametrize("editing", ["", HOSTILE, "nobody"])
def test_hostile_words_of_memory_are_text_and_attributes(editing):
    page, opened = hostile_memory(), Editing(editing, 3)
    again = memory_samples.rereading()
    rest = {"editing": opened, "now_ms": samples.NOW_MS}
    places = memory_samples.places()
    answers = {place: replace(found, role="assistant") for place, found in places.items()}
    log = memory_samples.log(
        query=HOSTILE,
        messages=(
            MessageRow(samples.sample_id(1), "user", None, samples.NOW_MS, HOSTILE, redacted=True),
        ),
    )

    drawn = [
        render_to_string(f"inspector/_{name}.html", context)
        for name, context in (
            ("summary", present_summary(page, answers, CONVERSATION, again=again, **rest)),
            ("session", present_session(page, answers, CONVERSATION, **rest)),
            ("log", present_log(log, CONVERSATION, before=9)),
        )
    ]

    for html in drawn:
        found = Page(html)
        assert not {"img", "script"} & {tag for tag, _ in found.elements}
        assert not [attrs for _, attrs in found.elements if any(n[:2] == "on" for n in attrs)]
        assert HOSTILE in {*found.words, *(v for _, a in found.elements for v in a.values())}


def hostile_wire():
    """A request in which all that somebody could have written is hostile."""
    notes = wire_samples.NOTES.replace("KZN-48371", HOSTILE)
    words = (RequestMessage("system", HOSTILE), *wire_samples.messages(lambda _: HOSTILE)[1:-2])
    messages = (*words, RequestMessage("system", notes), RequestMessage("user", HOSTILE))
    start = notes.index(HOSTILE)
    mark = {"id": HOSTILE, "group": HOSTILE, "reason": HOSTILE, "message": 5}
    pointer = {**wire_samples.ANCHORS[0], "pointer_start": 0, "pointer_end": len(HOSTILE)}
    return wire_samples.told(
        messages=messages,
        selected=[{**mark, "start": start, "end": start + len(HOSTILE)}],
        tools=(ToolDefinition(HOSTILE, HOSTILE, HOSTILE),),
        anchors=[pointer],
        roles=[HOSTILE] * len(messages),
        memory=hostile_memory().memory,
        left_out=[{"id": HOSTILE, "reason": "visible"}],
    )


def test_hostile_words_of_a_request_are_text_and_attributes():
    wire = wire_view(hostile_wire(), memory_samples.places(), "w")

    found = Page(render_to_string("inspector/_wire.html", {"wire": wire, "proof": HOSTILE}))

    assert not {"img", "script"} & {tag for tag, _ in found.elements}
    assert not [attrs for _, attrs in found.elements if any(n[:2] == "on" for n in attrs)]
    assert found.words.count(HOSTILE) >= len(wire.messages)
    assert found.misnested == []


@pytest.mark.parametrize(
    "words",
    [
        "<svg onload=alert(1)>",
        """<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>""",
        "[click](javascript:alert(1)) ![p](https://elsewhere.invalid/?q=1)",
        "<style>body { display: none }</style><a href='//elsewhere.invalid'>x</a>",
        "```html\n</code></pre></div></span><script>alert(1)</script>",
        "</details></template><button formaction='javascript:alert(1)'>",
        "\u202etxt.exe\u0000 {{ 7|add:7 }} {% now 'Y' %}",
        "[" * 40_000,
    ],
)
def test_no_message_of_a_request_adds_an_element(words):
    plain, hostile = (
        Page(
            render_to_string(
                "inspector/_wire.html",
                {
                    "wire": wire_view(
                        wire_samples.told(
                            messages=wire_samples.messages(lambda _, text=text: text),
                            selected=[],
                        ),
                        memory_samples.places(),
                        "w",
                    )
                },
            )
        )
        for text in ("calm", words)
    )

    assert [tag for tag, _ in hostile.elements] == [tag for tag, _ in plain.elements]
    assert hostile.open == hostile.misnested == []
    assert any(words.strip() in said for said in hostile.words)


def test_a_part_of_the_wire_view_works_by_keyboard_and_names_its_account():
    wire = wire_view(wire_samples.told(), memory_samples.places(), "w")
    page = Page(render_to_string("inspector/_wire.html", {"wire": wire}))

    openers = [attrs for _, attrs in page.elements if "data-account" in attrs]
    ids = page.ids()
    assert len(openers) > len(wire.messages)
    assert all(attrs["aria-controls"] in ids for attrs in openers)
    assert all(
        attrs.get("type") == "button" or (attrs["role"], attrs["tabindex"]) == ("button", "0")
        for attrs in openers
    )


def test_what_holds_and_was_not_sent_is_said_under_the_answer():
    turn = samples.turn(6, attempts=(wire_samples.attempt(),))
    html = render_to_string("chat/_turn.html", present_turn(turn, CONVERSATION))

    article = Page(html).find(f"turn-{turn.id}")
    assert (article["data-depth"], article["data-verbatim"]) == ("6", "5")
    assert "2 things that you said" in html
    assert "tier 0 → 2: 18,400 → 9,100 tokens" in html
