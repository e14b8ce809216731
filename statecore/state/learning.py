"""What a committed turn teaches: the question for a memory model, and the delta of the turn.

Only the user's sentences are learned from; what the assistant says stands beside them as context.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from statecore.language.marks import Mark, marks
from statecore.language.secrets import has_secret
from statecore.language.sentences import sentences
from statecore.language.values import is_telling, values
from statecore.memory.corrections import holds_any, taken_back
from statecore.memory.labels import (
    AskedSentence,
    CheckedLabels,
    LabelPrompt,
    LabelQuestion,
    RefusedLabel,
)
from statecore.memory.ledger import Author, EntryKind, Span, entry_id
from statecore.memory.session_defaults import CURRENT_GOAL, TEMPORARY_PREFERENCES, expiry_of
from statecore.memory.tombstones import folded
from statecore.messages import Finish, Message
from statecore.state.fold import Memory
from statecore.state.operations import Delta, FieldSet, Learned, Rejected
from statecore.state.sifting import Sifted, sifted

MAX_BEFORE = 160
"""Characters of the end of the assistant's words before; a prefill takes 20 ms for each token."""
MAX_AFTER = 80
"""Characters of the beginning of the answer."""
MAX_LINE = 200
"""Characters of a sentence that are shown; its beginning says what it is."""
MAX_LINES = 3_000
"""Characters of all sentences together: with Chinese ones too they fit into a small window."""
LOOKED_AT = 1_000
"""Characters of the assistant's words that are searched for what may not be shown."""
ECHO_BYTES = 16
"""A shorter sentence that was deleted ("No.") is no echo where it stands again."""
MAX_REJECTED = 200
"""Characters that are kept of a sentence that is too long."""
CUT = "…"

_WISHES: frozenset[EntryKind] = frozenset({"rule", "preference"})
"""What lasts a while only when the user says so."""
_CERTAIN: frozenset[EntryKind] = frozenset({"fact", "decision"})


@dataclass(frozen=True, slots=True)
class TurnTexts:
    """What was said in a committed turn, and when."""

    turn_id: str
    depth: int
    said_seq: int
    """Seq at which the turn was accepted."""
    branch_ms: int
    question: Message
    """The user's message."""
    answer: Message | None
    """The assistant's last words in the turn."""
    before: Message | None
    """The assistant's last words of the turn before."""
    finish: Finish


