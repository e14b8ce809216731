"""What a model is to the planner and the router: window, tokenizer, role style, limits."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any, Literal

RoleStyle = Literal["system", "developer", "user"]
"""The role in which the leading instructions are sent."""

StateRole = Literal["system", "user"]
"""The role in which the state block is sent, in front of the input."""


CachedTokens = Literal["inside", "apart"]
"""Whether a server that reports `prompt_tokens` counts those from its cache among them."""


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """Time limits of one attempt, in milliseconds."""

    connect_ms: int = 2_000
    first_token_base_ms: int = 30_000
    prefill_tokens_per_s: float = 0.0
    """Measured prefill rate; 0 when unknown. First-token limit = base + uncached tokens / rate."""
    silence_ms: int = 30_000


@dataclass(frozen=True, slots=True)
class ModelPrices:
    """Prices in US dollars per million tokens; None means unknown, never zero."""

    input_usd: float | None = None
    output_usd: float | None = None


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """One entry of the model registry."""

    name: str
    """The name shown to people and stored with attempts."""
    endpoint: str
    """Base URL of the OpenAI-compatible server, ending in /v1."""
    remote_name: str
    """What the server calls the model."""
    window_tokens: int
    reply_reserve_tokens: int
    tokenizer: str
    """`o200k_base`, `cl100k_base`, `server:NAME` for the endpoint's own /tokenize, or `unknown`."""
    role_style: RoleStyle = "system"
    key_variable: str = ""
    """Environment variable that holds the API key; empty when the server needs none."""
    abilities: frozenset[str] = frozenset()
    """Of `tools`, `json_schema`, `stream_usage`, `vision`."""
    languages: tuple[str, ...] = ()
    prices: ModelPrices = ModelPrices()
    limits: ModelLimits = ModelLimits()
    fallback_order: int = 0
    """Lower is tried earlier."""
    for_memory: bool = True
    local: bool = False
    """True when the supervisor of this installation serves it."""
    expect: str = ""
    """One honest sentence on what to expect of the model."""
    state_role: StateRole = "system"
    cached_tokens: CachedTokens = "inside"


def spec_document(spec: ModelSpec) -> dict[str, object]:
    """Return the spec as plain JSON data, with sorted abilities."""
    return asdict(spec) | {"abilities": sorted(spec.abilities), "languages": list(spec.languages)}


@lru_cache(maxsize=64)
def spec_hash(spec: ModelSpec) -> str:
    """Return the SHA-256 of the canonical JSON of a spec, in hexadecimal."""
    text = json.dumps(spec_document(spec), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def spec_from_document(document: Mapping[str, Any]) -> ModelSpec:
    """Return the spec that a document of an earlier time describes; unknown fields are left out."""
    known = {field.name for field in fields(ModelSpec)}
    values: dict[str, Any] = {name: document[name] for name in document if name in known}
    values["abilities"] = frozenset(values.get("abilities", ()))
    values["languages"] = tuple(values.get("languages", ()))
    values["prices"] = ModelPrices(**values.get("prices", {}))
    values["limits"] = ModelLimits(**values.get("limits", {}))
    return ModelSpec(**values)
