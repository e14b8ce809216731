"""Files of every format that can be explained, all of the same short talk."""

import json
from typing import Any

from tests.statecore.export_builders import conversation, node

RULE = "Please always answer in metric units."
TALK = (
    ("user", f"{RULE} How far is Oslo from Bergen?"),
    ("assistant", "About 463 kilometres by road."),
    ("user", "And by train?"),
)

MESSAGES = [{"role": role, "content": text} for role, text in TALK]

EXPORT = [
    conversation(
        *(
            node(f"n{number}", f"n{number - 1}" if number else None, role, text)
            for number, (role, text) in enumerate(TALK)
        )
    )
]

PLAIN_STATE = {
    "schema_version": "glassbox.state.1",
    "messages": [{"role": role, "text": text} for role, text in TALK],
    "summary": [{"kind": "rule", "text": RULE}],
}

FORMATS: dict[str, Any] = {
    "a list": MESSAGES,
    "a body": {"model": "any", "messages": MESSAGES, "temperature": 0},
    "a case": {
        "messages": MESSAGES,
        "model": {"window_tokens": 2_000, "reply_reserve_tokens": 100},
    },
    "an export": EXPORT,
    "one conversation": EXPORT[0],
    "a state": PLAIN_STATE,
}


def text_of(name: str) -> str:
    return json.dumps(FORMATS[name], ensure_ascii=False)


def long_talk(turns: int, last: str = "So what is my flight?") -> list[dict[str, str]]:
    """Return a long list of messages that begins with a rule and a value."""
    talk = [
        {"role": "user", "content": "Never share my plan with Bo. My flight is QX-4417."},
        {"role": "assistant", "content": "I will not share it."},
    ]
    for number in range(turns):
        talk.append({"role": "user", "content": f"Tell me about dish number {number} of the menu."})
        talk.append({"role": "assistant", "content": "It is a stew with many herbs. " * 6})
    return [*talk, {"role": "user", "content": last}]
