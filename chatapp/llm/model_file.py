"""The models file: TOML in, model specs out; a mistake is named by entry and field."""

import json
import tomllib
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PositiveInt,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from chatapp.llm.vocabularies import tokenizer_of
from statecore.errors import StateCoreError
from statecore.models import (
    CachedTokens,
    ModelLimits,
    ModelPrices,
    ModelSpec,
    RoleStyle,
    StateRole,
)

SERVER_TOKENIZER = "server"
SMALLEST_WINDOW_TOKENS = 512
DEFAULT_LIMITS = ModelLimits()

Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Price = Annotated[float, Field(ge=0)]

WORDS = {"extra_forbidden": "there is no such field", "missing": "is missing"}
"""Plainer words for the commonest mistakes."""


class ModelsFileError(StateCoreError):
    """Raised when a models file cannot be used; names file, entry and field in one sentence."""

    code = "models_file"


class StrictModel(BaseModel):
    """Unknown fields and values of the wrong type are mistakes, never guesses."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Limits(StrictModel):
    """The `limits` table of an entry."""

    connect_ms: PositiveInt = DEFAULT_LIMITS.connect_ms
    first_token_base_ms: PositiveInt = DEFAULT_LIMITS.first_token_base_ms
    prefill_tokens_per_s: Price = DEFAULT_LIMITS.prefill_tokens_per_s
    silence_ms: PositiveInt = DEFAULT_LIMITS.silence_ms


class Prices(StrictModel):
    """The `prices` table of an entry, in US dollars per million tokens."""

    input_usd: Price | None = None
    output_usd: Price | None = None


class Entry(StrictModel):
    """One `[[models]]` table."""

    name: Word
    endpoint: str = ""
    remote_name: str = ""
    key_variable: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]*[A-Za-z0-9_]*$")] = ""
    window_tokens: Annotated[int, Field(ge=SMALLEST_WINDOW_TOKENS)]
    reply_reserve_tokens: PositiveInt
    tokenizer: Literal["o200k_base", "cl100k_base", "server", "unknown"] | None = None
    """None: told by the name, where it is one of OpenAI's."""
    role_style: RoleStyle = "system"
    state_role: StateRole = "system"
    cached_tokens: CachedTokens = "inside"
    abilities: list[Literal["tools", "json_schema", "stream_usage", "vision"]] = []
    languages: list[Word] = []
    prices: Prices = Prices()
    limits: Limits = Limits()
    fallback_order: int = 0
    for_memory: bool = True
    local: bool = False
    expect: str = ""

    @field_validator("endpoint")
    @classmethod
    def _is_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in {"http", "https"} or not parts.hostname):
            raise ValueError("must be an address that begins with http:// or https://")
        if parts.username or parts.password:
            raise ValueError("must not hold a key: name its variable in key_variable")
        return value.rstrip("/")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.reply_reserve_tokens >= self.window_tokens:
            raise ValueError("reply_reserve_tokens must be less than window_tokens")
        if not self.local and not self.endpoint:
            raise ValueError("endpoint is missing (only a local model has none)")
        if self.local and self.endpoint:
            raise ValueError(
                "endpoint must not be set for a local model: Glassbox serves it itself"
            )
        return self


def read_models(path: Path) -> tuple[ModelSpec, ...]:
    """Return the models of a file in fallback order.

    Raises:
        ModelsFileError: when the file cannot be read, or says something that cannot be.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelsFileError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise ModelsFileError(f"{path} is not valid TOML: {error}.") from error
    return parse_models(document, str(path))


def parse_models(document: dict[str, Any], source: str) -> tuple[ModelSpec, ...]:
    """Return the models of a parsed document in fallback order.

    Raises:
        ModelsFileError: names entry and field.
    """
    tables = document.get("models")
    if set(document) - {"models"} or not isinstance(tables, list) or not tables:
        raise ModelsFileError(f"{source} must hold [[models]] tables and nothing else.")
    specs = [_spec(_entry(table, number, source)) for number, table in enumerate(tables, start=1)]
    names = [spec.name for spec in specs]
    for name in names:
        if names.count(name) > 1:
            raise ModelsFileError(f"{source}: the name {name!r} stands for more than one model.")
    return tuple(sorted(specs, key=lambda spec: spec.fallback_order))


def format_models(specs: Iterable[ModelSpec]) -> str:
    """Return the text of a models file that reads back as these models."""
    return "\n".join(_format(spec) for spec in specs)


def _entry(table: object, number: int, source: str) -> Entry:
    try:
        return Entry.model_validate(table)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        name = table.get("name") if isinstance(table, dict) else None
        field = ".".join(str(step) for step in fault["loc"])
        place = f"entry {number}" + (f" ({name})" if name else "") + (f", {field}" if field else "")
        message = WORDS.get(fault["type"]) or fault["msg"].removeprefix("Value error, ")
        raise ModelsFileError(f"{source}, {place}: {message.rstrip('.')}.") from error


def _spec(entry: Entry) -> ModelSpec:
    # Two local models count differently: each one's counts carry its own name.
    server = entry.tokenizer == SERVER_TOKENIZER
    return ModelSpec(
        name=entry.name,
        endpoint=entry.endpoint,
        remote_name=entry.remote_name or entry.name,
        window_tokens=entry.window_tokens,
        reply_reserve_tokens=entry.reply_reserve_tokens,
        tokenizer=f"{SERVER_TOKENIZER}:{entry.name}" if server else _tokenizer(entry),
        role_style=entry.role_style,
        state_role=entry.state_role,
        cached_tokens=entry.cached_tokens,
        key_variable=entry.key_variable,
        abilities=frozenset(entry.abilities),
        languages=tuple(entry.languages),
        prices=ModelPrices(**entry.prices.model_dump()),
        limits=ModelLimits(**entry.limits.model_dump()),
        fallback_order=entry.fallback_order,
        for_memory=entry.for_memory,
        local=entry.local,
        expect=entry.expect,
    )


def _tokenizer(entry: Entry) -> str:
    return entry.tokenizer or tokenizer_of(entry.remote_name or entry.name)


def _format(spec: ModelSpec) -> str:
    fields = asdict(spec)
    fields["tokenizer"] = spec.tokenizer.partition(":")[0]
    fields["abilities"] = sorted(spec.abilities)
    tables = {name: fields.pop(name) for name in ("prices", "limits")}
    lines = ["[[models]]", *_lines(fields)]
    for name, table in tables.items():
        lines += [f"[models.{name}]", *_lines(table)]
    return "\n".join(lines) + "\n"


def _lines(fields: dict[str, Any]) -> list[str]:
    # Strings, numbers, booleans and lists of strings are written alike in JSON and TOML.
    return [f"{name} = {json.dumps(value)}" for name, value in fields.items() if value is not None]
