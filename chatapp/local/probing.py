"""Sends one tiny request to a model server and says in one sentence what came of it."""

import json
import time
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import OpenerDirector, ProxyHandler, Request, build_opener

TIMEOUT_S = 120.0
QUESTION = "Say OK."
MAX_ANSWER_BYTES = 1024 * 1024
REASONS = {
    401: "its server refuses the key",
    403: "its server refuses the key",
    404: "its server knows neither this address nor this model",
    429: "its server says that the limit is reached",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What one request came to."""

    took_ms: int
    fault: str = ""
    """One sentence; empty when the model answered."""


def ask_once(
    base_url: str,
    key: str,
    model: str,
    *,
    limit_field: str = "max_tokens",
    timeout_s: float = TIMEOUT_S,
) -> Answer:
    """Ask a model for one token.

    Args:
        base_url: of the server, ending in /v1.
        key: empty where the server needs none.
        model: what the server calls it.
        limit_field: how the server calls the longest reply.
        timeout_s: when to give up.
    """
    body = {
        "model": model,
        "messages": [{"role": "user", "content": QUESTION}],
        limit_field: 1,
    }
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    request = Request(  # noqa: S310  # an address that the models file has checked
        f"{base_url}/chat/completions", json.dumps(body).encode(), headers
    )
    started_s = time.monotonic()
    fault = _fault_of(request, base_url, timeout_s)
    return Answer(round((time.monotonic() - started_s) * 1000), fault)


def _opener(base_url: str) -> OpenerDirector:
    # A proxy of the network has no business with addresses of this machine.
    own = base_url.startswith(("http://127.0.0.1", "http://localhost"))
    return build_opener(ProxyHandler({})) if own else build_opener()


def _fault_of(request: Request, base_url: str, timeout_s: float) -> str:
    try:
        with _opener(base_url).open(request, timeout=timeout_s) as response:
            document: Any = json.loads(response.read(MAX_ANSWER_BYTES))
    except HTTPError as error:
        reason = REASONS.get(error.code, "its server refuses the request")
        return f"{reason} (HTTP {error.code} from {base_url})."
    except (URLError, OSError) as error:
        return f"{base_url} cannot be reached: {getattr(error, 'reason', error)}."
    except ValueError:
        return f"{base_url} does not answer with JSON."
    if not isinstance(document, dict) or not document.get("choices"):
        return f"{base_url} answers, but not as a chat completions server does."
    return ""
