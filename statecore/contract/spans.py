"""Whether what cites a message cites what stands there."""

from collections.abc import Iterator
from typing import NamedTuple

from statecore.contract.places import Steps, wrong
from statecore.contract.schema import Contract
from statecore.memory.ledger import Span
from statecore.state.operations import Add, Delete, Edit, Pin, SetField


class Cited(NamedTuple):
    """One stretch of a message that something cites."""

    place: Steps
    span: Span
    quote: str | None = None
    """What has to stand there word for word; None where it may have changed."""
    is_elsewhere: bool = False
    """Whether its message may lie on another branch or in another conversation."""


def check_spans(contract: Contract) -> None:
    """Let a contract pass whose spans lie inside their messages and quote them.

    Raises:
        InvalidInput: naming the first span that does not.
    """
    texts = {message.id: message.text for message in contract.messages()}
    for cited in _cited(contract):
        _check(cited, texts.get(cited.span.message_id))


def _check(cited: Cited, text: str | None) -> None:
    place, (message_id, start, end) = cited.place, cited.span
    if not 0 <= start <= end:
        raise wrong(place, f"{start} to {end} is no stretch of a text")
    if text is None:
        if not cited.is_elsewhere:
            raise wrong(place, f"there is no message {message_id}")
        return
    if end > len(text):
        said = f"ends at character {end}, and message {message_id} has {len(text)}"
        raise wrong(place, said)
    if cited.quote is not None and text[start:end] != cited.quote:
        raise wrong(place, f"message {message_id} says something else from {start} to {end}")


def _cited(contract: Contract) -> Iterator[Cited]:
    yield from _of_deltas(contract)
    yield from _of_acts(contract)
    for number, contract_field in enumerate(contract.contract_fields):
        if contract_field.source is not None:
            yield Cited(("contract_fields", number, "source"), contract_field.source)
    for number, held in enumerate(contract.workflow.values if contract.workflow else ()):
        if held.source is not None:
            yield Cited(("workflow", "values", number, "source"), held.source)
    for number, fact in enumerate(contract.facts):
        for index, source in enumerate(fact.sources):
            span = Span(source.message_id, source.start, source.end)
            yield Cited(("facts", number, "sources", index), span, is_elsewhere=True)


def _of_deltas(contract: Contract) -> Iterator[Cited]:
    for number, delta in enumerate(contract.memory.deltas):
        place: Steps = ("memory", "deltas", number)
        for index, learned in enumerate(delta.learned):
            yield Cited((*place, "learned", index, "span"), learned.span, learned.text)
        for index, rejected in enumerate(delta.rejected):
            yield Cited((*place, "rejected", index, "span"), rejected.span)
        for index, field in enumerate(delta.fields):
            if field.source is not None:
                yield Cited((*place, "fields", index, "source"), field.source)


def _of_acts(contract: Contract) -> Iterator[Cited]:
    for number, act in enumerate(contract.memory.acts()):
        place: Steps = ("memory", "operations", number, "action")
        match act.action:
            case Edit(target=target) | Delete(target=target) | Pin(target=target):
                for index, span in enumerate(target.sources):
                    yield Cited((*place, "target", index), span, is_elsewhere=True)
            case Add(span=Span() as span):
                yield Cited((*place, "add", "span"), span)
            case SetField(field=field) if field.source is not None:
                yield Cited((*place, "set_field", "field", "source"), field.source)
            case _:
                pass
