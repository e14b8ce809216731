"""What servers send instead of an answer, in all the forms that they give it, as one value."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

MESSAGE_CHARACTERS: Final = 8_000

_MESSAGES: Final = ("message", "msg", "error_msg", "status_msg", "detail", "Message", "error")
_CODES: Final = ("code", "error_code", "status_code")
_TYPES: Final = ("type", "error_type", "status")
_WRAPS: Final = ("error", "base_resp", "header", "response")
_NUMBERS: Final = ("n_prompt_tokens", "n_ctx")
"""What llama.cpp says in figures beside its words."""
_FINE: Final = frozenset({"", "0", "200", "None", "success", "Success", "ok", "OK"})
_DEPTH: Final = 4


@dataclass(frozen=True, slots=True)
class ErrorSaid:
    """An error as the server names it; what it does not say is empty."""

    code: str = ""
    kind: str = ""
    """The server's type."""
    message: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said."""
        return not (self.code or self.kind or self.message)


NOTHING_SAID: Final = ErrorSaid()


def error_said(body: object, depth: int = 0) -> ErrorSaid:
    """Return what the body of an error says; nothing where it is none."""
    if isinstance(body, str):
        return ErrorSaid(message=body[:MESSAGE_CHARACTERS])
    if isinstance(body, list):
        return error_said(body[0], depth + 1) if body and depth < _DEPTH else NOTHING_SAID
    if not isinstance(body, Mapping) or depth >= _DEPTH:
        return NOTHING_SAID
    inner = _inner(body, depth)
    code, kind = _word(body, _CODES), _word(body, _TYPES)
    own = ErrorSaid("" if code in _FINE else code, kind, _message(body))
    if inner is None:
        return own
    # What stands further in says more: code and type of the whole only repeat the status.
    return ErrorSaid(inner.code or own.code, inner.kind or own.kind, inner.message or own.message)


def stream_error_said(chunk: Mapping[str, Any]) -> ErrorSaid:
    """Return the error that a part of a stream is which has no answer in it; nothing for none."""
    is_named = chunk.get("object") == "error" or chunk.get("type") == "error"
    told = any(chunk.get(name) for name in ("error", "errors", "detail", "error_msg"))
    code = _word(chunk.get("base_resp") or chunk.get("header") or chunk, _CODES)
    return error_said(chunk) if is_named or told or code not in _FINE else NOTHING_SAID


def _inner(body: Mapping[str, Any], depth: int) -> ErrorSaid | None:
    several = body.get("errors")
    found = [body[name] for name in _WRAPS if isinstance(body.get(name), Mapping | list)]
    found += [several] if isinstance(several, list) and several else []
    return error_said(found[0], depth + 1) if found else None


def _word(body: object, names: tuple[str, ...]) -> str:
    values = (body.get(name) for name in names) if isinstance(body, Mapping) else ()
    return next((str(value) for value in values if isinstance(value, str | int) and value), "")


def _message(body: Mapping[str, Any]) -> str:
    """Return the words, with what a broker hands on of the words of another, and the figures."""
    said = [_text(body.get(name)) for name in _MESSAGES]
    words = next((text for text in said if text), "")
    metadata = body.get("metadata")
    raw = _text(metadata.get("raw")) if isinstance(metadata, Mapping) else ""
    figures = [f"{name}: {body[name]}" for name in _NUMBERS if isinstance(body.get(name), int)]
    parts = [words, raw, f"({', '.join(figures)})" if figures else ""]
    return " ".join(part for part in parts if part)[:MESSAGE_CHARACTERS]


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value:
        # The checks of a web framework: a list of what is wrong.
        return "; ".join(found for found in map(_entry, value) if found)
    return ""


def _entry(value: object) -> str:
    if isinstance(value, Mapping):
        return str(value.get("msg") or value.get("message") or json.dumps(value, default=str))
    return str(value)
