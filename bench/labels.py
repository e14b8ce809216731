"""What is kept of hand-labelled turns, by rules alone and with a model: python -m bench labels."""

import argparse
import asyncio
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from bench.local_model import serving
from bench.report import replaced_part, setting
from bench.samples import Said, Sample, read_samples
from chatapp.llm.labelling import LabelAnswer, ask_labels
from chatapp.llm.openai_chat import Endpoint
from chatapp.llm.templates import label_prompt
from statecore.memory.labels import LabelQuestion, Unreadable, checked
from statecore.memory.session_defaults import TEMPORARY_PREFERENCES
from statecore.models import ModelLimits, ModelSpec
from statecore.state.fold import EMPTY
from statecore.state.learning import delta_of, question_for
from statecore.state.operations import Delta
from tests.support.web_process import ROOT

HEADING = "## Labels"
SAMPLES = ROOT / "bench" / "data" / "labels.jsonl"
WEIGHTS = ROOT / "data" / "models" / "qwen2.5-coder-1.5b.gguf"
LIMITS = ModelLimits(first_token_base_ms=300_000)

Asker = Callable[[LabelQuestion], LabelAnswer]


@dataclass
class Tally:
    """Sentences that were kept rightly, wrongly, and missed."""

    hits: int = 0
    extra: int = 0
    missed: int = 0
    right_kinds: int = 0
    """Of the hits."""

    def add(self, said: Said, kind: str | None) -> None:
        """Count one sentence; None: it was not kept."""
        if said.is_either:
            return
        self.hits += said.is_kept and kind is not None
        self.extra += kind is not None and not said.is_kept
        self.missed += kind is None and said.is_kept
        self.right_kinds += said.is_kept and kind in said.right

    def __str__(self) -> str:
        """Return precision, recall, F1 and accuracy of kinds as cells of a table."""
        precision = _share(self.hits, self.hits + self.extra)
        recall = _share(self.hits, self.hits + self.missed)
        f1 = _share(2 * self.hits, 2 * self.hits + self.extra + self.missed)
        kinds = _share(self.right_kinds, self.hits)
        return f"{precision:.2f} | {recall:.2f} | **{f1:.2f}** | {kinds:.2f}"


class Call(NamedTuple):
    """What one question took."""

    seconds: float
    prompt_tokens: int
    cached_tokens: int
    output_tokens: int
    is_readable: bool


@dataclass
class Measured:
    """Everything that was counted."""

    tallies: dict[tuple[str, str], Tally] = field(default_factory=dict)
    """By group and way."""
    calls: list[Call] = field(default_factory=list)
    turns: int = 0

    def add(self, sample: Sample, way: str, delta: Delta) -> None:
        """Count the sentences of a turn under its language, its part, and all."""
        for said in sample.said:
            kind = kind_in(delta, said)
            for group in (sample.language, sample.part, "all"):
                self.tallies.setdefault((group, way), Tally()).add(said, kind)


def main(argv: Sequence[str]) -> None:
    """Read the command line, measure, print, and write where asked."""
    parser = argparse.ArgumentParser(prog="bench labels", description=__doc__)
    parser.add_argument("--data", type=Path, default=SAMPLES, help="hand-labelled turns")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="of the memory model")
    parser.add_argument("--rules", action="store_true", help="ask no model")
    parser.add_argument("--out", type=Path, help="a page whose part about labels is replaced")
    options = parser.parse_args(argv)
    samples = read_samples(options.data)
    others = os.getloadavg()[0]
    if options.rules:
        measured = measure(samples, None)
    else:
        with running_model(options.weights) as ask:
            measured = measure(samples, ask)
    model = "" if options.rules else options.weights.stem
    text = f"{HEADING}\n\n{setting(others)}\n{table(measured, model)}"
    if options.out:
        page = options.out.read_text(encoding="utf-8")
        options.out.write_text(replaced_part(page, HEADING, text), encoding="utf-8")
    print(text)


@contextmanager
def running_model(weights: Path) -> Iterator[Asker]:
    """Serve the weights until the block is left; yield who asks them."""
    with serving(weights) as served:
        yield asker(served.base_url, served.key)


def asker(base_url: str, key: str) -> Asker:
    """Return who asks the model of a server, the way the application does."""
    spec = ModelSpec(
        name="memory",
        endpoint=base_url,
        remote_name="local",
        window_tokens=4096,
        reply_reserve_tokens=512,
        tokenizer="server",
        abilities=frozenset({"json_schema"}),
        limits=LIMITS,
    )
    return lambda question: asyncio.run(ask_labels(question, spec, Endpoint(base_url, key)))


def measure(samples: Sequence[Sample], ask: Asker | None) -> Measured:
    """Return what is kept of the turns; with nobody to ask, by rules alone."""
    measured = Measured(turns=len(samples))
    for number, sample in enumerate(samples):
        turn = sample.turn(number)
        alone = delta_of(turn, EMPTY, None, seq=2, model="", note="no_model")
        measured.add(sample, "rules", alone)
        if ask is None:
            continue
        question = question_for(turn, EMPTY, label_prompt())
        labels = None
        if question is not None:
            started = time.monotonic()
            answer = ask(question)
            found = checked(question, answer.text)
            labels = None if isinstance(found, Unreadable) else found
            measured.calls.append(_call(answer, time.monotonic() - started, labels is not None))
        measured.add(sample, "both", delta_of(turn, EMPTY, labels, seq=2, model="memory", note=""))
    return measured


def kind_in(delta: Delta, said: Said) -> str | None:
    """Return what a sentence became, found by its place; None when it was not kept."""
    for learned in delta.learned:
        if learned.span.start < said.end and said.start < learned.span.end:
            return learned.kind
    wishes = [one.value for one in delta.fields if one.key == TEMPORARY_PREFERENCES]
    return "temporary" if any(said.text in value.split("\n") for value in wishes) else None


def table(measured: Measured, model: str) -> str:
    """Return the figures as Markdown."""
    names = {"rules": "rules alone", "both": f"rules and {model}"}
    rows = "\n".join(
        f"| {group} | {names[way]} | {tally} |"
        for (group, way), tally in sorted(measured.tallies.items(), key=lambda item: item[0])
    )
    return f"""Made by `python -m bench labels`: what memory keeps of {measured.turns} turns whose
sentences were labelled by hand, in English, Russian and Chinese. The question was worded
with a look at the `tuned` ones and none at the `unseen`. Kinds: of the sentences kept rightly.

| turns | by | precision | recall | F1 | kinds |
|---|---|---|---|---|---|
{rows}

{calls_sentence(measured)}
"""


def calls_sentence(measured: Measured) -> str:
    """Return how often a model was asked and what a call took."""
    calls = measured.calls
    if not calls:
        return "No model was asked."
    seconds = statistics.median(call.seconds for call in calls)
    output = statistics.median(call.output_tokens for call in calls)
    fresh = statistics.median(call.prompt_tokens - call.cached_tokens for call in calls)
    unreadable = sum(not call.is_readable for call in calls)
    return (
        f"A model was asked about {len(calls)} of {measured.turns} turns; median of a call: "
        f"{seconds:.1f} seconds, {fresh:g} tokens read that no cache had, {output:g} tokens "
        f"written. Answers that could not be read: {unreadable}."
    )


def _call(answer: LabelAnswer, seconds: float, is_readable: bool) -> Call:  # noqa: FBT001  # private
    usage = answer.usage
    if usage is None:
        return Call(seconds, 0, 0, 0, is_readable)
    return Call(seconds, usage.prompt, usage.cached or 0, usage.completion, is_readable)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
