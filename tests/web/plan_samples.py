"""Previews and comparisons as services give them, planned by the planner from a small path."""

from dataclasses import replace

from chatapp.services.comparing import Compared, Comparison
from chatapp.services.previewing import Preview
from chatapp.store.contexts import Before
from statecore.context.missing import Missing
from statecore.context.plan import DoesNotFit
from statecore.context.strategies import Strategy
from statecore.messages import Message
from tests.statecore.builders import planned, spec, state, turn
from tests.web import memory_samples, samples

INPUT = "Can the booking behind that link still be changed?"
MODEL = spec(window_tokens=16_384, reply_reserve_tokens=512)
MISSING = (
    Missing("fact-2", "value", is_active=True),
    Missing(f"{memory_samples.message_id(3)}:0-10", "rule", is_active=True),
    Missing("fact-0", "value", is_active=False),
)


def _turn(depth, asked, answered):
    ids = memory_samples.message_id(depth), memory_samples.message_id(depth, 1)
    return turn(
        depth,
        Message(ids[0], "user", asked, samples.NOW_MS),
        Message(ids[1], "assistant", answered, samples.NOW_MS),
    )


TURNS = (
    _turn(1, "Prices in euros, never in dollars.", "Understood: euros only."),
    _turn(2, "Мы едем в Казань на выходные вдвоём.", samples.RUSSIAN_ANSWER),
    _turn(3, "不要再推荐酒店，只要民宿。", samples.CHINESE_ANSWER),
)


def plan(text=INPUT):
    return planned(state(TURNS, text=text), MODEL)


def preview(text=INPUT, **changes):
    values = {
        "plan": plan(text),
        "missing": (),
        "before": Before(0, 410),
        "input_id": "typed",
        "memory": memory_samples.memory(),
    }
    return Preview(**{**values, **changes})


def compared(name="elastic", **changes):
    made = plan()
    values = {
        "strategy": Strategy(name),
        "plan": made,
        "prompt_tokens": made.prompt_tokens,
        "quality": "exact",
        "rho": made.rho_sent,
        "turns_sent": 3,
        "messages_sent": 6,
        "messages_left_out": 0,
        "entries": 0,
        "missing": (),
    }
    return Compared(**{**values, **changes})


def comparison(**changes):
    nothing = {"turns_sent": 0, "messages_sent": 0}
    rows = (
        compared(
            "full",
            plan=None,
            overflow=DoesNotFit((("history", 9_100), ("current_input", 380)), 10_152, 16_384),
            prompt_tokens=9_640,
            quality="estimated",
            rho=2.48,
            messages_left_out=42,
            **nothing,
        ),
        compared(
            "sliding",
            strategy=Strategy("sliding", prompt_tokens=1_912),
            prompt_tokens=1_874,
            rho=0.58,
            messages_left_out=30,
            missing=MISSING,
        ),
        compared(
            "summary", prompt_tokens=402, rho=0.22, messages_left_out=42, entries=9, **nothing
        ),
        compared(
            prompt_tokens=1_912,
            rho=0.49,
            messages_left_out=28,
            entries=7,
            missing=MISSING[1:],
            plan=replace(plan(), tier=2),
        ),
    )
    values = {
        "input_text": INPUT,
        "turn_id": samples.sample_id(6),
        "model": MODEL,
        "rows": rows,
        "unread_turns": 12,
        "memory": memory_samples.memory(),
    }
    return Comparison(**{**values, **changes})
