"""Speaks the OpenAI chat completions API; the stream is read by our own parser.

The official client's chunk objects cost about 140 microseconds each, which one process that
serves hundreds of streams cannot pay; the client still does the rest: connection, retries off,
keys, errors.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from math import isfinite
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.routing.errors import error_said
from statecore.routing.failures import Evidence, FailureReason, Phase, refusal
from statecore.routing.stream import ChatReader, Event
from statecore.routing.wire import wire_request
from statecore.tokens import Count

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI
    from openai._response import AsyncAPIResponse

COUNT_LIMIT_S = 10.0
OPENAI_HOST = "api.openai.com"

NO_KEY = "none"
"""The client demands a key even where the server asks for none."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model answers, and with which key."""

    base_url: str
    api_key: str


class AttemptFailed(Exception):
    """Raised when a provider refuses, breaks off or cannot be reached."""

    def __init__(self, reason: FailureReason, detail: str, retry_after_s: float | None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail
        """The provider's words; they may quote the prompt, so they are only stored sealed."""
        self.retry_after_s = retry_after_s


_clients: dict[tuple[Endpoint, float], "AsyncOpenAI"] = {}


def client_of(endpoint: Endpoint, connect_s: float) -> "AsyncOpenAI":
    """Return the client of an endpoint; connections are kept and shared."""
    found = _clients.get((endpoint, connect_s))
    if found is None:
        found = _clients[endpoint, connect_s] = new_client(endpoint, connect_s)
    return found


async def close_clients() -> None:
    """Close all connections; the next call makes new ones."""
    clients = list(_clients.values())
    _clients.clear()
    for client in clients:
        await client.close()


def new_client(endpoint: Endpoint, connect_s: float, limit_s: float | None = None) -> "AsyncOpenAI":
    """Return a client that shares no connection; whoever asked closes it.

    Args:
        endpoint: where the model answers.
        connect_s: how long connecting may take.
        limit_s: how long the provider may be silent; None where somebody else watches that.
    """
    import httpx2  # noqa: PLC0415  # openai and its client take a second to import
    from openai import AsyncOpenAI  # noqa: PLC0415

    # First token and silence of a stream are timed by the runtime, which knows what a slow
    # prefill is.
    timeout = httpx2.Timeout(limit_s, connect=connect_s)
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=64)
    host = urlsplit(endpoint.base_url).hostname or ""
    client = AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.api_key or NO_KEY,
        max_retries=0,
        timeout=timeout,
        # A proxy of the network has no business with addresses of this machine.
        http_client=httpx2.AsyncClient(
            limits=limits, timeout=timeout, trust_env=not _is_loopback(host)
        ),
    )
    if host != OPENAI_HOST:
        # The client takes them from OpenAI's variables, which name an account to no other server.
        client.organization = client.project = None
    return client


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def stream_chat(
    request: Request, model: ModelSpec, endpoint: Endpoint
) -> AsyncGenerator[Sequence[Event]]:
    """Yield the events of one streamed answer, in the groups in which the bytes came.

    Closing the iterator closes the connection, which cancels the call at the provider.

    Raises:
        AttemptFailed: when the provider refuses the call or the connection fails.
    """
    client = client_of(endpoint, model.limits.connect_ms / 1000)
    reader = ChatReader(cached_apart=model.cached_tokens == "apart")
    with failures_named():
        # The body goes in as it is: the client would walk through every message to translate
        # types that are plain JSON here already.
        async with client.chat.completions.with_streaming_response.create(
            model=model.remote_name,
            messages=(),
            stream=True,
            extra_body=wire_request(request, model),
        ) as response:
            async for chunk in _bytes_of(response):
                if events := reader.feed(chunk):
                    yield events
            if events := reader.close():
                yield events


@contextmanager
def failures_named() -> Iterator[None]:
    """Turn what client and transport raise into AttemptFailed with its reason."""
    import openai  # noqa: PLC0415  # see above

    try:
        yield
    except openai.APIStatusError as error:
        raise _refused(error) from None
    except openai.APIConnectionError as error:
        raise _unreachable(error, "connect") from None
    except _transport_errors() as error:
        raise _unreachable(error, "stream") from None


def _bytes_of(response: "AsyncAPIResponse[Any]") -> AsyncIterator[bytes]:
    # Decoding costs as much as parsing, and hardly any server compresses a stream.
    if response.headers.get("content-encoding", "identity") == "identity":
        return response.http_response.aiter_raw()
    return response.iter_bytes()


@lru_cache(maxsize=1)
def _transport_errors() -> type[Exception]:
    import httpx2  # noqa: PLC0415  # see above

    return httpx2.HTTPError


def _refused(error: "APIStatusError") -> AttemptFailed:
    said = error_said(error.body)
    message = said.message or error.message
    retry_after_s = _retry_after_s(error.response.headers)
    reason = refusal(
        Evidence(
            phase="response",
            http_status=error.status_code,
            retry_after_s=retry_after_s,
            error_code=said.code,
            error_type=said.kind,
            message=message,
        )
    )
    return AttemptFailed(reason, f"HTTP {error.status_code}: {message}", retry_after_s)


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    try:
        seconds = float(headers["retry-after"])
    except (KeyError, ValueError):
        return None
    return max(0.0, seconds) if isfinite(seconds) else None


def _unreachable(error: Exception, phase: Phase) -> AttemptFailed:
    cause = error.__cause__ or error
    name = type(cause).__name__
    reason = refusal(
        Evidence(phase=phase, error_type=name, message=str(cause), timed_out="Timeout" in name)
    )
    return AttemptFailed(reason, f"{name}: {cause}", None)


async def count_at_server(
    model: ModelSpec, endpoint: Endpoint, texts: Sequence[str]
) -> list[Count] | None:
    """Return exact counts by a llama.cpp server's own tokenizer.

    Returns:
        None when the server has no such tokenizer or does not answer.
    """
    http = client_of(endpoint, model.limits.connect_ms / 1000)._client  # noqa: SLF001  # shares its connections
    root = endpoint.base_url.removesuffix("/").removesuffix("/v1")
    headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    counts = []
    for text in texts:
        try:
            answer = await http.post(
                f"{root}/tokenize", json={"content": text}, headers=headers, timeout=COUNT_LIMIT_S
            )
            counts.append(Count(len(answer.raise_for_status().json()["tokens"]), "exact"))
        except (_transport_errors(), ValueError, KeyError, TypeError):
            return None
    return counts


def warm_client() -> None:
    """Import the client ahead of the first call."""
    import openai  # noqa: F401, PLC0415  # see above
