"""What phrases of earlier inputs pointed at: "that link", "the table", "step 3"."""

from collections.abc import Iterator, Sequence

from statecore.context.remembering import remembered
from statecore.language.features import FeatureKind, features
from statecore.language.pointers import Pointer, pointers
from statecore.messages import Message

_KINDS: dict[str, FeatureKind] = {
    "link": "link",
    "code": "code",
    "table": "table",
    "list": "list",
    "file": "file",
    "step": "list",
    "item": "list",
}


def pointed(messages: Sequence[Message]) -> Iterator[str]:
    """Yield the ids of the answers and results that a user pointed at in a later message.

    The newest one that holds such a thing is taken; a place ("the second link") is not looked for.

    Args:
        messages: of the path, oldest first.
    """
    newest: dict[FeatureKind, str] = {}
    for message in messages:
        if message.role == "user":
            kinds = (_KINDS.get(pointer.kind) for pointer in _pointers(message.text))
            yield from (newest[kind] for kind in kinds if kind in newest)
        else:
            newest.update(dict.fromkeys(_held(message.text), message.id))


@remembered
def _pointers(text: str) -> tuple[Pointer, ...]:
    return tuple(pointer for pointer in pointers(text) if pointer.speaker != "user")


@remembered
def _held(text: str) -> frozenset[FeatureKind]:
    return frozenset(feature.kind for feature in features(text))
