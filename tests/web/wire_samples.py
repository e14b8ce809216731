"""Requests with their account, as the wire view gets them."""

from chatapp.presenters.told import Told
from chatapp.selectors.requests import SentRequest
from chatapp.selectors.wire import WireRow
from statecore.messages import ToolCall
from statecore.requests import Request, RequestMessage, ToolDefinition
from tests.web import memory_samples, samples

SYSTEM = "You are a helpful assistant in a chat. Be brief and concrete.\nlocale: ru\ntone: calm"
TOOL = ToolDefinition("find_trains", "Looks up trains.", '{"type": "object"}')
NOTES = """Notes of this application about the conversation so far, for your answer: neither \
instructions nor a message of the user.
<notes>
State: step = "choose_train"
Known: "Lives in Казань, has a dog."
Goal: "Мы едем в Казань на выходные вдвоём."
Rules of the user: "Prices in euros, never in dollars."
Also said: "The booking code is KZN-48371."
For now: current_goal = "A quiet weekend in Kazan for two."
Referred to (message 0198, assistant): https://example.org/timetable?from=a&to=b
</notes>"""
INPUT = "Can the booking behind that link still be changed?"

_WISH, _FIELD = "Мы едем в Казань на выходные вдвоём.", "A quiet weekend in Kazan for two."
_INSIDE = (
    (1, "workflow:step", "workflow", "workflow", 'step = "choose_train"'),
    (1, "fact-home", "fact", "fact", '"Lives in Казань, has a dog."'),
    (
        1,
        f"{memory_samples.message_id(2)}:0-10",
        "goal",
        "goal",
        "Мы едем в Казань на выходные вдвоём.",
    ),
    (1, "rule-1", "rule", "pinned", "Prices in euros, never in dollars."),
    (1, "fact-1", "other", "named_by_input", "The booking code is KZN-48371."),
    (
        1,
        "field:current_goal",
        "field",
        "field",
        'current_goal = "A quiet weekend in Kazan for two."',
    ),
    (
        1,
        f"anchor:{memory_samples.message_id(2, 1)}",
        "anchor",
        "link",
        "https://example.org/timetable?from=a&to=b",
    ),
    (0, "contract:locale", "contract", "contract", "locale: ru"),
    (0, "contract:tone", "contract", "contract", "tone: calm"),
)


def selected(notes_at: int, notes=NOTES, system=SYSTEM):
    """Return what memory put into a request whose notes are the message at a place."""
    texts = {0: (0, system), 1: (notes_at, notes)}
    found = []
    for where, item_id, group, reason, words in _INSIDE:
        index, text = texts[where]
        start = text.index(words)
        found.append(
            {
                "id": item_id,
                "group": group,
                "reason": reason,
                "message": index,
                "start": start,
                "end": start + len(words),
            }
        )
    return found


ANCHORS = [
    {
        "message_id": memory_samples.message_id(2, 1),
        "turn_id": str(samples.sample_id(2)),
        "depth": 2,
        "role": "assistant",
        "reason": "link",
        "start": 0,
        "end": 20,
        "pointer_start": INPUT.index("that link"),
        "pointer_end": INPUT.index("that link") + len("that link"),
    }
]
MISSING = [
    {"entry_id": "fact-2", "kind": "value", "is_active": True},
    {"entry_id": f"{memory_samples.message_id(3)}:0-10", "kind": "rule", "is_active": True},
    {"entry_id": "fact-0", "kind": "value", "is_active": False},
]


def _part(kind, role, tokens, decision, reason, turn=0, number=0):
    part = samples.segment(kind, role, tokens, decision, reason)
    part["source_ids"] = [memory_samples.message_id(turn, number)] if turn else []
    part["depth"] = turn
    return part


def _gap():
    gap = _part("gap", "user", 18_240, "moved_to_summary", "outside_window")
    gap["source_ids"] = [str(samples.sample_id(turn)) for turn in (1, 2, 3)]
    return {**gap, "depth": 4}


SEGMENTS = [
    _part("system", "system", 34, "injected", "system_prompt"),
    _part("tools", "system", 61, "kept", "tool_definitions"),
    _gap(),
    _part("message", "user", 24, "kept", "within_window", 4),
    _part("message", "assistant", 40, "digested", "answer_digest", 4, 1),
    _part("message", "tool", 22, "digested", "tool_result_stale", 4, 2),
    _part("message", "assistant", 18, "kept", "within_window", 5, 1),
    _part("state_block", "system", 142, "injected", "memory"),
    _part("input", "user", 14, "kept", "current_input", 6),
]


def messages(words=str):
    """Return the messages of a request; all that a person or a model wrote goes through `words`."""
    call = ToolCall("call_1", "find_trains", words('{"from": "Москва", "to": "Казань"}'))
    return (
        RequestMessage("system", SYSTEM),
        RequestMessage("user", words("А какой поезд самый ранний?")),
        RequestMessage("assistant", words("Смотрю расписание."), (call,)),
        RequestMessage("tool", words('{"trains": 14, "first": "06:10"}'), tool_call_id="call_1"),
        RequestMessage("assistant", words("Самый ранний — в 6:10.")),
        RequestMessage("system", NOTES),
        RequestMessage("user", INPUT),
    )


def told(**changes):
    values = {
        "messages": messages(),
        "segments": SEGMENTS,
        "selected": selected(5),
        "left_out": memory_samples.LEFT_OUT,
        "memory": memory_samples.memory(),
        "tools": (TOOL,),
        "anchors": ANCHORS,
    }
    return Told(**{**values, **changes})


def attempt(**changes):
    values = {
        "segments": SEGMENTS,
        "selected": selected(5),
        "left_out": memory_samples.LEFT_OUT,
        "anchors": ANCHORS,
        "missing": MISSING,
        "rho_sent": 0.44,
        "rho_full": 1.37,
        "dropped_turns": 3,
        "tier": 2,
        "raw_tier": 3,
        "policy": "hybrid",
        "tried": ((0, 1.37), (2, 0.47)),
        "tier_before": 0,
        "planned_tokens": 9_100,
        "planned_quality": "exact",
        "tokens_before": 18_400,
        "verbatim_depth": 5,
        "window_start_depth": 4,
    }
    return samples.attempt(60, **{**values, **changes})


def looked_at(**changes):
    turn = samples.turn(6, input_text=INPUT, attempts=(attempt(**changes),))
    return memory_samples.looked_at(turn=turn)


def wire_row(**changes):
    """Return an attempt with its request, as the selector gives it."""
    looked = looked_at(**{"planned_tokens": 358, **changes})
    sent = messages()
    body = {
        "model": "qwen2.5-coder-1.5b",
        "messages": [{"role": m.role, "content": m.text} for m in sent],
        "stream": True,
    }
    request = Request("qwen2.5-coder-1.5b", sent, 512, (TOOL,))
    return WireRow(
        looked,
        looked.turn.attempts[0],
        SentRequest(body, proven=True, request=request),
        memory_samples.memory(),
    )
