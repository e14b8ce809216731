"""Finds models without a models file: by OpenAI's variables, or on this machine.

Asks for lists of models and nothing else; no text of a person is ever sent from here.
"""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.error import URLError
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from chatapp.llm.vocabularies import UNKNOWN, tokenizer_of
from statecore.models import ModelLimits, ModelSpec

OPENAI_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"
URL_VARIABLE = "OPENAI_BASE_URL"
PROBE_TIMEOUT_S = 0.5
LIST_TIMEOUT_S = 5.0
MAX_LIST_BYTES = 4 * 1024 * 1024
MAX_MODELS = 20

OPENAI_WINDOW_TOKENS = 128_000
CAREFUL_WINDOW_TOKENS = 4_096
"""Assumed where a server does not say: Ollama's default, beyond which it cuts silently."""
SMALLEST_WINDOW_TOKENS = 512
WINDOW_FIELDS = ("n_ctx", "max_model_len", "loaded_context_length", "context_length")
PREFERRED = ("gpt-4.1-mini", "gpt-4o-mini", "gpt-4.1", "gpt-4o")
NOT_FOR_CHAT = ("embed", "whisper", "tts", "dall-e", "moderation", "audio", "realtime", "image")

# A model on this machine may read long prompts at a few dozen tokens a second.
NEARBY_LIMITS = ModelLimits(
    first_token_base_ms=60_000, prefill_tokens_per_s=40.0, silence_ms=60_000
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a well-known program serves models on this machine."""

    program: str
    base_url: str
    tokenizer: str


PLACES = (
    Place("Ollama", "http://127.0.0.1:11434/v1", UNKNOWN),
    Place("llama.cpp", "http://127.0.0.1:8080/v1", "server"),
    Place("LM Studio", "http://127.0.0.1:1234/v1", UNKNOWN),
)

Fetch = Callable[[str, str, float], list[dict[str, Any]] | None]
"""Takes base URL, key and time limit in seconds; returns the server's models, or None."""


class _NoRedirect(HTTPRedirectHandler):
    """A key goes to the address that was named and to no other."""

    def redirect_request(self, *_: object) -> None:
        """Follow nothing."""


def fetch_models(base_url: str, key: str, timeout_s: float) -> list[dict[str, Any]] | None:
    """Return the models that an OpenAI-compatible server lists, or None when it does not answer."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    # A proxy of the network has no business with addresses of this machine.
    proxies = [ProxyHandler({})] if base_url.startswith("http://127.0.0.1") else []
    try:
        request = Request(f"{base_url}/models", headers=headers)  # noqa: S310  # checked by caller
        with build_opener(_NoRedirect, *proxies).open(request, timeout=timeout_s) as response:
            document = json.loads(response.read(MAX_LIST_BYTES))
    except (URLError, OSError, ValueError):
        return None
    entries = document.get("data") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        return None
    return [entry for entry in entries if isinstance(entry, dict) and is_for_chat(entry)]


def is_for_chat(entry: Mapping[str, Any]) -> bool:
    """Tell whether a listed model has a name and is not plainly of another kind."""
    name = entry.get("id")
    return isinstance(name, str) and not any(word in name.lower() for word in NOT_FOR_CHAT)


def models_by_variables(
    environ: Mapping[str, str], chosen: str, fetch: Fetch = fetch_models
) -> tuple[ModelSpec, ...] | None:
    """Return the models behind OpenAI's variables; None when neither variable is set.

    Args:
        environ: the environment.
        chosen: a model's name to use alone, without asking for a list; may be empty.
        fetch: asks a server for its models.
    """
    key = environ.get(KEY_VARIABLE, "").strip()
    base_url = environ.get(URL_VARIABLE, "").strip().rstrip("/")
    if not key and not base_url:
        return None
    official = base_url in {"", OPENAI_URL}
    base_url = base_url or OPENAI_URL
    entries: list[dict[str, Any]] = [{"id": chosen}] if chosen else []
    listed = [] if official and chosen else fetch(base_url, key, LIST_TIMEOUT_S) or []
    if chosen:
        entries = [entry for entry in listed if entry["id"] == chosen] or entries
    elif official:
        entries = _preferred(listed)
    else:
        entries = listed[:MAX_MODELS]
    default = OPENAI_WINDOW_TOKENS if official else CAREFUL_WINDOW_TOKENS
    return tuple(
        _spec(entry, order, base_url, default, key_variable=KEY_VARIABLE if key else "")
        for order, entry in enumerate(entries)
    )


def models_on_this_machine(fetch: Fetch = fetch_models) -> tuple[ModelSpec, ...]:
    """Return the models of the first well-known server that answers; asked side by side."""
    with ThreadPoolExecutor(len(PLACES)) as pool:
        answers = list(pool.map(lambda place: fetch(place.base_url, "", PROBE_TIMEOUT_S), PLACES))
    for place, entries in zip(PLACES, answers, strict=True):
        if entries:
            return tuple(
                _spec(entry, order, place.base_url, CAREFUL_WINDOW_TOKENS, place=place)
                for order, entry in enumerate(entries[:MAX_MODELS])
            )
    return ()


def _preferred(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = {entry["id"] for entry in listed}
    return [{"id": name} for name in PREFERRED if name in names] or [{"id": PREFERRED[0]}]


def _spec(
    entry: Mapping[str, Any],
    order: int,
    base_url: str,
    default_window: int,
    *,
    key_variable: str = "",
    place: Place | None = None,
) -> ModelSpec:
    name = str(entry["id"])
    announced = _window(entry)
    window = announced or default_window
    tokenizer = place.tokenizer if place else tokenizer_of(name)
    origin = place.program if place else base_url
    size = "as its server says" if announced else "a careful guess: set it in a models file"
    return ModelSpec(
        name=name,
        endpoint=base_url,
        remote_name=name,
        window_tokens=window,
        reply_reserve_tokens=max(window // 8, 256),
        tokenizer=f"server:{name}" if tokenizer == "server" else tokenizer,
        key_variable=key_variable,
        abilities=frozenset({"stream_usage"}),
        limits=NEARBY_LIMITS if place else ModelLimits(),
        fallback_order=order,
        expect=f"Found at {origin}; its window is {window:,} tokens ({size}).",
    )


def _window(entry: Mapping[str, Any]) -> int | None:
    meta = entry.get("meta")
    for source in (entry, meta if isinstance(meta, dict) else {}):
        for field in WINDOW_FIELDS:
            value = source.get(field)
            if isinstance(value, int) and value >= SMALLEST_WINDOW_TOKENS:
                return value
    return None
