"""A request with its account, in the one form that the wire view takes."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import cast

from chatapp.presenters.remembered import named_ids
from chatapp.selectors.rows import AnchorRow, LeftOutRow, SegmentRow, SelectedRow
from chatapp.selectors.wire import WireRow
from statecore.context.plan import ContextPlan
from statecore.requests import RequestMessage, ToolDefinition
from statecore.state.fold import Memory


@dataclass(frozen=True, slots=True)
class Told:
    """A request with its account, sent or only planned."""

    messages: Sequence[RequestMessage]
    segments: Sequence[SegmentRow]
    selected: Sequence[SelectedRow]
    left_out: Sequence[LeftOutRow]
    memory: Memory
    """As the plan saw it."""
    roles: Sequence[str] = ()
    """As the provider's field names have them; empty takes those of the messages."""
    tools: Sequence[ToolDefinition] = ()
    anchors: Sequence[AnchorRow] = ()
    tokens: int | None = None
    """Of the whole request as planned, with what opens the answer; None where it was not kept."""


def told_of(wire: WireRow) -> Told:
    """Return what an attempt told its model."""
    row = wire.attempt
    return Told(
        messages=wire.sent.request.messages,
        segments=row.segments,
        selected=row.selected,
        left_out=row.left_out,
        memory=wire.memory,
        roles=tuple(str(message["role"]) for message in wire.sent.body["messages"]),
        tools=wire.sent.request.tools,
        anchors=row.anchors,
        tokens=row.planned_tokens,
    )


def told_of_plan(plan: ContextPlan, memory: Memory) -> Told:
    """Return what a planned request would tell its model.

    Args:
        plan: The plan.
        memory: As the plan saw it.
    """
    anchors = [found._asdict() for found in plan.anchors]
    return Told(
        messages=plan.request.messages,
        segments=cast("list[SegmentRow]", [asdict(segment) for segment in plan.segments]),
        selected=cast("list[SelectedRow]", [found._asdict() for found in plan.selected]),
        left_out=cast("list[LeftOutRow]", [found._asdict() for found in plan.left_out]),
        memory=memory,
        tools=plan.request.tools,
        anchors=cast("list[AnchorRow]", anchors),
        tokens=plan.prompt_tokens,
    )


def wire_sources(told: Told) -> Iterator[str]:
    """Yield the ids of the messages and turns that a request names."""
    for segment in told.segments:
        ids = segment["source_ids"]
        # Of the turns that were left out the newest says where the window begins.
        yield from ids[-1:] if segment["kind"] == "gap" else ids
    ids = [row["id"] for row in told.selected] + [row["id"] for row in told.left_out]
    ids += [f"anchor:{row['message_id']}" for row in told.anchors]
    yield from named_ids(ids, told.memory)
