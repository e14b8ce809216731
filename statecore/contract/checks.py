"""What a schema cannot say: how the parts of a contract hold together."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from statecore.contract.memory_checks import check_memory
from statecore.contract.places import Steps, wrong
from statecore.contract.schema import Contract, ContractMessage, ContractTurn
from statecore.contract.spans import check_spans
from statecore.contract.times import check_numbers


def check(contract: Contract) -> None:
    """Let a contract pass whose parts hold together.

    Raises:
        InvalidInput: naming the first place where they do not.
    """
    if contract.system is not None and contract.system.role != "system":
        raise wrong(("system", "role"), f"a {contract.system.role} message is no system message")
    for number, turn in enumerate(contract.turns):
        _check_turn(turn, number, is_last=number == len(contract.turns) - 1)
    _check_unique(_ids(contract), "another {what} has the id {name} already")
    _check_order(contract)
    newest = max(contract.seqs(), default=0)
    if contract.memory.as_of < newest:
        raise wrong(("memory", "as_of"), f"is earlier than the seq {newest}")
    check_numbers(contract)
    check_memory(contract)
    check_spans(contract)
    _check_rest(contract)


def _check_turn(turn: ContractTurn, number: int, *, is_last: bool) -> None:
    place: Steps = ("turns", number)
    if turn.depth != number + 1:
        raise wrong((*place, "depth"), f"is {turn.depth} where {number + 1} comes next")
    if not (turn.is_committed or is_last):
        raise wrong((*place, "status"), f"only the last turn can be {turn.status}")
    ended = (turn.finish, turn.committed_seq, turn.committed_ms)
    if turn.is_committed and None in ended:
        raise wrong(place, "a committed turn has finish, committed_seq and committed_ms")
    if not turn.is_committed and ended != (None, None, None):
        raise wrong(place, f"a {turn.status} turn has no finish, committed_seq or committed_ms")
    for index, message in enumerate(turn.messages):
        _check_role(turn, message, index, (*place, "messages", index))
    _check_calls(turn, place)


def _check_role(turn: ContractTurn, message: ContractMessage, index: int, place: Steps) -> None:
    if index == 0 and message.role != "user":
        raise wrong((*place, "role"), f"a turn begins with a user message, not with {message.role}")
    if index > 0 and message.role in ("user", "system"):
        raise wrong((*place, "role"), f"a {message.role} message stands inside a turn")
    if index > 0 and not turn.is_committed:
        raise wrong(place, f"a {turn.status} turn has its input only")
    if message.role != "assistant" and message.tool_calls:
        raise wrong((*place, "tool_calls"), f"a {message.role} message calls no tools")
    if (message.role == "tool") != (message.tool_call_id is not None):
        said = "a tool message names the call that it answers, and no other message does"
        raise wrong((*place, "tool_call_id"), said)


def _check_calls(turn: ContractTurn, place: Steps) -> None:
    """Check that results answer calls, each once, and that nothing but a stop leaves one open."""
    waiting: dict[str, Steps] = {}
    for index, message in enumerate(turn.messages):
        here = (*place, "messages", index)
        for number, call in enumerate(message.tool_calls):
            if call.id in waiting:
                raise wrong((*here, "tool_calls", number), f"the call {call.id} is open already")
            waiting[call.id] = (*here, "tool_calls", number)
        if message.tool_call_id is not None and waiting.pop(message.tool_call_id, None) is None:
            said = f"no call {message.tool_call_id} waits for a result"
            raise wrong((*here, "tool_call_id"), said)
    last = turn.messages[-1]
    if turn.finish == "stopped" or not turn.is_committed:
        return
    for where in waiting.values():
        raise wrong(where, "the call has no result in its turn")
    if last.role != "assistant":
        raise wrong((*place, "messages"), "a turn that was not stopped ends with an answer")


def _ids(contract: Contract) -> Iterator[tuple[Steps, str, str]]:
    """Yield place, what it is, and id of everything that has one of its own."""
    if contract.system is not None:
        yield ("system", "id"), "message", contract.system.id
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


def _check_unique(named: Iterable[tuple[Steps, str, str]], sentence: str) -> None:
    seen: set[tuple[str, str]] = set()
    for place, what, name in named:
        if (what, name) in seen:
            raise wrong(place, sentence.format(what=what, name=name))
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


def _check_rest(contract: Contract) -> None:
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
