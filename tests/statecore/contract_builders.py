"""Builds contracts for the tests of the core: small ones by hand, and any that can be."""

from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st

from statecore.contract.renaming import Names, renamed
from statecore.contract.schema import (
    CURRENT,
    AttemptMeta,
    Contract,
    ContractConversation,
    ContractMemory,
    ContractMessage,
    ContractTurn,
    RequestMeta,
)
from statecore.memory.contract_fields import ContractField
from statecore.memory.facts import Fact, FactSource
from statecore.memory.ledger import Span
from statecore.messages import ToolCall
from statecore.requests import ToolDefinition
from statecore.state.codec import operation_form
from statecore.workflow.machine import HeldValue, WorkflowState
from tests.statecore.memory_builders import History, histories

SAMPLES = Path(__file__).parent.parent / "data" / "contract"
TEXTS = (
    "Rome 900. Rome 901. Rome 900. And so on to the end.",
    "rome 900? Отель 9.. 不要海鲜不要海鲜.. И так далее до конца.",
)
COMMITTED = 1_000
"""What is added to the seq of an accept for that of the commit, before all are renamed."""


def sample(name: str) -> str:
    """Return a stored document."""
    return (SAMPLES / name).read_text(encoding="utf-8")


def said(id_: str, role: str, text: str, created_ms: int = 0, **more) -> ContractMessage:
    return ContractMessage(id=id_, role=role, text=text, created_ms=created_ms, **more)


def turn(depth: int, *messages: ContractMessage, seq: int = 0, **more) -> ContractTurn:
    """Return a committed turn; by default its seqs are twice its depth and the one before."""
    accepted = seq or 2 * depth - 1
    fields = {
        "id": f"t{depth}",
        "depth": depth,
        "status": "committed",
        "messages": messages
        or (said(f"u{depth}", "user", "Hi."), said(f"a{depth}", "assistant", "Yes.")),
        "accepted_seq": accepted,
        "accepted_ms": 1000 * depth,
        "branch_ms": 100 * depth,
        "finish": "complete",
        "committed_seq": accepted + 1,
        "committed_ms": 1000 * depth + 500,
    }
    return ContractTurn(**(fields | more))


def waiting(depth: int, **more) -> ContractTurn:
    """Return a turn whose input waits for an answer."""
    none = {"finish": None, "committed_seq": None, "committed_ms": None}
    asked = said(f"u{depth}", "user", "And now?")
    return turn(depth, asked, status="failed", **(none | more))


def contract(*turns: ContractTurn, **more) -> Contract:
    seqs = [seq for one in turns for seq in (one.accepted_seq, one.committed_seq) if seq]
    fields = {
        "schema_version": CURRENT,
        "conversation": ContractConversation(id="c1"),
        "turns": turns,
        "memory": ContractMemory(as_of=max(seqs, default=0)),
    }
    return Contract(**(fields | more))


@st.composite
def contracts(draw) -> Contract:
    """Draw a contract with whatever memory there can be, and with whatever else."""
    history = draw(histories())
    texts = {depth: draw(st.sampled_from(TEXTS)) for depth in range(1, len(history.turns) + 1)}
    raw = Contract(
        schema_version=CURRENT,
        conversation=ContractConversation(id="c1", title=draw(st.none() | st.just("Отпуск"))),
        system=draw(st.none() | st.just(said("s", "system", "Be brief."))),
        turns=tuple(_turn(draw, history, depth, texts[depth]) for depth in texts),
        memory=_memory(history, texts),
        contract_fields=draw(st.sampled_from([(), (ContractField("tone", "dry", "user", 900),)])),
        tools=draw(st.sampled_from([(), (ToolDefinition("find", "Finds.", "{}"),)])),
    )
    more = _about(draw, raw) if history.turns else {}
    return _spread(raw.model_copy(update=more))


def _turn(draw, history: History, depth: int, text: str) -> ContractTurn:
    seq = history.turns[depth - 1]
    messages = [said(f"m{depth}", "user", text, depth), said(f"a{depth}", "assistant", "好", depth)]
    if draw(st.booleans()):
        call = said(f"c{depth}", "assistant", "", depth, tool_calls=(ToolCall("x", "find", "{}"),))
        result = said(f"r{depth}", "tool", "[1]", depth, tool_call_id="x")
        messages[1:1] = [call, result]
    finish = draw(st.sampled_from(["complete", "stopped", "length"]))
    return turn(depth, *messages, seq=seq, committed_seq=seq + COMMITTED, finish=finish)


def _memory(history: History, texts: dict[int, str]) -> ContractMemory:
    def quoted(span: Span) -> str:
        return texts[int(span.message_id[1:])][span.start : span.end]

    deltas = tuple(
        replace(
            delta,
            learned=tuple(replace(one, text=quoted(one.span)) for one in delta.learned),
        )
        for delta in history.deltas
    )
    forms = tuple(map(operation_form, history.operations))
    return ContractMemory(as_of=history.last_seq, deltas=deltas, operations=forms)


def _about(draw, raw: Contract) -> dict[str, object]:
    """Draw what cites the first message."""
    source = Span("m1", 0, 8)
    where = FactSource("c1", "m1", 0, 8)
    other = FactSource("c9", "far", 3, 4)
    fact = Fact("k1", "trip", "user", "goal", "Rome", "Rome", (where, other), "user", 1, 1, 0.5)
    old = replace(fact, id="k0", superseded_by="k1")
    held = WorkflowState("return", 1, "check", (HeldValue("order", "900", True, source),))
    attempt = AttemptMeta(turn_id="t1", ordinal=1, model="small", tier=2)
    return {
        "facts": draw(st.sampled_from([(), (fact,), (old, fact)])),
        "workflow": draw(st.none() | st.just(held)),
        "request_meta": RequestMeta(model="small", attempts=(attempt,), marks={"scenario": "7"}),
    }


def _spread(raw: Contract) -> Contract:
    """Return a contract in which each commit has a seq of its own, next to its accept."""
    seqs = {seq: 2 * (seq - COMMITTED) + 1 if seq > COMMITTED else 2 * seq for seq in raw.seqs()}
    names = same_names(raw)
    names.seqs = seqs
    spread = renamed(raw, names)
    newest = max(spread.seqs(), default=0)
    return spread.model_copy(
        update={"memory": spread.memory.model_copy(update={"as_of": newest + 3})}
    )


def same_names(given: Contract, mark: str = "") -> Names:
    """Return names that add a mark to each id and leave seqs as they are."""
    return Names(
        conversation=f"{given.conversation.id}{mark}",
        turns={one.id: f"{one.id}{mark}" for one in given.turns},
        messages={one.id: f"{one.id}{mark}" for one in given.messages()},
        seqs={seq: seq for seq in given.seqs()},
        facts={fact.id: f"{fact.id}{mark}" for fact in given.facts},
        elsewhere=lambda _what, name, _number: name,
    )
