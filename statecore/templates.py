"""Versioned prompt templates; the caller hands in their text."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any, Literal

TemplatePart = Literal["system", "stopped_empty", "no_text", "cancelled_tool"]


@dataclass(frozen=True, slots=True)
class NoteTexts:
    """The words around what stands in the state block."""

    preface: str = ""
    """Stands before the block and says what it is. Only there: in the leading system message it
    would be in every request, and small models then talk of notes that nobody has sent."""
    preface_again: str = ""
    """Stands before a second block of a request; where it is empty the preface stands there too."""
    goal: str = "Goal"
    rule: str = "Rules"
    agreement: str = "Agreed and decided"
    open: str = "Open"
    other: str = "Also said"
    assumption: str = "Only assumed, not certain"
    field: str = "For now"
    waiting: str = "Not summarised yet"
    edited: str = "(corrected by the user)"
    by_assistant: str = "(by the assistant)"
    """Behind steps and promises, so that they are not taken for the user's decisions."""
    in_conflict: str = "(in conflict)"
    workflow: str = "Where the process stands"
    fact: str = "Known about the user"
    anchor: str = "Referred to (message {id}, {role}):"
    """Stands in front of an old message; what it says is quoted below."""
    last_intent: str = "What the user last wanted (message {id}, {role}):"


@dataclass(frozen=True, slots=True)
class Template:
    """One version of the texts that surround a conversation in a request."""

    name: str
    version: int
    system: str
    """Used when the conversation has no system message of its own; empty sends none."""
    stopped_empty: str
    """Stands for an assistant answer that was stopped before any text."""
    no_text: str = "(no text was returned)"
    """Stands for an assistant answer that ended by itself without any text."""
    cancelled_tool: str = "cancelled by the user"
    """Stands for the result of a tool call that never got one."""
    removed: str = "[removed by the user]"
    """Stands for a sentence that a person deleted from memory."""
    stale: str = "[an older result; a newer one of the same call follows]"
    """Stands in front of a shortened tool result that is not up to date any more."""
    contract: str = "Keep to these settings in every answer:"
    """Stands in front of the contract fields, one a line."""
    notes: NoteTexts = NoteTexts()

    @property
    def hash(self) -> str:
        """SHA-256 over name, version and texts, in hexadecimal."""
        return _hash(self)

    def count_id(self, part: TemplatePart) -> str:
        """Return what stands for the message id in the count key of one of the texts."""
        return f"template:{self.hash}:{part}"


def template_from_document(document: Mapping[str, Any]) -> Template:
    """Return the template that a document of an earlier time describes.

    Texts that it does not know are the defaults; unknown ones are left out.
    """
    known = {name: document[name] for name in document if name in _names(Template)}
    notes = document.get("notes", {})
    texts = {name: notes[name] for name in notes if name in _names(NoteTexts)}
    return Template(**(known | {"notes": NoteTexts(**texts)}))


def _names(kind: type[Template | NoteTexts]) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind))


@lru_cache(maxsize=16)
def _hash(template: Template) -> str:
    document = asdict(template)
    if not template.notes.preface_again:
        # Templates of a time that did not know this text keep the hash that is stored with them.
        del document["notes"]["preface_again"]
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
