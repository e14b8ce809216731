"""Providers that count by a tokenizer of their own, and a conversation that is charged by one."""

from collections.abc import Callable

from chatapp.llm.tokenizers import encoding
from statecore.language.script_tokens import estimate, script_of, tokens_by_script
from statecore.tokens import Count, calibrated, factors_after

OVERHEAD_TOKENS = 4
WINDOW_MESSAGES = 12


def exact(name: str) -> Callable[[str], int]:
    return lambda text: len(encoding(name).encode(text, disallowed_special=()))


COUNTERS: dict[str, Callable[[str], int]] = {
    "o200k_base": exact("o200k_base"),
    "cl100k_base": exact("cl100k_base"),
}


class Talk:
    """Messages of which the newest are sent; each request is estimated and then reported."""

    def __init__(self, real: Callable[[str], int]) -> None:
        self._real = real
        self._factors: dict[str, float] = {}
        self._texts: list[str] = []

    def turn(self, text: str) -> tuple[int, int]:
        """Send one more message; return what was estimated and what was reported."""
        self._texts.append(text)
        sent = self._texts[-WINDOW_MESSAGES:]
        planned = sum(OVERHEAD_TOKENS + self._estimated(text) for text in sent)
        reported = sum(OVERHEAD_TOKENS + self._real(text) for text in sent)
        self._factors = factors_after(self._factors, tokens_by_script(sent), planned, reported)
        return planned, reported

    def _estimated(self, text: str) -> int:
        count = Count(estimate(text), "estimated")
        return calibrated(count, self._factors.get(script_of(text), 1.0)).tokens
