"""The hash of a state: equal wherever the state lies, and under whatever ids."""

import hashlib
import json
from typing import Any

from statecore.contract.renaming import Named, Names, renamed
from statecore.contract.schema import Contract


def state_hash(contract: Contract) -> str:
    """Return the SHA-256 of the canonical form as hexadecimal digits.

    It is computed on demand and never stored: whoever can guess a state could test the guess.
    """
    text = json.dumps(
        canonical(contract), ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(contract: Contract) -> dict[str, Any]:
    """Return the canonical form: ids are places on the path, seqs are ranks.

    How requests were made is no part of the state, nor are readable parts that follow from others.
    """
    found = renamed(_ordered(contract), _places(contract))
    document = found.model_dump(mode="json", exclude={"request_meta"}, exclude_defaults=True)
    document["conversation"].pop("id")
    return document


def _ordered(contract: Contract) -> Contract:
    """Return a contract in which what has no order of its own stands in one.

    How an input came to wait for its answer is no part of the state.
    """
    fields = tuple(sorted(contract.contract_fields, key=lambda field: field.key))
    turns = tuple(
        turn if turn.is_committed else turn.model_copy(update={"status": "interrupted"})
        for turn in contract.turns
    )
    return contract.model_copy(update={"contract_fields": fields, "turns": turns})


def _places(contract: Contract) -> Names:
    messages = {} if contract.system is None else {contract.system.id: "system"}
    for turn in contract.turns:
        for position, message in enumerate(turn.messages, start=1):
            messages[message.id] = f"m{turn.depth}.{position}"
    return Names(
        conversation="this",
        turns={turn.id: f"t{turn.depth}" for turn in contract.turns},
        messages=messages,
        seqs={seq: rank for rank, seq in enumerate(sorted(contract.seqs()), start=1)},
        facts={fact.id: f"f{number}" for number, fact in enumerate(contract.facts, start=1)},
        elsewhere=_elsewhere,
    )


def _elsewhere(what: Named, _name: str, number: int) -> str:
    return f"other {what} {number}"
