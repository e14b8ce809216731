"""How often the message is found that an input points at: python -m bench anchors."""

import argparse
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.anchor_samples import Ask, Reply, read_asks, read_replies
from bench.report import replaced_part, setting
from statecore.context.anchors import MAX_ANCHORS, resolve
from statecore.context.state import State
from tests.support.web_process import ROOT

HEADING = "## Anchors"
SAMPLES = ROOT / "bench" / "data" / "anchors.jsonl"
LOGS = "long_chat_irc.jsonl"


@dataclass
class Tally:
    """Inputs, and what was found of what they mean."""

    inputs: int = 0
    traps: int = 0
    """Inputs that mean no message."""
    wanted: int = 0
    """Inputs that mean one."""
    hits: int = 0
    """Of those, for which a right message was found."""
    right: int = 0
    """Messages found that are meant."""
    wrong: int = 0
    """Messages found that are not."""

    def add(self, found: Sequence[int], meant: frozenset[int]) -> None:
        """Count one input."""
        right = sum(one in meant for one in found)
        self.inputs += 1
        self.traps += not meant
        self.wanted += bool(meant)
        self.hits += right > 0
        self.right += right
        self.wrong += len(found) - right

    @property
    def precision(self) -> float:
        """Share of the messages found that are meant."""
        return _share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Share of the inputs that mean a message for which it was found."""
        return _share(self.hits, self.wanted)


@dataclass
class Linked:
    """Replies of logs, and whether what they point at is what they answer."""

    replies: int = 0
    """With a phrase that points back."""
    resolved: int = 0
    """Of those, for which some message was found."""
    linked: int = 0
    """Of those, for which the first is one that it answers."""
    near: int = 0
    """Of those, for which one of those found is."""

    def add(self, found: Sequence[int], links: frozenset[int]) -> None:
        """Count one reply."""
        self.replies += 1
        self.resolved += bool(found)
        self.linked += bool(found) and found[0] in links
        self.near += any(one in links for one in found)


def main(argv: Sequence[str]) -> None:
    """Read the command line, measure, print, and write where asked."""
    parser = argparse.ArgumentParser(prog="bench anchors", description=__doc__)
    parser.add_argument("--samples", type=Path, default=SAMPLES, help="labelled inputs")
    parser.add_argument("--data", type=Path, help=f"folder with {LOGS}")
    parser.add_argument("--out", type=Path, help="a page whose part about anchors is replaced")
    options = parser.parse_args(argv)
    others = os.getloadavg()[0]
    linked = follow(read_replies(options.data / LOGS)) if options.data else None
    text = f"{HEADING}\n\n{setting(others)}\n{table(measure(read_asks(options.samples)), linked)}"
    if options.out:
        page = options.out.read_text(encoding="utf-8")
        options.out.write_text(replaced_part(page, HEADING, text), encoding="utf-8")
    print(text)


def measure(asks: Iterable[Ask]) -> dict[tuple[str, str], Tally]:
    """Return what is found, by language and part; "all" stands for each."""
    tallies: dict[tuple[str, str], Tally] = {}
    for ask in asks:
        found = found_in(ask.state())
        for language in (ask.language, "all"):
            for part in (ask.part, "all"):
                tallies.setdefault((language, part), Tally()).add(found, ask.right)
    return tallies


def follow(replies: Iterable[Reply]) -> Linked:
    """Return how often a reply points at what it answers."""
    linked = Linked()
    for reply in replies:
        linked.add(found_in(reply.state()), reply.linked)
    return linked


def found_in(state: State) -> list[int]:
    """Return the numbers of the messages that an input is taken to mean, the surest first."""
    return [int(anchor.message_id) for anchor in resolve(state)[:MAX_ANCHORS]]


def table(tallies: dict[tuple[str, str], Tally], linked: Linked | None) -> str:
    """Return the figures as Markdown."""
    rows = "\n".join(
        f"| {language} | {part} | {tally.inputs} | {tally.traps} | {tally.precision:.2f} "
        f"| {tally.recall:.2f} |"
        for (language, part), tally in sorted(tallies.items())
    )
    return f"""Made by `python -m bench anchors`: whether the message is found that an input points
at, in conversations of 4 to 12 messages, labelled by hand. Inputs that mean no message are traps.
Every message found counts, not only the first. The `unseen` inputs were written before the cues or
after their last change. No single one that went wrong was looked at while the cues were made; their
totals by language were, round after round, so they say less than inputs that nobody has ever run.

| language | part | inputs | traps | precision | recall |
|---|---|---|---|---|---|
{rows}

{logs_sentence(linked)}
"""


def logs_sentence(linked: Linked | None) -> str:
    """Return what came of the logs."""
    if linked is None:
        return "No logs with reply links were given (`--data`)."
    return (
        f"In chat logs with reply links made by people ({LOGS}): {linked.replies} replies have a "
        f"phrase that points back; for {linked.resolved} of them a message was found among the 100 "
        f"before; it is the one replied to for {linked.linked} of those ({linked.near} counting "
        "every message found). A link says what is answered, which often is not what is pointed "
        "at: who asks about an error points at the error and answers a question."
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
