"""Memory as selectors give it, for tests of what is made of it and for the gallery."""

from uuid import UUID

from chatapp.selectors.inspector import LookedAt, Place
from chatapp.selectors.log import LogPage, MessageRow, TransitionRow
from chatapp.selectors.memory import MemoryPage
from chatapp.selectors.rereading import Rereading
from statecore.memory.ledger import Entry, Span
from statecore.memory.session import Expiry, Field
from statecore.memory.tombstones import Removed
from statecore.state.fold import Memory, PathMemory
from statecore.state.operations import (
    Add,
    Delete,
    Delta,
    FieldSet,
    Operation,
    Rejected,
    SetField,
    Target,
)
from tests.web import samples

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
NOW_MS = samples.NOW_MS


def message_id(turn: int, place: int = 0) -> str:
    """Return the id of a message of a sample turn; its input is 0."""
    return str(UUID(int=samples.sample_id(70_000 + turn * 10 + place).int))


def span(turn=1, start=0, end=10):
    return Span(message_id(turn), start, end)


def entry(number=1, **changes):
    values = {
        "id": f"{message_id(number)}:0-10",
        "kind": "rule",
        "text": "Metric units only.",
        "sources": (span(number),),
        "author": "rules",
        "status": "active",
        "seq": number * 3,
        "said_seq": number * 3 - 2,
        "depth": number,
    }
    values = {**values, **changes}
    return Entry(**{"quote": values["text"], **values})


def field(key="current_goal", **changes):
    values = {
        "key": key,
        "value": "A quiet weekend in Kazan for two.",
        "setter": "rules",
        "seq": 6,
        "set_ms": NOW_MS - HOUR_MS,
        "source": span(2),
    }
    return Field(**{**values, **changes})


def operation(seq, action, *, created_ms=NOW_MS - 20_000):
    return Operation(seq, str(samples.sample_id(5)), 5, action, created_ms)


def place(turn: int, role="user") -> Place:
    return Place(samples.sample_id(turn), turn, role)


PLACES = {message_id(turn): place(turn) for turn in range(1, 9)}

ENTRIES = (
    entry(2, kind="goal", text="Мы едем в Казань на выходные вдвоём.", author="model"),
    entry(1, kind="goal", text="Compare three cities first.", status="paused", author="model"),
    entry(
        1,
        id="rule-1",
        text="Prices in euros, never in dollars.",
        pinned=True,
        changed_seq=21,
        sources=(span(1), span(4)),
    ),
    entry(3, text="不要再推荐酒店，只要民宿。"),
    entry(
        4,
        kind="decision",
        text="We take the 8:40 train on Friday and come back on Sunday evening.",
        quote="ok then the 8:40 train on friday, back sunday evening",
        author="model",
        changed_seq=22,
    ),
    entry(4, kind="fact", text="The booking code is KZN-48371.", id="fact-1"),
    entry(
        5,
        kind="fact",
        text="The budget is 900 euros, not 1,200.",
        id="fact-2",
        status="in_conflict",
        author="model",
    ),
    entry(5, kind="question", text="А возврат билета возможен?", author="model"),
    entry(
        2,
        kind="fact",
        text="The budget is 1,200 euros.",
        id="fact-0",
        status="superseded",
        superseded_by="fact-2",
    ),
)

FIELDS = (
    field(),
    field(
        "temporary_preferences",
        value="Сегодня отвечай короче.",
        expiry=Expiry("idle", DAY_MS),
        setter="rules",
    ),
    field(
        "seat",
        value="Window, quiet car",
        setter="user",
        expiry=Expiry("time", 6 * HOUR_MS),
        visible=False,
        source=None,
    ),
    field("mood", value="in a hurry", setter="user", removed=True, source=None),
)

REJECTED = (
    Rejected(span(3, 40, 70), "", "fact", "secret"),
    Rejected(span(4, 0, 900), "A whole pasted page of terms…", "fact", "too_long"),
)

REMOVED = (Removed(23, (span(3, 12, 30),), "My sister lives in Kazan."),)

OPERATIONS = (
    operation(20, SetField(FieldSet("seat", "Window, quiet car"), NOW_MS - HOUR_MS)),
    operation(
        23,
        Delete(Target(f"{message_id(3)}:12-30", (span(3, 12, 30),), "My sister lives in Kazan.")),
    ),
)


def delta(depth=5, **changes):
    values = {
        "turn_id": str(samples.sample_id(depth)),
        "seq": depth * 3,
        "depth": depth,
        "said_seq": depth * 3 - 2,
        "branch_ms": NOW_MS,
        "note": "no_model",
    }
    return Delta(**{**values, **changes})


