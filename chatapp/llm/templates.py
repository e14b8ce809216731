"""Loads the versioned prompt templates that ship with the application."""

import tomllib
from functools import cache
from pathlib import Path

from statecore.memory.labels import LabelPrompt
from statecore.templates import NoteTexts, Template

PROMPTS = Path(__file__).resolve().parent.parent / "prompts"


@cache
def chat_template() -> Template:
    """Return the newest template of a chat."""
    with (PROMPTS / "chat.v3.toml").open("rb") as file:
        data = tomllib.load(file)
    return Template(
        name=data["name"],
        version=data["version"],
        system=data["system"].strip(),
        stopped_empty=data["stopped_empty"],
        removed=data["removed"],
        stale=data["stale"],
        contract=data["contract"],
        notes=NoteTexts(**data["notes"]),
    )


@cache
def label_prompt() -> LabelPrompt:
    """Return the newest texts of the question for a memory model."""
    with (PROMPTS / "label.v1.toml").open("rb") as file:
        data = tomllib.load(file)
    return LabelPrompt(**(data | {"system": data["system"].strip(), "user": data["user"].strip()}))
