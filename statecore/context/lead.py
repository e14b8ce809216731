"""What leads a request and rarely changes: the system prompt, the contract fields, the tools."""

from collections.abc import Iterator
from dataclasses import dataclass

from statecore.context.masks import count_id
from statecore.context.neutral import neutral
from statecore.context.repairs import verbatim
from statecore.context.segments import Piece
from statecore.context.selection import Selected
from statecore.context.state import State
from statecore.memory.contract_fields import ContractField
from statecore.messages import Role
from statecore.models import ModelSpec
from statecore.requests import RequestMessage
from statecore.templates import Template


@dataclass(frozen=True, slots=True)
class Lead:
    """The pieces in front of the history."""

    system: Piece | None
    tools: Piece | None
    selected: tuple[Selected, ...] = ()
    """Where the contract fields stand."""
    contract_start: int = 0
    """Where they begin in the text of the system message."""

    def pieces(self) -> tuple[Piece, ...]:
        """Return them in the order of the request."""
        return tuple(piece for piece in (self.system, self.tools) if piece is not None)


def lead_of(state: State, model: ModelSpec, template: Template) -> Lead:
    """Return what leads the request."""
    message = state.system
    own = template.system if message is None else message.text
    text, selected = _with_contract(own, state.contract, template)
    tools = _tools(state)
    if not text:
        return Lead(None, tools)
    # "developer" is only another name, which the adapter writes; "user" changes what is sent.
    role: Role = "user" if model.role_style == "user" else "system"
    content = RequestMessage(role, text)
    id_ = template.count_id("system") if message is None else message.id
    system = Piece(
        kind="system",
        content=content,
        source_ids=() if message is None else (message.id,),
        depth=0,
        decision="injected" if message is None else "kept",
        reason="system_prompt",
        count_id=count_id("system", content) if selected else id_,
        verbatim=message is not None and content == verbatim(message),
    )
    return Lead(system, tools, selected, len(own))


def _with_contract(
    text: str, contract: tuple[ContractField, ...], template: Template
) -> tuple[str, tuple[Selected, ...]]:
    if not contract:
        return text, ()
    selected = []
    found = f"{text}\n\n{template.contract}" if text else template.contract
    for field, line in _lines(contract):
        start = len(found) + 1
        found = f"{found}\n{line}"
        place = (0, start, len(found))
        selected.append(Selected(f"contract:{field.key}", "contract", "contract", *place))
    return found, tuple(selected)


def _lines(contract: tuple[ContractField, ...]) -> Iterator[tuple[ContractField, str]]:
    for field in contract:
        # A line holds one field: a break inside its value would begin another one.
        yield field, neutral(f"{field.key}: {' '.join(field.value.splitlines())}")


def _tools(state: State) -> Piece | None:
    if not state.tools:
        return None
    words = (f"{tool.name}\n{tool.description}\n{tool.parameters}" for tool in state.tools)
    content = RequestMessage("system", "\n".join(words))
    return Piece(
        kind="tools",
        content=content,
        source_ids=(),
        depth=0,
        decision="kept",
        reason="tool_definitions",
        count_id=count_id("tools", content),
    )
