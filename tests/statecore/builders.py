"""Builds states, counts and plans for the tests of the core."""

from collections.abc import Sequence

from hypothesis import strategies as st

from statecore.context.plan import (
    ContextPlan,
    DoesNotFit,
    NeedCounts,
    PathTurn,
    Planner,
    Previous,
    Segment,
    State,
)
from statecore.context.strategies import ELASTIC, Strategy
from statecore.memory.ledger import Entry, EntryKind, Span
from statecore.memory.tombstones import Removed
from statecore.messages import Finish, Message, Role, ToolCall
from statecore.models import ModelSpec
from statecore.state.fold import Memory
from statecore.templates import Template
from statecore.tokens import Count, CountKey, Quality

TEMPLATE = Template(name="chat", version=1, system="Be brief.", stopped_empty="(stopped)")


def spec(window_tokens=1000, reply_reserve_tokens=100, **more) -> ModelSpec:
    fields = {"name": "small", "endpoint": "http://localhost/v1", "remote_name": "small"}
    return ModelSpec(
        **(fields | {"tokenizer": "o200k_base"} | more),
        window_tokens=window_tokens,
        reply_reserve_tokens=reply_reserve_tokens,
    )


def message(id_: str, role: Role, text: str, *, calls: Sequence[str] = (), **more) -> Message:
    tool_calls = tuple(ToolCall(call, "weather", "{}") for call in calls)
    return Message(id_, role, text, created_ms=0, tool_calls=tool_calls, **more)


def user(id_: str, text: str) -> Message:
    return message(id_, "user", text)


def answer(id_: str, text: str, *, calls: Sequence[str] = (), finish: Finish = "complete"):
    return message(id_, "assistant", text, calls=calls, finish=finish)


def result(id_: str, call: str, text: str = "4 degrees") -> Message:
    return message(id_, "tool", text, tool_call_id=call)


def turn(depth: int, *messages: Message) -> PathTurn:
    return PathTurn(f"t{depth}", depth, messages)


def chat(*sizes: tuple[int, int], first_depth: int = 1) -> tuple[PathTurn, ...]:
    """Return turns of a user message and an answer with texts of the given lengths."""
    return tuple(
        turn(depth, user(f"u{depth}", "u" * asked), answer(f"a{depth}", "a" * answered))
        for depth, (asked, answered) in enumerate(sizes, start=first_depth)
    )


def state(turns: Sequence[PathTurn] = (), *, text: str = "now", **more) -> State:
    fields = {"system": None, "turns": tuple(turns), "input": user("input", text)}
    return State(**(fields | more))


def count_all(needed: NeedCounts, quality: Quality = "exact") -> dict[CountKey, Count]:
    """Return counts of one token a character."""
    pairs = zip(needed.keys, needed.texts, strict=True)
    return {key: Count(len(text), quality) for key, text in pairs}


def planned(
    given: State,
    model: ModelSpec | None = None,
    template: Template = TEMPLATE,
    *,
    previous: Previous | None = None,
    quality: Quality = "exact",
    strategy: Strategy = ELASTIC,
) -> ContextPlan | DoesNotFit:
    """Return the plan of a state whose texts count one token a character."""
    planner = Planner(given, model or spec(), template, previous, strategy)
    counts: dict[CountKey, Count] = {}
    while isinstance(made := planner.plan(counts), NeedCounts):
        counts |= count_all(made, quality)
    return made


def segments_sent(made: ContextPlan) -> list[Segment]:
    """Return the account of what is in the request, of its tools too."""
    return [s for s in made.segments if s.decision not in {"dropped", "moved_to_summary"}]


def notes_of(made: ContextPlan) -> list[str]:
    """Return the texts of the notes: what is settled, and the block in front of the input."""
    pairs = zip(made.sent, made.request.messages, strict=True)
    return [message.text for sent, message in pairs if sent.kind == "state_block"]


def previous_of(made: ContextPlan, model: ModelSpec, template: Template = TEMPLATE) -> Previous:
    return Previous(
        made.tier,
        made.window_start_depth,
        model.window_tokens,
        model.tokenizer,
        template.hash,
        made.judged_depth,
        made.settled,
    )


texts = st.text(max_size=40)
quality = st.sampled_from(["exact", "reported", "estimated"])


@st.composite
def turn_messages(draw, depth: int) -> tuple[Message, ...]:
    """Return the messages of one turn, often broken in the ways that real histories are."""
    call_ids = st.sampled_from(["c1", "c2", "c3"])
    kinds = draw(st.lists(st.sampled_from(["user", "assistant", "tool", "calls"]), max_size=6))
    found = []
    for index, kind in enumerate(kinds if draw(st.booleans()) else ["user", *kinds]):
        id_ = f"m{depth}.{index}"
        text = draw(texts)
        if kind == "user":
            found.append(user(id_, text))
        elif kind == "tool":
            found.append(result(id_, draw(call_ids), text))
        elif kind == "calls":
            calls = draw(st.lists(call_ids, min_size=1, max_size=3, unique=True))
            found.append(answer(id_, text, calls=calls))
        else:
            finish = draw(st.sampled_from(["complete", "stopped", "length"]))
            found.append(answer(id_, text, finish=finish))
    return tuple(found)


@st.composite
def states(draw) -> State:
    earlier = draw(st.integers(0, 3))
    count = draw(st.integers(0, 6))
    turns = tuple(
        turn(depth, *draw(turn_messages(depth)))
        for depth in range(earlier + 1, earlier + 1 + count)
    )
    system = draw(st.none() | st.builds(lambda text: message("s", "system", text), texts))
    return State(
        system=system,
        turns=turns,
        input=user("input", draw(texts)),
        earlier_turns=earlier,
        earlier_tokens=earlier * draw(st.integers(0, 100)),
    )


specs = st.builds(
    spec,
    window_tokens=st.integers(50, 800),
    reply_reserve_tokens=st.integers(1, 60),
    role_style=st.sampled_from(["system", "developer", "user"]),
)


def entry(text: str, kind: EntryKind = "fact", *, said_in: str = "", seq: int = 1, **more) -> Entry:
    """Return an entry that is a whole message, or of which nobody knows where it was said."""
    sources = (Span(said_in, 0, len(text)),) if said_in else ()
    fields = {
        "id": f"{said_in or text}:0-{len(text)}",
        "kind": kind,
        "text": text,
        "quote": text,
        "sources": sources,
        "author": "model",
        "status": "active",
        "seq": seq,
        "said_seq": seq,
        "depth": 1,
    }
    return Entry(**(fields | more))


def remembered(*entries: Entry, **more) -> Memory:
    """Return a memory with these entries."""
    return Memory(entries=entries, **more)


def removed(message_id: str, text: str, *, start: int = 0, seq: int = 9) -> Removed:
    """Return the deletion of a sentence of a message."""
    return Removed(seq, (Span(message_id, start, start + len(text)),), text)
