"""Sifting: the sentences of a user's message, with what code alone says about each."""

from typing import NamedTuple

from statecore.language.marks import Mark, marks
from statecore.language.secrets import has_secret
from statecore.language.sentences import sentences
from statecore.memory.ledger import Span
from statecore.memory.rules import RuleVerdict, ruled
from statecore.messages import Message
from statecore.state.operations import RejectReason

MAX_SENTENCES = 40
"""Sentences of one message that may be learned; a longer one is a pasted document."""
MAX_LOOKED_AT = 100
"""Sentences that are looked at, those that say nothing included."""
MAX_CHARS = 600
"""A longer sentence is none."""

_OF_THIS_ANSWER: frozenset[Mark] = frozenset({"request", "question", "goal"})
"""Whoever wants help with a poem and says nothing else has told nothing that lasts. Small models
give such a sentence any label, so they are not asked."""

NOTHING = RuleVerdict(kind=None, is_settled=True, is_temporary=False)


class Sifted(NamedTuple):
    """One sentence; the same message gives the same numbers, whatever memory holds."""

    number: int
    """Its place in the message, from 1 on."""
    span: Span
    text: str
    verdict: RuleVerdict
    refusal: RejectReason | None = None
    """Why it may not be learned."""

    @property
    def is_open(self) -> bool:
        """Whether only a model can say what it is."""
        return self.refusal is None and not self.verdict.is_settled


def sifted(message: Message) -> tuple[Sifted, ...]:
    """Return the sentences of a message; all beyond the limits are the last one together."""
    found: list[Sifted] = []
    worth_keeping = 0
    for number, sentence in enumerate(sentences(message.text), start=1):
        if worth_keeping == MAX_SENTENCES or number > MAX_LOOKED_AT:
            found.append(_rest(message, number, sentence.start))
            break
        one = _one(number, Span(message.id, sentence.start, sentence.end), sentence.text)
        worth_keeping += one.verdict != NOTHING
        found.append(one)
    return tuple(found)


def _one(number: int, span: Span, text: str) -> Sifted:
    if has_secret(text):
        return Sifted(number, span, text, NOTHING, "secret")
    if len(text) > MAX_CHARS:
        return Sifted(number, span, text, NOTHING, "too_long")
    verdict = ruled(text)
    if not verdict.is_settled and "request" in (found := marks(text)) and found <= _OF_THIS_ANSWER:
        verdict = NOTHING
    return Sifted(number, span, text, verdict)


def _rest(message: Message, number: int, start: int) -> Sifted:
    """Return what follows as one sentence that is too long."""
    text = message.text[start:].rstrip()
    span = Span(message.id, start, start + len(text))
    return Sifted(number, span, text, NOTHING, "secret" if has_secret(text) else "too_long")
