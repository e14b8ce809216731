"""Reads rules and replies from JSON, for scripts in files and over the control endpoint."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.scripted_provider import replies
from tests.support.scripted_provider.replies import Reply
from tests.support.scripted_provider.script import Rule, Script

BUILDERS: dict[str, Callable[..., Reply]] = {
    name: getattr(replies, name)
    for name in (
        "answer",
        "answer_chunks",
        "empty",
        "error_in_stream",
        "half_tool_call",
        "held",
        "http_error",
        "malformed",
        "only_reasoning",
        "openai_error",
        "overflow",
        "paced",
        "rate_limited",
        "reset",
        "server_error",
        "silence",
        "tool_call",
        "unauthorized",
        "unknown_model",
        "without_done",
    )
}


def parse_reply(data: dict[str, Any]) -> Reply:
    """Return the reply that one object describes: {"reply": builder's name, its arguments ...}.

    Raises:
        KeyError: when there is no such reply.
    """
    arguments = dict(data)
    return BUILDERS[arguments.pop("reply")](**arguments)


def parse_rule(data: dict[str, Any]) -> Rule:
    """Return the rule that one object describes: model, contains, times, streams, and a reply."""
    arguments = dict(data)
    limits = {name: arguments.pop(name, None) for name in ("contains", "times", "streams")}
    model = arguments.pop("for_model", None)
    return Rule(parse_reply(arguments), model=model, **limits)


def load_script(path: Path, script: Script) -> None:
    """Fill a script from a file: {"rules": [...], "queue": [...], "fallback": {...}}."""
    data = json.loads(path.read_text(encoding="utf-8"))
    for rule in data.get("rules", ()):
        script.add(parse_rule(rule))
    script.enqueue(*map(parse_reply, data.get("queue", ())))
    if "fallback" in data:
        reply = parse_reply(data["fallback"])
        script.fallback = lambda _request: reply
