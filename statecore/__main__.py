"""Explains on the command line what a model would be told: `python -m statecore explain FILE`."""

import argparse
import json
import math
import sys  # noqa: TID251  # the one door of the core: its own command line
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from statecore.context.account import account, why_not
from statecore.context.plan import DoesNotFit, NeedCounts, PathTurn, State, plan
from statecore.errors import InvalidInput, StateCoreError
from statecore.formats.openai_list import first_error, messages_of
from statecore.messages import Message
from statecore.models import ModelSpec, RoleStyle
from statecore.templates import Template
from statecore.tokens import Count, CountKey, Counts

CHARACTERS_A_TOKEN = 3.5
"""The stated estimate for a text that the file has no count of."""

TEMPLATE = Template("explain", 1, system="", stopped_empty="(stopped before any text)")

EXIT_INVALID = 2

Tokens = Annotated[int, Field(ge=0)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")

    window_tokens: int = Field(gt=0)
    reply_reserve_tokens: int = Field(gt=0)
    name: str = "model"
    tokenizer: str = "none"
    role_style: RoleStyle = "system"

    def spec(self) -> ModelSpec:
        return ModelSpec(**self.model_dump(), endpoint="", remote_name=self.name)


class _Case(BaseModel):
    model_config = ConfigDict(extra="forbid")

    messages: list[Any]
    model: _Model
    counts: list[Tokens | None] = []
    """Tokens of each message, in the same order; null where they are not known."""


def explain(text: str) -> str:
    """Return the account of the request for the last user message of a JSON document.

    Raises:
        InvalidInput: when the document is no such document, or nothing can be planned from it.
    """
    case = _case(text)
    messages = messages_of(case.messages)
    if len(case.counts) > len(messages):
        raise InvalidInput(f"counts: {len(case.counts)} counts for {len(messages)} messages")
    model = case.model.spec()
    state = _state(messages)
    counts: Counts = {
        CountKey(message.id, model.tokenizer): Count(tokens, "exact")
        for message, tokens in zip(messages, case.counts, strict=False)
        if tokens is not None
    }
    outcome = plan(state, model, TEMPLATE, counts, 0, None)
    while isinstance(outcome, NeedCounts):
        counts = {**counts, **_estimates(outcome)}
        outcome = plan(state, model, TEMPLATE, counts, 0, None)
    if isinstance(outcome, DoesNotFit):
        raise InvalidInput(why_not(outcome))
    return account(outcome, model)


def _case(text: str) -> _Case:
    try:
        return _Case.model_validate(json.loads(text))
    except ValidationError as error:
        raise InvalidInput(first_error(error.errors())) from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"not JSON: {error}") from None


def _state(messages: Sequence[Message]) -> State:
    """Return the state before the last user message; what follows it is not looked at."""
    opening = [index for index, message in enumerate(messages) if message.role == "user"]
    if not opening:
        raise InvalidInput("messages: there is no user message to plan for")
    spoken = [message for message in messages[: opening[-1]] if message.role != "system"]
    system = [message for message in messages[: opening[-1]] if message.role == "system"]
    return State(
        system=system[-1] if system else None,
        turns=_turns(spoken),
        input=messages[opening[-1]],
    )


def _turns(messages: Sequence[Message]) -> tuple[PathTurn, ...]:
    turns: list[list[Message]] = []
    for message in messages:
        if message.role == "user" or not turns:
            turns.append([])
        turns[-1].append(message)
    return tuple(
        PathTurn(f"t{depth}", depth, tuple(turn)) for depth, turn in enumerate(turns, start=1)
    )


def _estimates(needed: NeedCounts) -> Counts:
    pairs = zip(needed.keys, needed.texts, strict=True)
    return {
        key: Count(math.ceil(len(text) / CHARACTERS_A_TOKEN), "estimated") for key, text in pairs
    }


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{name}: not UTF-8 text") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code: 0, or 2 with one sentence on standard error."""
    parser = argparse.ArgumentParser(prog="python -m statecore")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("explain", help="show what a model would be told, and why")
    command.add_argument("file", help="JSON with messages and model; - reads standard input")
    chosen = parser.parse_args(arguments)
    try:
        sys.stdout.write(explain(_read(chosen.file)) + "\n")
    except StateCoreError as error:
        sys.stderr.write(f"error: {error}\n")
        return EXIT_INVALID
    return 0


if __name__ == "__main__":
    sys.exit(main())
