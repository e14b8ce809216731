"""What a schema cannot say: how the parts of a contract hold together."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from statecore.contract.memory_checks import check_memory
from statecore.contract.places import Steps, wrong
from statecore.contract.schema import Contract, ContractTurn
from statecore.contract.spans import check_spans
from statecore.contract.times import check_numbers
from statecore.contract.turn_checks import check_turn


def check(contract: Contract) -> None:
    """Let a contract pass whose parts hold together.

    Raises:
        InvalidInput: naming the first place where they do not.
    """
    if contract.system is not None and contract.system.role != "system":
        raise wrong(("system", "role"), f"a {contract.system.role} message is no system message")
    for number, turn in enumerate(contract.turns):
        _check_turn(turn, number, is_last=number == len(contract.turns) - 1)
    check_unique(_ids(contract))
    _check_order(contract)
    newest = max(contract.seqs(), default=0)
    if contract.memory.as_of < newest:
        raise wrong(("memory", "as_of"), f"is earlier than the seq {newest}")
    check_numbers(contract)
    check_memory(contract)
    check_spans(contract)
    check_rest(contract)


def _check_turn(turn: ContractTurn, number: int, *, is_last: bool) -> None:
    place: Steps = ("turns", number)
    if turn.depth != number + 1:
        raise wrong((*place, "depth"), f"is {turn.depth} where {number + 1} comes next")
    if not (turn.is_committed or is_last):
        raise wrong((*place, "status"), f"only the last turn can be {turn.status}")
    check_turn(turn, place)


def _ids(contract: Contract) -> Iterator[tuple[Steps, str, str]]:
    if contract.system is not None:
        yield ("system", "id"), "message", contract.system.id
    yield from ids(contract)


def ids(contract: Contract) -> Iterator[tuple[Steps, str, str]]:
    """Yield place, what it is, and id of everything but system messages that has one of its own."""
    for number, turn in enumerate(contract.turns):
        yield ("turns", number, "id"), "turn", turn.id
        for index, message in enumerate(turn.messages):
            yield ("turns", number, "messages", index, "id"), "message", message.id
    for number, fact in enumerate(contract.facts):
        yield ("facts", number, "id"), "fact", fact.id
    for number, tool in enumerate(contract.tools):
        yield ("tools", number, "name"), "tool", tool.name
    for number, field in enumerate(contract.contract_fields):
        yield ("contract_fields", number, "key"), "contract field", field.key


def check_unique(named: Iterable[tuple[Steps, str, str]]) -> None:
    """Let ids pass that nothing else of their kind has.

    Args:
        named: place, what it is, and id of everything that has one.

    Raises:
        InvalidInput: naming the first that is there already.
    """
    seen: set[tuple[str, str]] = set()
    for place, what, name in named:
        if (what, name) in seen:
            raise wrong(place, f"another {what} has the id {name} already")
        seen.add((what, name))


def _check_order(contract: Contract) -> None:
    """Check that seqs rise and that no time goes back along the path."""
    for series in _series(contract):
        for (_, before), (place, after) in pairwise(series):
            if str(place[-1]).endswith("_seq") and after <= before:
                raise wrong(place, f"the seq {after} does not come after {before}")
            if after < before:
                raise wrong(place, f"the time goes back from {before} to {after}")


def _series(contract: Contract) -> Iterator[list[tuple[Steps, int]]]:
    """Yield what has to rise along the path, with its places."""
    turns = [(("turns", number), turn) for number, turn in enumerate(contract.turns)]
    for names in (
        ("accepted_seq", "committed_seq"),
        ("accepted_ms", "committed_ms"),
        ("branch_ms",),
    ):
        yield [
            ((*place, name), value)
            for place, turn in turns
            for name in names
            if (value := getattr(turn, name)) is not None
        ]
    yield [
        ((*place, "messages", index, "created_ms"), message.created_ms)
        for place, turn in turns
        for index, message in enumerate(turn.messages)
    ]


def check_rest(contract: Contract) -> None:
    """Let facts, contract fields and attempts pass that hold together with the rest.

    Raises:
        InvalidInput: naming the first place where they do not.
    """
    facts = {fact.id for fact in contract.facts}
    for number, fact in enumerate(contract.facts):
        place: Steps = ("facts", number)
        if not 0 <= fact.confidence <= 1:
            raise wrong((*place, "confidence"), "lies between 0 and 1")
        if fact.superseded_by is not None and fact.superseded_by not in facts:
            raise wrong((*place, "superseded_by"), f"there is no fact {fact.superseded_by}")
    taken = set(contract.model_copy(update={"contract_fields": ()}).seqs())
    for number, field in enumerate(contract.contract_fields):
        if field.seq < 1:
            raise wrong(("contract_fields", number, "seq"), f"{field.seq} is no seq")
        if field.seq in taken:
            said = f"the seq {field.seq} is that of something else"
            raise wrong(("contract_fields", number, "seq"), said)
        taken.add(field.seq)
    turns = {turn.id for turn in contract.turns}
    for number, attempt in enumerate(contract.request_meta.attempts):
        if attempt.turn_id not in turns:
            said = f"there is no turn {attempt.turn_id}"
            raise wrong(("request_meta", "attempts", number, "turn_id"), said)
