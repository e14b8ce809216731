"""Loads the versioned prompt templates that ship with the application."""

import tomllib
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from statecore.errors import InvalidInput
from statecore.memory.labels import LabelPrompt
from statecore.templates import NoteTexts, Template

PROMPTS = Path(__file__).resolve().parent.parent / "prompts"


@cache
def chat_template() -> Template:
    """Return the newest template of a chat."""
    return template_of((PROMPTS / "chat.v4.toml").read_text(encoding="utf-8"))


def template_of(text: str) -> Template:
    """Return the template of a chat that a TOML document describes; what it leaves out is usual.

    Raises:
        InvalidInput: naming what is wrong with it.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"is no TOML: {error}") from None
    _check(data, Template, "")
    notes = data.pop("notes", {})
    if not isinstance(notes, dict):
        raise InvalidInput("notes: has to be a table")
    _check(notes, NoteTexts, "notes → ")
    missing = [name for name in ("name", "version", "system", "stopped_empty") if name not in data]
    if missing:
        raise InvalidInput(f"{missing[0]}: is missing")
    return Template(**(data | {"system": data["system"].strip(), "notes": NoteTexts(**notes)}))


def _check(data: dict[str, Any], kind: type[Template | NoteTexts], place: str) -> None:
    types = {field.name: int if field.name == "version" else str for field in fields(kind)}
    for name, value in data.items():
        if name not in types:
            raise InvalidInput(f"{place}{name}: is not known")
        if name != "notes" and not isinstance(value, types[name]):
            raise InvalidInput(
                f"{place}{name}: has to be {'a number' if types[name] is int else 'a text'}"
            )


@cache
def label_prompt() -> LabelPrompt:
    """Return the newest texts of the question for a memory model."""
    with (PROMPTS / "label.v1.toml").open("rb") as file:
        data = tomllib.load(file)
    return LabelPrompt(**(data | {"system": data["system"].strip(), "user": data["user"].strip()}))
