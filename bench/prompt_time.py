"""How long the local model reads prompts on one replay: python -m bench prompts."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.request import Request as Call
from urllib.request import urlopen

from bench.dialogues import joined, read
from bench.local_model import Served, serving
from bench.replay import Replay, spec
from bench.report import replaced_part, setting
from statecore.context.plan import ContextPlan
from statecore.context.strategies import ELASTIC, Strategy
from statecore.models import ModelSpec
from statecore.requests import Request
from statecore.routing.wire import wire_request
from tests.support.web_process import ROOT

HEADING = "## Prompts of a local model"
WEIGHTS = ROOT / "data" / "models" / "qwen2.5-coder-1.5b.gguf"
WINDOW_TOKENS = 4_096
MODEL_RESERVE_TOKENS = 512
DIALOGUE_TURNS = 120
FROM_NOTHING = 6
"""Of so many turns the requests are read without any cache; that takes a minute each."""
AIM_PERCENT = 30
STRATEGIES = (Strategy("full"), ELASTIC)
WHY = """\
Why a cache changes it: a full history only grows at its end, so that a server which keeps the
prompt before reads next to nothing anew. An elastic request is read anew behind the system prompt
where its window makes a step, and its last notes are read at each turn. What it saves is the prompt
itself: where there is no cache, where a provider bills it, and from the turn on at which the full
history no longer fits, which this replay ends before."""


@dataclass(frozen=True, slots=True)
class Read:
    """What reading one prompt took."""

    tokens: int
    """In the prompt."""
    fresh_tokens: int
    """Not taken from the cache."""
    ms: float


Reader = Callable[[Request, bool], Read]
"""Reads the prompt of a request, with the server's cache or without."""


@dataclass(frozen=True, slots=True)
class Row:
    """All prompts of one way."""

    strategy: str
    is_cached: bool
    reads: tuple[Read, ...]

    @property
    def seconds(self) -> float:
        """Reading all prompts took so long."""
        return sum(read.ms for read in self.reads) / 1000


def main(argv: Sequence[str]) -> None:
    """Read the command line, measure, print, and write where asked."""
    parser = argparse.ArgumentParser(prog="bench prompts", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with sgd_dialogues.jsonl")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="of the local model")
    parser.add_argument("--window", type=int, default=WINDOW_TOKENS, help="of the model, tokens")
    parser.add_argument("--nothing", type=int, default=FROM_NOTHING, help="prompts without cache")
    parser.add_argument("--out", type=Path, help="a page whose part about prompts is replaced")
    options = parser.parse_args(argv)
    others = os.getloadavg()[0]
    replay = Replay(next(joined(read(options.data, "sgd_dialogues"), DIALOGUE_TURNS)))
    model = replace(spec(options.window), reply_reserve_tokens=MODEL_RESERVE_TOKENS)
    # The replay counts with another tokenizer than the model has, so that it gets some room more.
    window = str(options.window * 5 // 4)
    with serving(options.weights, "--window", window, "--slots", "1") as served:
        rows = list(measure(replay, model, reader(served, model), options.nothing))
    text = f"{HEADING}\n\n{setting(others)}\n{table(rows, model, options.weights.stem)}"
    if options.out:
        page = options.out.read_text(encoding="utf-8")
        options.out.write_text(replaced_part(page, HEADING, text), encoding="utf-8")
    print(text)


def measure(replay: Replay, model: ModelSpec, read_prompt: Reader, nothing: int) -> Iterator[Row]:
    """Yield the rows: each way over the same turns, as far as the full history fits."""
    plans = {strategy.name: list(_requests(replay, model, strategy)) for strategy in STRATEGIES}
    turns = min(map(len, plans.values()))
    every = max(1, turns // max(1, nothing))
    for is_cached, step in ((True, 1), (False, every)):
        for name, requests in plans.items():
            some = requests[step - 1 : turns : step]
            yield Row(name, is_cached, tuple(read_prompt(one, is_cached) for one in some))


def _requests(replay: Replay, model: ModelSpec, strategy: Strategy) -> Iterator[Request]:
    for _, outcome in replay.walk(model, range(len(replay)), strategy):
        if not isinstance(outcome, ContextPlan):
            return
        yield outcome.request


def reader(served: Served, model: ModelSpec) -> Reader:
    """Return who lets a server read prompts and write one token."""

    def read_prompt(request: Request, is_cached: bool) -> Read:  # noqa: FBT001  # the only option
        body = wire_request(request, model)
        body |= {"model": "local", "stream": False, "max_tokens": 1, "cache_prompt": is_cached}
        answer = _posted(served, body)
        timings = answer["timings"]
        fresh_tokens = timings["prompt_n"]
        return Read(answer["usage"]["prompt_tokens"], fresh_tokens, timings["prompt_ms"])

    return read_prompt


def _posted(served: Served, body: dict[str, Any]) -> dict[str, Any]:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {served.key}"}
    call = Call(f"{served.base_url}/chat/completions", json.dumps(body).encode(), headers)  # noqa: S310  # own address
    with urlopen(call) as response:  # noqa: S310  # own address
        answer: dict[str, Any] = json.load(response)
    return answer


def table(rows: Sequence[Row], model: ModelSpec, name: str) -> str:
    """Return the figures as Markdown."""
    lines = "\n".join(
        f"| {'as it runs' if row.is_cached else 'without cache'} | {row.strategy} "
        f"| {len(row.reads)} | {sum(read.tokens for read in row.reads):,} "
        f"| {sum(read.fresh_tokens for read in row.reads):,} | {row.seconds:.1f} |"
        for row in rows
    )
    return f"""Made by `python -m bench prompts`: one conversation of the Schema-Guided Dialogues
(CC BY-SA 4.0), joined, as long as its full history fits a window of {model.window_tokens:,}
tokens, read by {name} turn by turn. As it runs: every turn, and the server keeps what it has read
of the prompt before. Without cache: every few turns, each prompt from its first token on. Aim:
elastic takes at least {AIM_PERCENT} % less time than the full history.

| prompts | context | prompts read | tokens | tokens not cached | seconds |
|---|---|---|---|---|---|
{lines}

{verdict(rows)}

{WHY}
"""


def verdict(rows: Sequence[Row]) -> str:
    """Return how much less time elastic takes, each way."""
    sentences = []
    for is_cached in (True, False):
        seconds = {row.strategy: row.seconds for row in rows if row.is_cached == is_cached}
        if not seconds.get("full"):
            continue
        less = 100 * (1 - seconds["elastic"] / seconds["full"])
        word = "met" if less >= AIM_PERCENT else "missed"
        way = "As it runs" if is_cached else "Without cache"
        sentences.append(f"* {way}: {less:.0f} % less time ({AIM_PERCENT} % {word}).")
    return "\n".join(sentences)


if __name__ == "__main__":
    main(sys.argv[1:])