def memory(**changes):
    values = {
        "entries": ENTRIES,
        "fields": FIELDS,
        "rejected": REJECTED,
        "removed": REMOVED,
        "operations": OPERATIONS,
        "as_of": 23,
        "path": PathMemory(deltas=(delta(),)),
    }
    return Memory(**{**values, **changes})


def page(**changes):
    values = {
        "memory": memory(),
        "branch_now_ms": NOW_MS,
        "last_turn_ms": NOW_MS - 12_000,
        "waiting": (samples.sample_id(6),),
        "tip": samples.sample_id(6),
    }
    return MemoryPage(**{**values, **changes})


def rereading(**changes):
    values = {
        "since_ms": NOW_MS - 60_000,
        "waiting": 0,
        "put_off": 0,
        "unlabelled": 0,
        "ended_ms": NOW_MS - 1_000,
        "read": (),
    }
    return Rereading(**{**values, **changes})


REREAD_PAGE = page(
    memory=memory(
        operations=(
            *OPERATIONS,
            operation(24, Add("fact", "Our train leaves from platform 3.", span(4), "model")),
            operation(
                25, Add("fact", "Мы берём с собой собаку, её зовут Плюшка.", span(5), "model")
            ),
        ),
        undone=frozenset({25}),
    )
)

EMPTY_PAGE = page(memory=Memory(), waiting=(), tip=None, last_turn_ms=0)


def segments(first: int, last: int, *, notes=True, masked=False):
    """Return the parts of a request whose window goes from one turn to another."""
    found = [samples.segment("system", "system", 96, reason="system_prompt")]
    found[0]["source_ids"] = []
    if first > 1:
        gap = samples.segment("gap", "user", 1840, "dropped", "outside_window")
        gap["source_ids"] = [str(samples.sample_id(turn)) for turn in range(1, first)]
        found.append(gap)
    for turn in range(first, last):
        for number, (role, tokens) in enumerate((("user", 41), ("assistant", 286))):
            part = samples.segment("message", role, tokens, reason="within_window")
            part["source_ids"] = [message_id(turn, number)]
            if masked and turn == first:
                part["reason"] = "masked"
            found.append(part)
    if notes:
        block = samples.segment("state_block", "system", 148, "injected", "memory")
        block["source_ids"] = [message_id(1), message_id(2)]
        found.append(block)
    question = samples.segment("input", "user", 64, reason="current_input")
    question["source_ids"] = [message_id(last)]
    return [*found, question]


SELECTED = [
    {"id": "rule-1", "group": "rule", "reason": "pinned"},
    {"id": f"{message_id(2)}:0-10", "group": "goal", "reason": "goal"},
    {"id": "fact-1", "group": "other", "reason": "named_by_input"},
    {"id": "field:current_goal", "group": "field", "reason": "field"},
]
LEFT_OUT = [
    {"id": "fact-2", "reason": "visible"},
    {"id": f"{message_id(5)}:0-10", "reason": "visible"},
    {"id": "fact-0", "reason": "not_active"},
]


def looked_at(**changes):
    now = samples.attempt(
        60,
        segments=segments(3, 6, masked=True),
        selected=SELECTED,
        left_out=LEFT_OUT,
        rho_sent=0.42,
        rho_full=0.81,
        dropped_turns=2,
    )
    then = samples.attempt(50, segments=segments(2, 5, notes=False), model_name="smollm2-135m")
    values = {
        "turn": samples.turn(
            6, input_text="Which of our bookings can still be changed?", attempts=(now,)
        ),
        "before": samples.turn(5, attempts=(then,)),
        "is_newest": True,
    }
    return LookedAt(**{**values, **changes})


def places():
    """Return where every message of the sample turns stands, answers and turns included."""
    answers = {message_id(turn, 1): place(turn, "assistant") for turn in range(1, 9)}
    return {**PLACES, **answers}


def log(**changes):
    kinds = ("memory_deleted", "memory_learned", "turn_committed", "turn_accepted", "field_set")
    transitions = tuple(
        TransitionRow(
            seq, kinds[seq % 5], NOW_MS - (24 - seq) * 61_000, samples.sample_id(5), False
        )
        for seq in range(23, 8, -1)
    )
    messages = (
        MessageRow(
            samples.sample_id(801),
            "assistant",
            samples.sample_id(2),
            NOW_MS,
            samples.RUSSIAN_ANSWER,
            False,
        ),
        MessageRow(
            samples.sample_id(800),
            "user",
            samples.sample_id(2),
            NOW_MS - 9_000,
            "Какой поезд мне взять, чтобы успеть к десяти?\nИ сколько он стоит?",
            False,
        ),
    )
    values = {
        "transitions": transitions,
        "older_before": 9,
        "total": 118,
        "messages": messages,
        "query": "",
        "searched": 0,
        "more_found": True,
        "stopped": False,
    }
    return LogPage(**{**values, **changes})
