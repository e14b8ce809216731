"""Rows as selectors give them, for tests of what is made of them and for the gallery."""

from uuid import UUID

from chatapp.selectors.rows import (
    AttemptRow,
    ConversationPage,
    ConversationRow,
    ModelChoice,
    SegmentRow,
    TurnRow,
)
from chatapp.store.lines import Line

NOW_MS = 1_790_000_000_000

CODE_ANSWER = """Group the words with a `defaultdict`, so that no key has to be made first:

```python
from collections import defaultdict

def by_first_letter(words: list[str]) -> dict[str, list[str]]:
    \"\"\"Group words by their first letter.\"\"\"
    groups = defaultdict(list)
    for word in words:
        groups[word[0].lower()].append(word)  # "Ada" and "apple" belong together
    return dict(groups)
```

Three things to know:

1. **Empty words** raise `IndexError`; filter them with `if word`.
2. The result is a plain `dict`, so a missing letter raises `KeyError` later.
3. For other alphabets `lower()` is not enough: use `casefold()`.

| Input | Key | Why |
|---|---|--:|
| `Ada` | `a` | lower case |
| `Äpfel` | `ä` | its own letter |

> Measured on 100,000 words this takes about 20 ms.
"""
RUSSIAN_ANSWER = """Коротко: **сначала причина, потом факт**.

- Поезд в 8:40 — последний, который успевает к началу.
- Билет на него стоит 1 250 ₽, и возврат возможен *до* 8:00.

Если планы изменятся, напишите «отмена» — я верну прежний вариант.
"""
CHINESE_ANSWER = """缓存分三层:

1. **浏览器缓存**:由 `Cache-Control` 决定保存多久。
2. **代理缓存**:多个用户共享同一份副本。
3. **源站**:只有前两层都没有时才会被访问。

所以第二次打开同一页面几乎不需要等待。
"""


def sample_id(number: int) -> UUID:
    return UUID(int=(0x01980000 << 96) + (7 << 76) + (2 << 62) + number)


def segment(kind="message", role="user", tokens=120, decision="kept", reason="full_history"):
    return SegmentRow(
        kind=kind,
        role=role,
        source_ids=["m1"],
        tokens=tokens,
        quality="exact",
        decision=decision,
        reason=reason,
    )


SEGMENTS = [
    segment("system", "system", 96, reason="system_prompt"),
    segment("gap", "user", 1840, "dropped", "outside_window"),
    segment("message", "user", 210, reason="within_window"),
    segment("message", "assistant", 742, reason="within_window"),
    segment("input", "user", 64, reason="current_input"),
]


def attempt(number=1, **changes):
    values = {
        "id": sample_id(5000 + number),
        "ordinal": 1,
        "status": "succeeded",
        "reason": "",
        "model_name": "qwen2.5-coder-1.5b",
        "started_ms": NOW_MS,
        "first_token_ms": 840,
        "ended_ms": NOW_MS + 9_400,
        "prompt_tokens": 1112,
        "cached_tokens": 980,
        "completion_tokens": 264,
        "prompt_quality": "reported",
        "completion_quality": "reported",
        "finish": "stop",
        "window_tokens": 4096,
        "segments": SEGMENTS,
        "rho_sent": 0.52,
        "rho_full": 0.97,
        "dropped_turns": 3,
        "cost_usd": None,
        "output_text": None,
        "detail": None,
        "selected": [],
        "left_out": [],
    }
    return AttemptRow(**{**values, **changes})


def turn(number=1, **changes):
    values = {
        "id": sample_id(number),
        "parent_id": sample_id(number - 1) if number > 1 else None,
        "depth": number,
        "status": "committed",
        "finish": "complete",
        "reason": "",
        "model_name": "qwen2.5-coder-1.5b",
        "accepted_ms": NOW_MS,
        "committed_ms": NOW_MS + 9_400,
        "input_text": "Hello",
        "answer_text": "Hello to you.",
        "partial_text": None,
        "attempts": (attempt(number),),
        "seen": True,
    }
    return TurnRow(**{**values, **changes})


def broken_turn(number=1, *, status="failed", reason="rate_limit", **changes):
    ended = attempt(number, status=status, reason=reason, completion_tokens=None, finish="")
    values = {"finish": "", "committed_ms": None, "answer_text": None, "attempts": (ended,)}
    return turn(number, status=status, reason=reason, **{**values, **changes})


def running_turn(number=1, **changes):
    open_attempt = attempt(
        number, status="running", ended_ms=None, completion_tokens=None, first_token_ms=None
    )
    values = {"committed_ms": None, "finish": "", "answer_text": None, "attempts": (open_attempt,)}
    return turn(number, status="running", **{**values, **changes})


def model(name="qwen2.5-coder-1.5b", **changes):
    values = {
        "name": name,
        "ready": True,
        "state": "ready",
        "detail": "",
        "expect": "A small model on this machine: good for code and short answers, weak on facts.",
        "window_tokens": 4096,
        "local": True,
        "progress": None,
        "selected": True,
    }
    return ModelChoice(**{**values, **changes})


MODELS = (
    model(),
    model("smollm2-135m", ready=False, state="stopped", selected=False, detail=""),
    model("gpt-5-mini", local=False, selected=False, window_tokens=400_000),
)

CONVERSATIONS = (
    ConversationRow(sample_id(900), "Group words by first letter", NOW_MS, running=True),
    ConversationRow(sample_id(901), "Поездка в Казань на выходные", NOW_MS - 1, running=False),
    ConversationRow(sample_id(902), "缓存是怎么工作的", NOW_MS - 2, running=False),
    ConversationRow(
        sample_id(903), "Return of jacket 48371, size too small", NOW_MS - 3, running=False
    ),
    ConversationRow(sample_id(904), None, NOW_MS - 4, running=False),
)

TURNS = (
    turn(
        1,
        input_text="Write a Python function that groups words by their first letter.",
        answer_text=CODE_ANSWER,
    ),
    turn(
        2,
        input_text="Какой поезд мне взять, чтобы успеть к десяти?\nИ сколько он стоит?",
        answer_text=RUSSIAN_ANSWER,
    ),
    broken_turn(3, input_text="And by car?", seen=False),
    turn(
        4,
        input_text="HTTP 缓存是怎么工作的?",
        answer_text=CHINESE_ANSWER,
        attempts=(
            attempt(
                40,
                status="failed",
                reason="server_error",
                model_name="gpt-5-mini",
                detail='{"type": "overloaded"}',
                output_text="缓存",
                completion_tokens=None,
            ),
            attempt(41, ordinal=2),
        ),
    ),
    turn(5, input_text="Tell me everything about rivers.", answer_text="A river", finish="stopped"),
    broken_turn(
        6,
        status="interrupted",
        reason="interrupted",
        input_text="Summarise our talk.",
        partial_text="We spoke about **grouping words**, a train to Kazan, and",
    ),
)


def page(turns=TURNS, **changes):
    values = {
        "id": sample_id(900),
        "title": "Group words by first letter",
        "branch_id": sample_id(950),
        "branch_version": 7,
        "model_name": "qwen2.5-coder-1.5b",
        "turns": turns,
        "older_before": sample_id(1),
        "running_turn": None,
        "line": Line(sample_id(950), "main", None, 0),
    }
    return ConversationPage(**{**values, **changes})
