"""What of a state came with it and has no place of its own where it lies."""

from pydantic import ValidationError

from statecore.contract.places import first_wrong
from statecore.contract.schema import Contract, Part, RequestMeta
from statecore.contract.tree_schema import Tree
from statecore.memory.contract_fields import ContractField
from statecore.memory.facts import Fact
from statecore.requests import ToolDefinition
from statecore.workflow.machine import WorkflowState


class Carried(Part):
    """Parts of a contract that are kept as they came, under the ids of their new place."""

    contract_fields: tuple[ContractField, ...] = ()
    facts: tuple[Fact, ...] = ()
    tools: tuple[ToolDefinition, ...] = ()
    workflow: WorkflowState | None = None
    request_meta: RequestMeta = RequestMeta()


def carried_of(document: Contract | Tree) -> Carried:
    """Return what a state or a tree carries beside messages and memory."""
    return Carried(**{name: getattr(document, name) for name in Carried.model_fields})


def encode_carried(carried: Carried) -> bytes:
    """Return it as it is stored."""
    return carried.model_dump_json(exclude_defaults=True).encode()


def decode_carried(body: bytes) -> Carried:
    """Return what was stored.

    Raises:
        InvalidInput: when it is none; names the place.
    """
    try:
        return Carried.model_validate_json(body)
    except ValidationError as error:
        raise first_wrong(error) from None