def question_for(turn: TurnTexts, memory: Memory, prompt: LabelPrompt) -> LabelQuestion | None:
    """Return what a memory model is asked about a turn; None where rules settle everything."""
    found = sifted(turn.question)
    gone = {one.number for one in found if _is_removed(turn, memory, one)}
    asked = tuple(
        AskedSentence(one.number, one.span, one.text)
        for one in found
        if one.is_open and one.number not in gone
    )
    if not asked:
        return None
    shown = [one for one in found if one.refusal != "too_long"]
    limit = min(MAX_LINE, MAX_LINES // len(shown))
    lines = [_line(one, gone, prompt, limit) for one in shown]
    before = turn.before.text if turn.before else ""
    after = turn.answer.text if turn.answer else ""
    user = prompt.user.format(
        before=_context(prompt.before, _ending(_safe(before[-LOOKED_AT:], memory, prompt))),
        after=_context(prompt.after, _beginning(_safe(after[:LOOKED_AT], memory, prompt))),
        sentences="\n".join(lines),
    )
    return LabelQuestion(prompt.name, prompt.version, prompt.system, user.strip(), asked)


def delta_of(
    turn: TurnTexts,
    memory: Memory,
    labels: CheckedLabels | None,
    *,
    seq: int,
    model: str,
    note: str,
) -> Delta:
    """Return what a turn teaches.

    Args:
        memory: at the end of the path before the turn.
        labels: what counts of the model's answer; None when rules alone decide.
        seq: of the delta.
        model: the memory model that answered; empty without one.
        note: why no model was asked, as a code.
    """
    kinds = labels.labels if labels else {}
    refused = labels.refused if labels else ()
    found = sifted(turn.question)
    rejected = [*_rejected(turn, memory, found, kinds), *_refused(turn, found, refused)]
    kept = [
        (one, kind)
        for one in found
        if one.refusal is None
        and not _is_removed(turn, memory, one)
        and (kind := _kind(one, kinds)) is not None
    ]
    lasting = [(one, kind) for one, kind in kept if not _is_wish(one, kind)]
    return Delta(
        turn_id=turn.turn_id,
        seq=seq,
        depth=turn.depth,
        said_seq=turn.said_seq,
        branch_ms=turn.branch_ms,
        learned=tuple(_learned(lasting, memory)),
        rejected=tuple(rejected),
        fields=_fields(kept),
        model=model,
        note=note,
    )


def _is_removed(turn: TurnTexts, memory: Memory, one: Sifted) -> bool:
    return memory.is_removed(one.span, one.text, turn.said_seq)


@lru_cache(maxsize=128)
def _marks(text: str) -> frozenset[Mark]:
    """Return what the cues say; the sentences of a turn are asked about several times."""
    return marks(text)


def _kind(one: Sifted, kinds: Mapping[int, EntryKind]) -> EntryKind | None:
    """Return what a sentence is; what is only supposed is never certain, whoever says so."""
    kind = one.verdict.kind if one.verdict.is_settled else kinds.get(one.number)
    if kind in _CERTAIN and "hedge" in _marks(one.text):
        return "assumption"
    return kind


def _is_wish(one: Sifted, kind: EntryKind) -> bool:
    """Return whether it holds for a while only; of what rules left open they have not said it."""
    return kind in _WISHES and (one.verdict.is_temporary or "temporary" in _marks(one.text))


def _learned(lasting: Iterable[tuple[Sifted, EntryKind]], memory: Memory) -> list[Learned]:
    known = {entry.id: entry.text for entry in memory.active()}
    learned: list[Learned] = []
    for one, kind in lasting:
        old = taken_back(one.text) if "correction" in _marks(one.text) else ()
        places = tuple(name for name, text in known.items() if old and holds_any(text, old))
        author: Author = "rules" if one.verdict.is_settled else "model"
        learned.append(Learned(one.span, kind, one.text, author, places))
        known[entry_id(one.span)] = one.text
    return learned


def _fields(kept: Iterable[tuple[Sifted, EntryKind]]) -> tuple[FieldSet, ...]:
    """Return the session fields: the newest goal, and all wishes that hold for a while."""
    pairs = tuple(kept)
    goals = [one for one, kind in pairs if kind == "goal"]
    wishes = [one for one, kind in pairs if _is_wish(one, kind)]
    fields = []
    if goals:
        fields.append(_field(CURRENT_GOAL, goals[-1:]))
    if wishes:
        fields.append(_field(TEMPORARY_PREFERENCES, wishes))
    return tuple(fields)


def _field(key: str, said: list[Sifted]) -> FieldSet:
    """Return the field that sentences set; its source reaches from the first to the last."""
    value = "\n".join(one.text for one in said)
    source = Span(said[0].span.message_id, said[0].span.start, said[-1].span.end)
    return FieldSet(key, value, expiry_of(key), source)


def _rejected(
    turn: TurnTexts, memory: Memory, found: Iterable[Sifted], kinds: Mapping[int, EntryKind]
) -> Iterable[Rejected]:
    """Yield what code does not let in; words only where they are no secret."""
    for one in found:
        kind = _kind(one, kinds) or ""
        if one.refusal == "secret":
            yield Rejected(one.span, "", "", "secret")
        elif one.refusal is not None:
            yield Rejected(one.span, _shortened(one.text, MAX_REJECTED), "", one.refusal)
        elif kind and _is_removed(turn, memory, one):
            yield Rejected(one.span, one.text, kind, "deleted_by_user")


def _refused(
    turn: TurnTexts, found: Iterable[Sifted], refused: Iterable[RefusedLabel]
) -> Iterable[Rejected]:
    """Yield what does not count of the answer; a number without a sentence has an empty span."""
    places = {one.number: one for one in found if one.refusal is None}
    for number, label, reason in refused:
        one = places.get(number)
        span = one.span if one else Span(turn.question.id, 0, 0)
        yield Rejected(span, one.text if one else "", label, reason)


def _line(one: Sifted, gone: Collection[int], prompt: LabelPrompt, limit: int) -> str:
    is_hidden = one.refusal is not None or one.number in gone
    text = prompt.left_out if is_hidden else _shortened(" ".join(one.text.split()), limit)
    return f"{one.number}. {text}" if one.is_open else f"- {text}"


def _context(line: str, text: str) -> str:
    return line.format(text=text) + "\n" if line and text else ""


def _safe(words: str, memory: Memory, prompt: LabelPrompt) -> str:
    """Return the words of an assistant without secrets and without what a person deleted."""
    told = [text for gone in memory.removed for text in (gone.text, *gone.quotes)]
    echoes = {folded(text) for text in told if len(text.encode()) >= ECHO_BYTES}
    removed = [value for text in told for value in values(text) if is_telling(value)]

    def is_hidden(text: str) -> bool:
        is_echo = any(echo in folded(text) for echo in echoes)
        return is_echo or holds_any(text, removed) or has_secret(text)

    return " ".join(
        prompt.left_out if is_hidden(sentence.text) else " ".join(sentence.text.split())
        for sentence in sentences(words)
    )


def _ending(text: str) -> str:
    return text if len(text) <= MAX_BEFORE else CUT + text[-MAX_BEFORE:]


def _beginning(text: str) -> str:
    return _shortened(text, MAX_AFTER)


def _shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + CUT
